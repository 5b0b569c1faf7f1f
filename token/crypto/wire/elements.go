package wire

import (
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Writer appends Math(e₁, …, eₖ) to a byte string, element by element. An
// Element is SEQUENCE { curveID INTEGER, raw OCTET STRING }, each inside an
// OCTET STRING.
type Writer struct {
	g     group.Group
	body  []byte
	start int
}

// NewWriter returns a Writer for elements of g that appends to dst.
func NewWriter(g group.Group, dst []byte) Writer {
	return Writer{g: g, body: dst, start: len(dst)}
}

// header writes the part of an Element before its n raw bytes. Curve
// identifiers are below 128, so an INTEGER takes three bytes.
func (w *Writer) header(n int) {
	inner := 3 + tlvLen(n)
	w.body = appendHeader(w.body, tagOctetString, tlvLen(inner))
	w.body = appendHeader(w.body, tagSequence, inner)
	w.body = append(w.body, tagInteger, 1, byte(w.g.ID()))
	w.body = appendHeader(w.body, tagOctetString, n)
}

// Point writes one point.
func (w *Writer) Point(p group.Point) {
	w.header(w.g.PointLen())
	w.body = w.g.AppendPoint(w.body, p)
}

// Scalar writes one scalar.
func (w *Writer) Scalar(s group.Scalar) {
	w.header(group.ScalarLen)
	w.body = w.g.AppendScalar(w.body, s)
}

// Points writes a list of points as one Element.
func (w *Writer) Points(ps []group.Point) {
	w.listHeader(len(ps), w.g.PointLen())
	for _, p := range ps {
		w.body = appendHeader(w.body, tagOctetString, w.g.PointLen())
		w.body = w.g.AppendPoint(w.body, p)
	}
}

// Scalars writes a list of scalars as one Element.
func (w *Writer) Scalars(ss []group.Scalar) {
	w.listHeader(len(ss), group.ScalarLen)
	for _, s := range ss {
		w.body = appendHeader(w.body, tagOctetString, group.ScalarLen)
		w.body = w.g.AppendScalar(w.body, s)
	}
}

// listHeader writes the part before the members of a list of k values of n
// bytes each.
func (w *Writer) listHeader(k, n int) {
	members := k * tlvLen(n)
	w.header(tlvLen(tlvLen(members)))
	w.body = appendHeader(w.body, tagSequence, tlvLen(members))
	w.body = appendHeader(w.body, tagSequence, members)
}

// Done returns dst with the whole Math(…) value.
func (w *Writer) Done() []byte { return WrapContainer(w.body, w.start) }

// Reader reads Math(e₁, …, eₖ) field by field. It keeps its first error;
// afterwards all methods return zero values.
type Reader struct {
	listReader
	g group.Group
}

// NewReader returns a Reader over elements of g. what names the message in
// errors.
func NewReader(what string, g group.Group, b []byte) *Reader {
	r := &Reader{listReader: listReader{what: what, whole: len(b)}, g: g}
	r.open(b)
	return r
}

// raw reads the next Element and returns its raw bytes.
func (r *Reader) raw(field string) []byte {
	member := cryptobyte.String(r.octets(field))
	if r.err != nil {
		return nil
	}
	var seq, id, raw cryptobyte.String
	switch {
	case !member.ReadASN1(&seq, asn1.SEQUENCE) || !seq.ReadASN1(&id, asn1.INTEGER) || !seq.ReadASN1(&raw, asn1.OCTET_STRING):
		r.fail(field, ErrMalformed)
	case !seq.Empty() || !member.Empty():
		r.fail(field, ErrTrailing)
	case len(id) != 1 || int(id[0]) != r.g.ID():
		r.fail(field, ErrWrongCurve)
	}
	return raw
}

// Point reads one point.
func (r *Reader) Point(field string) group.Point {
	return decodeIf(r, field, r.raw(field), r.g.DecodePoint)
}

// NonIdentity reads one point, which must not be the identity.
func (r *Reader) NonIdentity(field string) group.Point {
	return decodeIf(r, field, r.raw(field), r.nonIdentity)
}

func (r *Reader) nonIdentity(b []byte) (group.Point, error) {
	p, err := r.g.DecodePoint(b)
	if err == nil && r.g.IsIdentity(p) {
		err = group.ErrIdentity
	}
	return p, err
}

// Scalar reads one scalar.
func (r *Reader) Scalar(field string) group.Scalar {
	return decodeIf(r, field, r.raw(field), r.g.DecodeScalar)
}

// Points reads a list of exactly n points, into dst if its capacity allows.
func (r *Reader) Points(field string, dst []group.Point, n int) []group.Point {
	return readList(r, field, dst, n, r.g.DecodePoint)
}

// NonIdentities reads a list of exactly n points other than the identity,
// into dst if its capacity allows.
func (r *Reader) NonIdentities(field string, dst []group.Point, n int) []group.Point {
	return readList(r, field, dst, n, r.nonIdentity)
}

// Scalars reads a list of exactly n scalars, into dst if its capacity allows.
func (r *Reader) Scalars(field string, dst []group.Scalar, n int) []group.Scalar {
	return readList(r, field, dst, n, r.g.DecodeScalar)
}

// Done returns the first error, or ErrTrailing if elements remain.
func (r *Reader) Done() error {
	if r.err == nil && !r.list.Empty() {
		r.fail("list", ErrTrailing)
	}
	return r.err
}

func decodeIf[T any](r *Reader, field string, raw []byte, decode func([]byte) (T, error)) (v T) {
	if r.err != nil {
		return v
	}
	v, err := decode(raw)
	if err != nil {
		r.fail(field, err)
	}
	return v
}

// readList reads one Element of exactly n values. It checks the count by the
// framing alone, before it decodes the first value.
func readList[T any](r *Reader, field string, dst []T, n int, decode func([]byte) (T, error)) []T {
	raw := r.raw(field)
	if r.err != nil {
		return nil
	}
	inner := listReader{what: r.what, whole: len(raw)}
	inner.open(raw)
	if inner.err != nil {
		r.fail(field, ErrMalformed)
		return nil
	}
	if count(inner.list) != n {
		r.fail(field, ErrCount)
		return nil
	}
	if cap(dst) < n {
		dst = make([]T, n)
	}
	dst = dst[:n]
	for i := range dst {
		dst[i] = decodeIf(r, field, inner.octets(field), decode)
	}
	return dst
}

// count returns the number of OCTET STRINGs in list, or -1 if it contains
// anything else.
func count(list cryptobyte.String) (n int) {
	for !list.Empty() {
		if !list.SkipASN1(asn1.OCTET_STRING) {
			return -1
		}
		n++
	}
	return n
}

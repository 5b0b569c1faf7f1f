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
	w.body = appendHeader(w.body, TagOctetString, tlvLen(inner))
	w.body = appendHeader(w.body, TagSequence, inner)
	w.body = append(w.body, TagInteger, 1, byte(w.g.ID()))
	w.body = appendHeader(w.body, TagOctetString, n)
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
		w.body = appendHeader(w.body, TagOctetString, w.g.PointLen())
		w.body = w.g.AppendPoint(w.body, p)
	}
}

// Scalars writes a list of scalars as one Element.
func (w *Writer) Scalars(ss []group.Scalar) {
	w.listHeader(len(ss), group.ScalarLen)
	for _, s := range ss {
		w.body = appendHeader(w.body, TagOctetString, group.ScalarLen)
		w.body = w.g.AppendScalar(w.body, s)
	}
}

// listHeader writes the part before the members of a list of k values of n
// bytes each.
func (w *Writer) listHeader(k, n int) {
	members := k * tlvLen(n)
	w.header(tlvLen(tlvLen(members)))
	w.body = appendHeader(w.body, TagSequence, tlvLen(members))
	w.body = appendHeader(w.body, TagSequence, members)
}

// Done returns dst with the whole Math(…) value.
func (w *Writer) Done() []byte { return WrapContainer(w.body, w.start) }

// Reader reads Math(e₁, …, eₖ) field by field. It keeps its first error;
// afterwards all methods return zero values.
type Reader struct {
	listReader
	ps *Points
}

// NewReader returns a Reader over elements of the group of ps, which decodes the points.
// message is its name in errors.
func NewReader(message Name, ps *Points, b []byte) Reader {
	r := Reader{listReader: listReader{message: message, whole: len(b)}, ps: ps}
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
	case !member.ReadASN1(&seq, asn1.SEQUENCE) || !seq.ReadASN1(&id, asn1.INTEGER) ||
		!seq.ReadASN1(&raw, asn1.OCTET_STRING):
		r.fail(field, ErrMalformed)
	case !seq.Empty() || !member.Empty():
		r.fail(field, ErrTrailing)
	case len(id) != 1 || int(id[0]) != r.ps.g.ID():
		r.fail(field, ErrWrongCurve)
	}
	return raw
}

// Point reads one point into to.
func (r *Reader) Point(field string, to *group.Point) { r.decodePoint(field, r.raw(field), to, false) }

// NonIdentity reads one point, which must not be the identity, into to.
func (r *Reader) NonIdentity(field string, to *group.Point) {
	r.decodePoint(field, r.raw(field), to, true)
}

func (r *Reader) decodePoint(field string, raw []byte, to *group.Point, proper bool) {
	if r.err != nil {
		return
	}
	at := spot{message: r.message, field: field, offset: r.whole - len(r.list)}
	if err := r.ps.decode(raw, to, proper, at, nil); err != nil {
		r.fail(field, err)
	}
}

// Scalar reads one scalar.
func (r *Reader) Scalar(field string) group.Scalar { return r.decodeScalar(field, r.raw(field)) }

func (r *Reader) decodeScalar(field string, raw []byte) (s group.Scalar) {
	if r.err != nil {
		return s
	}
	s, err := r.ps.g.DecodeScalar(raw)
	if err != nil {
		r.fail(field, err)
	}
	return s
}

// NonIdentities reads a list of exactly n points other than the identity,
// into dst if its capacity allows.
func (r *Reader) NonIdentities(field string, dst []group.Point, n int) []group.Point {
	list := r.members(field, n)
	if r.err != nil {
		return nil
	}
	dst = sized(dst, n)
	for i := range dst {
		r.decodePoint(field, list.octets(field), &dst[i], true)
	}
	return dst
}

// Scalars reads a list of exactly n scalars, into dst if its capacity allows.
func (r *Reader) Scalars(field string, dst []group.Scalar, n int) []group.Scalar {
	list := r.members(field, n)
	if r.err != nil {
		return nil
	}
	dst = sized(dst, n)
	for i := range dst {
		dst[i] = r.decodeScalar(field, list.octets(field))
	}
	return dst
}

// members opens one Element of exactly n values. It checks the count by the
// framing alone, before the first value is decoded.
func (r *Reader) members(field string, n int) (list listReader) {
	raw := r.raw(field)
	if r.err != nil {
		return list
	}
	list.open(raw)
	switch {
	case list.err != nil:
		r.fail(field, ErrMalformed)
	case count(list.list) != n:
		r.fail(field, ErrCount)
	}
	return list
}

// sized returns dst with n elements, in the same memory if its capacity allows.
func sized[T any](dst []T, n int) []T {
	if cap(dst) < n {
		return make([]T, n)
	}
	return dst[:n]
}

// Done returns the first error, or ErrTrailing if elements remain.
func (r *Reader) Done() error {
	if r.err == nil && !r.list.Empty() {
		r.fail("list", ErrTrailing)
	}
	return r.err
}

// count returns the number of OCTET STRINGs in list, or -1 if it contains
// any other bytes.
func count(list cryptobyte.String) (n int) {
	for !list.Empty() {
		if !list.SkipASN1(asn1.OCTET_STRING) {
			return -1
		}
		n++
	}
	return n
}

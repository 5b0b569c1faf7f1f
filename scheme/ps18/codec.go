package ps18

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// scalarLen is the length of an encoded scalar in bytes.
const scalarLen = 32

// A DecodeError says which part of an encoding is wrong, and how. It does not
// contain bytes of the encoding.
type DecodeError struct {
	What   string // "signature" or "public key"
	Field  string // "σ1"
	Offset int    // of the field, in bytes
	Err    error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("ps18: %s: %s at byte %d %v", e.What, e.Field, e.Offset, e.Err)
}

func (e *DecodeError) Unwrap() error { return e.Err }

// Reasons to refuse an encoding, besides the errors of package curve.
var (
	// ErrLength says that an encoding is too short or too long.
	ErrLength = errors.New("has the wrong length")
	// ErrScalar says that a scalar is not below q.
	ErrScalar = errors.New("is not below the order of the groups")
	// ErrZero says that a point of a key is 0.
	ErrZero = errors.New("is 0")
	// ErrGenerator says that a key has another g̃ than the standard generator.
	ErrGenerator = errors.New("is not the standard generator")
)

// reader reads fields one after the other. After an error it reads no more.
type reader struct {
	kind  string
	curve curve.Curve
	bytes []byte
	at    int
	err   error
}

func (r *reader) fail(field string, at int, err error) {
	r.err = &DecodeError{What: r.kind, Field: field, Offset: at, Err: err}
}

// next returns the next n bytes, nil after an error.
func (r *reader) next(field string, n int) (b []byte, at int) {
	at = r.at
	if r.err == nil && len(r.bytes)-r.at < n {
		r.fail(field, at, ErrLength)
	}
	if r.err != nil {
		return nil, at
	}
	r.at += n
	return r.bytes[at:r.at], at
}

func (r *reader) scalar(field string) *big.Int {
	b, at := r.next(field, scalarLen)
	k := new(big.Int).SetBytes(b)
	if k.Cmp(r.curve.Order()) >= 0 {
		r.fail(field, at, ErrScalar)
	}
	return k
}

func (r *reader) g1(field string) (p curve.G1) {
	b, at := r.next(field, r.curve.LenG1())
	if r.err == nil {
		var err error
		p, err = r.curve.DecodeG1(b)
		if err != nil {
			r.fail(field, at, err)
		}
	}
	return p
}

// g2 reads a point and refuses 0.
func (r *reader) g2(field string) (q curve.G2) {
	b, at := r.next(field, r.curve.LenG2())
	if r.err != nil {
		return q
	}
	q, err := r.curve.DecodeG2(b)
	if err == nil && r.curve.IsZeroG2(q) {
		err = ErrZero
	}
	if err != nil {
		r.fail(field, at, err)
	}
	return q
}

// done returns the first error, or ErrLength if bytes are left over.
func (r *reader) done() error {
	if r.err == nil && r.at < len(r.bytes) {
		r.fail("end", r.at, ErrLength)
	}
	return r.err
}

// Encode returns m' ‖ σ₁ ‖ σ₂.
func (s *Signature) Encode(c curve.Curve) []byte {
	b := make([]byte, scalarLen, scalarLen+2*c.LenG1())
	s.Prime.FillBytes(b)
	return c.AppendG1(c.AppendG1(b, s.Sigma1), s.Sigma2)
}

// DecodeSignature reads a signature. The error is a *DecodeError. σ₁ = 0 decodes;
// Verify rejects it.
func DecodeSignature(c curve.Curve, b []byte) (*Signature, error) {
	c = c.Phase(phaseDecode)
	if want := scalarLen + 2*c.LenG1(); len(b) != want {
		field := fmt.Sprintf("%d bytes instead of %d", len(b), want)
		return nil, &DecodeError{What: "signature", Field: field, Err: ErrLength}
	}
	r := &reader{kind: "signature", curve: c, bytes: b}
	s := &Signature{Prime: r.scalar("m'"), Sigma1: r.g1("σ1"), Sigma2: r.g1("σ2")}
	if err := r.done(); err != nil {
		return nil, err
	}
	return s, nil
}

// Encode returns r ‖ g̃ ‖ X̃ ‖ Ỹ₁ ‖ … ‖ Ỹ_{r+1}, r in two bytes.
func (pk *PublicKey) Encode() []byte {
	c, r := pk.curve, pk.messages()
	b := make([]byte, 0, 2+(r+3)*c.LenG2())
	b = append(b, byte(r>>8), byte(r))
	b = c.AppendG2(c.AppendG2(b, pk.generator), pk.x)
	for _, y := range pk.y {
		b = c.AppendG2(b, y)
	}
	return b
}

// DecodePublicKey reads a key. The error is a *DecodeError.
func DecodePublicKey(c curve.Curve, b []byte) (*PublicKey, error) {
	r := &reader{kind: "public key", curve: c.Phase(phaseDecode), bytes: b}
	count, _ := r.next("number of messages", 2)
	if r.err != nil {
		return nil, r.err
	}
	messages := int(count[0])<<8 | int(count[1])
	if want := 2 + (messages+3)*c.LenG2(); messages == 0 || len(b) != want {
		field := fmt.Sprintf("number of messages %d in %d bytes", messages, len(b))
		return nil, &DecodeError{What: r.kind, Field: field, Err: ErrLength}
	}
	at := r.at
	pk := &PublicKey{curve: c, generator: r.g2("generator"), x: r.g2("X"), y: make([]curve.G2, messages+1)}
	for i := range pk.y {
		pk.y[i] = r.g2(fmt.Sprintf("Y%d", i+1))
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	if !c.EqualG2(pk.generator, c.GenG2()) {
		return nil, &DecodeError{What: r.kind, Field: "generator", Offset: at, Err: ErrGenerator}
	}
	return pk, nil
}

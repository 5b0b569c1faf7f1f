package presentation

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// points are the points of a message. They are decoded after everything else,
// since decoding a point takes as long as reading all the rest.
type points struct {
	what   string
	list   []point
	result error // of decode
}

// point is an encoded point. decode stores its value.
type point struct {
	field  string
	raw    []byte
	decode func(raw []byte) error
}

func (ps *points) add(field string, raw []byte, decode func([]byte) error) {
	ps.list = append(ps.list, point{field, raw, decode})
}

// decode decodes the points on the first call. It returns the same error each
// time.
func (ps *points) decode() error {
	for _, p := range ps.list {
		if err := p.decode(p.raw); err != nil {
			ps.result = wire.Bad(ps.what, p.field, err)
			break
		}
	}
	ps.list = nil
	return ps.result
}

// decodesTo returns a function that decodes a point of the group other than its
// identity into to.
func decodesTo(g group.Group, decode func([]byte) (group.Point, error), to *group.Point) func([]byte) error {
	return func(raw []byte) error {
		p, err := decode(raw)
		if err == nil && g.IsIdentity(p) {
			err = group.ErrIdentity
		}
		*to = p
		return err
	}
}

// Points decodes the points of identities and of signatures with the same
// indices. Error i is a *wire.DecodeError of signature i or else of identity i,
// or nil.
func (s *Scheme) Points(ids []*Identity, signatures []*Signature) []error {
	errs := make([]error, len(signatures))
	for i := range errs {
		if errs[i] = signatures[i].decode(); errs[i] == nil {
			errs[i] = ids[i].decode()
		}
	}
	return errs
}

package sigma

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Append appends Math(CT, [z_r], [z_v], z_t, z_b, z_s, c). On the wire the
// blinding responses come before the value responses.
func (p TypeAndSum) Append(dst []byte, g group.Group) []byte {
	w := wire.NewWriter(g, slices.Grow(dst, g.PointLen()+overhead+(4+2*len(p.ZR))*(group.ScalarLen+overhead)))
	w.Point(p.CT)
	w.Scalars(p.ZR)
	w.Scalars(p.ZV)
	w.Scalar(p.ZT)
	w.Scalar(p.ZB)
	w.Scalar(p.ZS)
	w.Scalar(p.C)
	return w.Done()
}

// DecodeTypeAndSum reads the proof of a transfer with the given number of
// inputs. ps decodes CT. Errors are *wire.DecodeError.
func DecodeTypeAndSum(ps *wire.Points, b []byte, inputs int) (*TypeAndSum, error) {
	r := wire.NewReader("type-and-sum proof", ps, b)
	var p struct {
		TypeAndSum
		room [4]group.Scalar // for the responses of two inputs
	}
	r.Point("CT", &p.CT)
	p.ZR = r.Scalars("z_r", p.room[:2:2], inputs)
	p.ZV = r.Scalars("z_v", p.room[2:], inputs)
	p.ZT, p.ZB = r.Scalar("z_t"), r.Scalar("z_b")
	p.ZS, p.C = r.Scalar("z_s"), r.Scalar("c")
	return &p.TypeAndSum, r.Done()
}

// Append appends Math(z_t, z_b, c, CT).
func (p SameType) Append(dst []byte, g group.Group) []byte {
	w := wire.NewWriter(g, slices.Grow(dst, g.PointLen()+overhead+3*(group.ScalarLen+overhead)))
	w.Scalar(p.ZT)
	w.Scalar(p.ZB)
	w.Scalar(p.C)
	w.Point(p.CT)
	return w.Done()
}

// DecodeSameType reads the proof of an issue. ps decodes CT. Errors are
// *wire.DecodeError.
func DecodeSameType(ps *wire.Points, b []byte) (*SameType, error) {
	r := wire.NewReader("same-type proof", ps, b)
	p := &SameType{ZT: r.Scalar("z_t"), ZB: r.Scalar("z_b"), C: r.Scalar("c")}
	r.Point("CT", &p.CT)
	return p, r.Done()
}

// overhead is at least the length of an encoded Element without its raw bytes.
const overhead = 16

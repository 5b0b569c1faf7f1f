package lead254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// bitTable holds, for each byte of a value, the sum that each of its 256 values
// chooses: at [256·byte + value].
type bitTable struct {
	bits    int
	entries []affine
}

func (t *bitTable) Len() int   { return t.bits }
func (t *bitTable) Bytes() int { return len(t.entries) * affineBytes }

// NewBitTable adds to the sum without the lowest set bit the difference that
// this bit makes.
func (n *native) NewBitTable(one, zero []group.Point) group.BitTable {
	bytes := (len(one) + 7) / 8
	sums := make([]jacobian, 256*bytes)
	for b := range bytes {
		low, high := 8*b, min(8*b+8, len(one))
		sums[256*b].FromAffine(&affine{})
		for i := low; i < high; i++ {
			sums[256*b].AddMixed(point(&zero[i]))
		}
		for i := low; i < high; i++ {
			diff := n.SubPoints(one[i], zero[i])
			set := 1 << (i - low)
			for v := range set {
				sums[256*b+set+v].Set(&sums[256*b+v])
				sums[256*b+set+v].AddMixed(point(&diff))
			}
		}
	}
	return &bitTable{bits: len(one), entries: curve.BatchJacobianToAffineG1(sums)}
}

// SumBits adds one entry for each byte.
func (n *native) SumBits(t group.BitTable, v uint64) group.Point {
	tab := t.(*bitTable)
	var j jacobian
	j.FromAffine(&affine{})
	for b := 0; 256*b < len(tab.entries); b++ {
		j.AddMixed(&tab.entries[256*b+int(byte(v>>(8*b)))])
	}
	return wrapJacobian(&j)
}

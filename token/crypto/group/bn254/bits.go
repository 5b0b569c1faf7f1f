package bn254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// bitTable holds, for each byte of the number and each of its values, the sum
// of the points chosen by the eight bits.
type bitTable struct {
	len   int
	bytes [][256]curve.G1Affine
}

func (t *bitTable) Len() int   { return t.len }
func (t *bitTable) Bytes() int { return len(t.bytes) * 256 * pointBytes }

// NewBitTable prepares the choice between one[i] and zero[i].
func (g *Group) NewBitTable(one, zero []group.Point) group.BitTable {
	t := &bitTable{len: len(one), bytes: make([][256]curve.G1Affine, (len(one)+7)/8)}
	for b := range t.bytes {
		end := min(8*b+8, len(one))
		sums := []group.Point{{}}
		for i := 8 * b; i < end; i++ {
			next := make([]group.Point, 2*len(sums))
			for v, p := range sums {
				next[v] = g.AddPoints(p, zero[i])
				next[v+len(sums)] = g.AddPoints(p, one[i])
			}
			sums = next
		}
		for v := range t.bytes[b] {
			t.bytes[b][v] = affine(&sums[v%len(sums)]) // bits beyond the last do not count
		}
	}
	return t
}

// SumBits returns Σ (one[i] if bit i of v is set, otherwise zero[i]).
func (g *Group) SumBits(t group.BitTable, v uint64) group.Point {
	var sum curve.G1Jac
	table := t.(*bitTable)
	for b := range table.bytes {
		sum.AddMixed(&table.bytes[b][byte(v>>(8*b))])
	}
	return normal(&sum)
}

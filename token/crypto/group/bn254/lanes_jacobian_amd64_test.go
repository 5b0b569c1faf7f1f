//go:build !purego

package bn254 // multiply is private: checks of subgroups multiply by one number alone

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLaneMultiples compares chains of doublings and additions in lanes with
// gnark-crypto, and finds multiples that differ and exceptions.
func TestLaneMultiples(t *testing.T) {
	needLanes(t)
	random := rand.New(rand.NewPCG(11, 12))
	ps := hashed(20)
	for _, k := range []uint64{1, 2, 3, 5, 8, 1<<63 | 1, 1<<64 - 1, random.Uint64(), random.Uint64()} {
		for _, n := range []int{1, 7, 8, 9, len(ps)} {
			ws := newForTest().take()
			in := ws.in.points.(*lanePoints)
			j, b := in.scratch.jacobian(0), in.scratch.jacobian(1).lanePoints
			refs, want, same := make([]uint32, n), make([]bool, n), make([]bool, n)
			for i := range n {
				refs[i] = uint32(i)<<1 | uint32(i&1)
				p := ps[i]
				if i&1 == 1 {
					p.Neg(&p)
				}
				p = multiple(p, new(big.Int).SetUint64(k))
				want[i] = i%5 != 3
				switch {
				case i%10 == 3:
					p.Neg(&p)
				case i%10 == 8:
					p = ps[i]
					p.Y.Double(&p.Y)
				}
				in.load(i, p)
			}
			b.gather(0, entries{points: ps}, refs)
			j.multiply(k, b, n)
			j.equal(same, in)
			require.Equal(t, want, same, "%d times %d points", k, n)
			ws.put()
		}
	}
}

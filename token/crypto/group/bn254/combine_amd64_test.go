//go:build !purego

package bn254 // combineAll is private: no known scalars give windows that are equal or the identity

import (
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/stretchr/testify/require"
)

// TestWindowsCombinedTogether compares windows that are combined in lanes with
// the sums combined one by one: of more sums than fit at once, with the identity in
// any window, and with windows that are, at their place, the sum of those above
// or its opposite.
func TestWindowsCombinedTogether(t *testing.T) {
	needLanes(t)
	rnd := rand.New(rand.NewPCG(23, 24))
	ps := hashed(50)
	for _, n := range []int{1, 2, 7, 8, 9, maxRows, maxRows + 1, 2*maxRows + 3} {
		ws := newForTest().take()
		s := interleaved{ws: ws}
		grow(&ws.ends, n) // no terms, so no correction
		windows := make([]curve.G1Affine, n*strausWindows)
		for i := range windows {
			windows[i] = ps[rnd.IntN(len(ps))]
		}
		for r := range n {
			own, at := windows[r*strausWindows:(r+1)*strausWindows], rnd.IntN(strausWindows-1)
			switch r % 8 {
			case 1:
				own[at] = curve.G1Affine{}
			case 2:
				own[strausWindows-1] = curve.G1Affine{}
			case 3:
				clear(own)
			case 4, 5:
				above := s.combine(own[at+1:], 0)
				for range strausWidth {
					double(&above)
				}
				own[at].FromJacobian(&above)
				if r%8 == 5 {
					own[at].Neg(&own[at])
				}
			}
		}
		got := make([]curve.G1Jac, n)
		s.combineAll(ws.acc.points.(combiner), got, windows)
		for r := range got {
			want := s.combine(windows[r*strausWindows:(r+1)*strausWindows], r)
			require.Equal(t, affineOf(&want), affineOf(&got[r]), "sum %d of %d", r, n)
		}
		ws.put()
	}
}

package bn254

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestSumsOfNothingAfterOthers computes more sums than go together; the
// first or the last ones are without terms, or have only terms that are zero.
func TestSumsOfNothingAfterOthers(t *testing.T) {
	g := newForTest()
	p, s := g.HashToPoint([]byte("p")), g.Inv(g.Uint64(3))
	want := group.MulPoint(g, p, s)
	for _, nothing := range []group.Terms{{}, {Points: []group.Point{p}, Scalars: make([]group.Scalar, 1)}} {
		for _, first := range []int{0, 5, maxRows} {
			rows, sums := make([]group.Terms, maxRows+5), make([]group.Point, maxRows+5)
			for i := range rows {
				rows[i] = group.Terms{Points: []group.Point{p}, Scalars: []group.Scalar{s}}
				if i >= first && i < first+5 {
					rows[i] = nothing
				}
			}
			g.MSMs(sums, rows)
			for i := range sums {
				if i >= first && i < first+5 {
					require.True(t, group.IsIdentity(sums[i]), "sum %d", i)
					continue
				}
				require.True(t, g.Equal(want, sums[i]), "sum %d", i)
			}
		}
	}
}

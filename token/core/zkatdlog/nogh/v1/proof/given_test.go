package proof // witness is private: nonces of a proof are not in its bytes

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// repeating is a random source that repeats.
type repeating struct{}

func (repeating) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestNoncesOfGivenCommitments depend on the type of an issue, and on the commitments in their
// order.
func TestNoncesOfGivenCommitments(t *testing.T) {
	p, err := params.Setup(params.Config{Group: vectors.Curve(t, "BN254"), Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	g, m := p.Group(), Maker{Params: p, Random: repeating{}}
	for n := 1; n <= 3; n++ {
		var w witness
		w.begin(g, "EUR", 0, n)
		public, given := []byte("EUR"), []Given(nil)
		for i := range n {
			o := token.Opening{Type: "EUR", Value: g.Uint64(uint64(i)), Blinding: g.Uint64(uint64(7 + i))}
			point := g.AppendPoint(nil, token.Commit(p.Pedersen(), "EUR", uint64(i), o.Blinding))
			require.NoError(t, w.open(p, i, o))
			public, given = AppendPart(public, point), append(given, Given{Point: point, Opening: o})
		}
		require.NoError(t, w.commit(m, public, n))
		want, err := w.composed(m)
		require.NoError(t, err)
		got, err := m.ProveGiven(nil, given)
		require.NoError(t, err)
		require.Equal(t, want, got, "%d outputs", n)
	}
}

package robust_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/robust"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// oneByOne is the check of the degree by single multiplications: the first party with a
// point other than the interpolated one.
func oneByOne(ids []uint32, degree int, points []*secp.Point) (wrong uint32) {
	base := degree + 1
	for i := base; i < len(ids); i++ {
		sum := new(secp.Point)
		for k, lambda := range secp.Lambda(ids[:base], ids[i]) {
			sum = sum.Plus(points[k].Times(lambda))
		}
		if !sum.Equal(points[i]) {
			return ids[i]
		}
	}
	return 0
}

// TestChecksOfTheDegreeAgree compares the verdicts of the check by sums and of single
// multiplications: for honest points, one wrong point, and several.
func TestChecksOfTheDegreeAgree(t *testing.T) {
	for _, max := range []int{1, 2, 4} {
		ids := secp.IDs(2*max + 1)
		p, err := secp.NewPolynomial(random(t, "degree", uint32(max)), max, false)
		require.NoError(t, err)
		for pattern := range 1 << min(len(ids), 6) {
			points := make([]*secp.Point, len(ids))
			for i, id := range ids {
				points[i] = secp.Base(p.At(id))
				if pattern>>i&1 == 1 {
					points[i] = points[i].Plus(secp.Base(secp.Int(id)))
				}
			}
			want := oneByOne(ids, max, points)
			err := robust.CheckDegree(robust.Config{MaxMalicious: max, IDs: ids}, points)
			if want == 0 {
				require.NoError(t, err)
				continue
			}
			fault := new(engine.Fault)
			require.ErrorAs(t, err, &fault)
			require.ErrorIs(t, err, robust.ErrDegree)
			require.Equal(t, want, fault.From)
		}
	}
}

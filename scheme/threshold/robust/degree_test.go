package robust_test

import (
	"io"
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

// recording keeps the bytes that are read.
type recording struct {
	io.Reader
	read []byte
}

func (r *recording) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.read = append(r.read, b[:n]...)
	return n, err
}

// TestWeightsOfTheDegree: the check of 300 points together draws 16 bytes for each,
// which are its weights: 300 of them are distinct and the largest has more than 120
// bits. Errors that cancel under these weights, which are unknown before, are the
// only ones that it accepts.
func TestWeightsOfTheDegree(t *testing.T) {
	const malicious, checked = 1, 300
	ids := secp.IDs(malicious + 1 + checked)
	c := robust.Config{MaxMalicious: malicious, IDs: ids, Batched: true}
	points := make([]*secp.Point, len(ids)) // of the constant polynomial 1
	for i := range points {
		points[i] = secp.Base(secp.Int(1))
	}
	drawn := &recording{Reader: random(t, "weights", 1)}
	require.NoError(t, robust.CheckDegree(c, drawn, points))
	require.Len(t, drawn.read, 16*checked)
	weights, seen, largest := make([]*secp.Scalar, checked), map[string]bool{}, byte(0)
	for i := range weights {
		raw := drawn.read[16*i:][:16]
		seen[string(raw)], largest = true, max(largest, raw[0])
		weights[i] = secp.Reduce(raw)
	}
	require.Len(t, seen, checked)
	require.NotZero(t, largest)

	shift := func(i int, by *secp.Scalar) { points[malicious+1+i] = points[malicious+1+i].Plus(secp.Base(by)) }
	for i := range checked - 1 { // ρᵢ·(…) + ρᵢ₊₁·(…) = 0
		shift(i, weights[i+1])
		shift(i+1, secp.Sub(new(secp.Scalar), weights[i]))
	}
	require.NoError(t, robust.CheckDegree(c, random(t, "weights", 1), points), "the same weights")
	require.ErrorIs(t, robust.CheckDegree(c, random(t, "weights", 2), points), robust.ErrDegree, "other weights")
}

// TestChecksOfTheDegreeAgree compares the verdicts of the check by sums, of the check of
// all equations together, and of single multiplications: for honest points, one wrong
// point, and several.
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
			for _, batched := range []bool{false, true} {
				c := robust.Config{MaxMalicious: max, IDs: ids, Batched: batched}
				err := robust.CheckDegree(c, random(t, "weights", 1), points)
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
}

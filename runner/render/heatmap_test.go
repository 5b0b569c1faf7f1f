package render_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/render"
)

// TestCloseLatenciesAreToldApart: percentiles of latencies that differ by 10 µs at 56 ms differ.
func TestCloseLatenciesAreToldApart(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 1))
	r := simulated(t, runner.Config{Workers: 1, Ops: 10_000}, func(int) time.Duration {
		return time.Duration(56e6 + 10e3*random.NormFloat64())
	})
	shown := regexp.MustCompile(`(?m)^ +(P50|P95|P99|Max) +(\S+ \S+) `).
		FindAllStringSubmatch(text(t, r, render.Options{Width: 100}), -1)
	require.Len(t, shown, 4)
	for i := range shown[1:] {
		require.NotEqual(t, shown[i][2], shown[i+1][2], "%v", shown)
	}
}

// TestRowsOfAnyShape draws latencies of many shapes, scales and counts: the heatmap has 12 to
// 24 rows and one for each tail, which hold all latencies, also over time.
func TestRowsOfAnyShape(t *testing.T) {
	shapes := []func(*rand.Rand, float64) float64{
		func(r *rand.Rand, cv float64) float64 { return 1 + cv*r.NormFloat64() },
		func(r *rand.Rand, cv float64) float64 { return 1 + cv*r.Float64() },
		func(r *rand.Rand, cv float64) float64 { return math.Exp(10 * cv * r.NormFloat64()) },
		func(r *rand.Rand, cv float64) float64 { return 1 + cv*r.ExpFloat64() },
		func(r *rand.Rand, cv float64) float64 { return 1 + cv*float64(r.IntN(2)) },
		func(r *rand.Rand, cv float64) float64 { return math.Pow(1-r.Float64(), -2*cv) },
		func(*rand.Rand, float64) float64 { return 1 },
	}
	seeds := []uint64{2621, 2916, 4604} // the first latencies are close, or the rows narrow
	for seed := range uint64(nightly.Pick(80, 600, 5000)) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 20))
		shape, cv := shapes[random.IntN(len(shapes))], math.Pow(10, -5*random.Float64())
		scale, ops := math.Pow(10, 2+8*random.Float64()), int(math.Pow(10, 4*random.Float64()))
		drift := cv * random.Float64()
		r, err := runner.Replay(runner.Config{Workers: 1 + int(seed%3), Ops: int64(ops)},
			func(i int, _ time.Duration) time.Duration {
				return time.Duration(min(max(1, scale*(shape(random, cv)+drift*float64(i)/float64(ops))),
					1e13))
			})
		require.NoError(t, err)
		counts, columns := render.Rows(r)
		require.GreaterOrEqual(t, len(counts), 12, "seed %d", seed)
		require.LessOrEqual(t, len(counts), 24+2, "seed %d", seed)
		differs, all := 0.0, uint64(0)
		for k, n := range counts {
			all += n
			for _, column := range columns {
				n -= column[k]
			}
			differs += math.Abs(float64(int64(n)))
		}
		require.Equal(t, r.Records, all)
		require.LessOrEqual(t, differs, 2+0.12*float64(r.Records), "seed %d: %d", seed, counts)
	}
}

package render_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/render"
)

// TestHeatmapOfAnyOperation: every operation takes 12 to 24 rows, and one for each tail, with
// the count and the share of each.
func TestHeatmapOfAnyOperation(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 1))
	for name, draw := range map[string]func() float64{
		"168 of 55 to 59 ms": func() float64 { return 55.2e6 + 3.9e6*random.Float64() },
		"10 µs at 56 ms":     func() float64 { return 56e6 + 10e3*random.NormFloat64() },
		"exponential":        func() float64 { return 1e6 * random.ExpFloat64() },
		"lognormal":          func() float64 { return 1e6 * math.Exp(1.5*random.NormFloat64()) },
		"very wide":          func() float64 { return 1e6 * math.Exp(4*random.NormFloat64()) },
	} {
		t.Run(name, func(t *testing.T) {
			ops := int64(10_000)
			if strings.HasPrefix(name, "168") {
				ops = 168
			}
			r, err := runner.Replay(runner.Config{Workers: 1, Ops: ops},
				func(int, time.Duration) time.Duration { return time.Duration(max(1, draw())) })
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, render.Text(&b, r, render.Options{Width: 100}))
			_, picture, found := strings.Cut(b.String(), "Latency heatmap\n")
			require.True(t, found)
			picture, _, _ = strings.Cut(picture, "\n\n")
			lines := strings.Split(picture, "\n")
			full := 0
			for _, line := range lines {
				if strings.Contains(line, "%") {
					full++
				}
				require.LessOrEqual(t, len([]rune(line)), 100)
			}
			t.Log("\n" + picture)
			require.GreaterOrEqual(t, len(lines), 8)
			require.GreaterOrEqual(t, full, 8)
			require.LessOrEqual(t, len(lines), 26)
		})
	}
	r, err := runner.Replay(runner.Config{Workers: 1, Ops: 10_000}, func(int, time.Duration) time.Duration {
		return time.Duration(56e6 + 10e3*random.NormFloat64())
	})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, render.Text(&b, r, render.Options{Width: 100}))
	shown := map[string]string{}
	for _, line := range strings.Split(b.String(), "\n") {
		if f := strings.Fields(line); len(f) > 2 &&
			(f[0] == "P50" || f[0] == "P95" || f[0] == "P99" || f[0] == "Max") {
			shown[f[0]] = f[1]
		}
	}
	require.Len(t, shown, 4)
	require.NotEqual(t, shown["P50"], shown["P95"])
	require.NotEqual(t, shown["P95"], shown["P99"])
	require.NotEqual(t, shown["P99"], shown["Max"])
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
	for seed := range uint64(nightly.Pick(200, 600, 5000)) {
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

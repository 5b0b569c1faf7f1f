package stats

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// whole compares text with a golden file, which RUNNER_UPDATE_GOLDEN=1 rewrites.
func whole(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "whole", name)
	if os.Getenv("RUNNER_UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "RUNNER_UPDATE_GOLDEN=1 rewrites it")
}

// TestWholeStatistics computes every statistic of series of many lengths.
func TestWholeStatistics(t *testing.T) {
	var b bytes.Buffer
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 33, 60, 200} {
		var xs []float64
		var cs []Cluster
		var ws []Weighted
		var logs [][]float64
		for i := range n {
			x := 10 + 3*math.Sin(float64(i*i)) + float64(i%7)/5 + 4*math.Exp(-float64(i)/3)
			xs = append(xs, x)
			cs = append(cs, Cluster{N: float64(i % 5), Sum: float64(i%5) * x})
			ws = append(ws, Weighted{Value: 1000 / float64(i+1), N: float64(1 + i%3)})
		}
		logs = Grouped(xs, make([]float64, n))
		sorted := slices.Sorted(slices.Values(xs))
		fmt.Fprintf(&b, "----- %d: median %.6g average %.6g quantiles %.6g %.6g %.6g\n", n, Median(xs), Average(xs), Quantile(sorted, 0), Quantile(sorted, 0.5), Quantile(sorted, 1))
		i, ok := MedianInterval(xs)
		fmt.Fprintf(&b, "median in %.6g %.6g %v groups %d %.6g\n", i.Low, i.High, ok, len(logs), Medians(logs))
		mean, half := MeanOf(xs, 0.9)
		fmt.Fprintf(&b, "mean %.6g ± %.6g trend %.6g %.6g\n", mean, half, trend(xs), CorrelatedTrend(xs))
		cut, steady := Steady(xs)
		fmt.Fprintln(&b, "steady from", cut, steady, "start-up", StartUp(cs), "persists", Persists(cs))
		m, in, ok := Mean(cs, 0.95)
		memory := MemoryOf(cs, 5)
		fmt.Fprintf(&b, "mean of clusters %.6g in %.6g %.6g %v memory %.6g %d effective %.6g\n", m, in.Low, in.High, ok, memory.Inflation, memory.Freedom, memory.Effective(100, 0.95))
		fmt.Fprintf(&b, "tail %.6g %.6g skewness %.6g\n", TailIndex(ws, 3), TailIndex(ws, 10.5), Skewness(ws))
		first, last := xs[:(n+1)/2], xs[n/2:]
		d := DifferenceOf(first, last, 0.95)
		fmt.Fprintf(&b, "difference %.6g in %.6g %.6g P %.6g unequal %.6g\n", d.Value, d.Low, d.High, d.P, Unequal([][]float64{first, last}, [][]float64{last, first, xs}))
		for _, q := range []float64{0.1, 0.5, 0.99} {
			low, high, ok := Ranks(uint64(100*n), q, 0.95)
			fmt.Fprint(&b, "ranks ", q, " ", low, " ", high, " ", ok, "; ")
		}
		bounds := ShareBounds(float64(n)/3, float64(n), 0.95)
		fmt.Fprintf(&b, "share %.6g %.6g\n", bounds.Low, bounds.High)
		var ps []Point
		var counts []float64
		var line Line
		for i := range n {
			w := float64(i + 1)
			ps = append(ps, Point{Workers: w, Throughput: 100 * w / (1 + 0.05*(w-1) + 0.002*w*(w-1)) * (1 + 0.01*math.Sin(5*w)), Error: 0.01})
			counts = append(counts, 100*math.Exp(-math.Pow(float64(i%20)-8, 2)/6))
			line.Add(w, xs[i], 1+w/3)
		}
		slope, explained := line.Fit()
		var us, vs []float64
		for i := range n {
			us, vs = append(us, float64(i+1)), append(vs, 5*math.Pow(float64(i+1), 1.3)*(1+0.02*math.Cos(float64(3*i))))
		}
		law, err := FitPower(us, vs)
		fmt.Fprintf(&b, "power %.5g %v\n", law, err)
		fmt.Fprintf(&b, "line %.6g %.6g modes %v\n", slope, explained, Modes(counts))
		if n <= 60 {
			for _, f := range []func([]Point) (Scalability, error){FitUSL, FitAmdahl} {
				s, err := f(ps)
				fmt.Fprintf(&b, "scaling %.5g %.4g %.4g %.4g %.4g misfit %v %v", s.Lambda, s.Sigma, s.Kappa, s.Peak, s.Residual, s.Misfit, err)
				if s.Bounds != nil {
					fmt.Fprintf(&b, " in %.3g", *s.Bounds)
				}
				fmt.Fprintln(&b)
			}
		}
	}
	many := ShareBounds(30_000, 100_000, 0.95)
	fmt.Fprintf(&b, "share of many %.10g %.10g\n", many.Low, many.High)
	whole(t, "statistics.txt", b.Bytes())
}

package scale

import (
	"context"
	"math"

	"github.com/aclements/go-moremath/stats"

	"github.com/zkatbench/zkatbench/runner"
)

// Repeat runs op n times with c. Each run after the first has other seeds, which
// follow from those of c: with equal arrivals the spread between runs would be
// that of the machine alone. If ctx is cancelled, the current run ends early and
// the remaining runs are skipped.
func Repeat(ctx context.Context, c runner.Config, op runner.Operation, n int) (rs []*runner.Result, err error) {
	for i := range n {
		r, err := runner.Run(ctx, nth(c, i), op)
		if err != nil {
			return rs, err
		}
		rs = append(rs, r)
		if r.Interrupted {
			break
		}
	}
	return rs, nil
}

// nth returns the configuration of the i-th run.
func nth(c runner.Config, i int) runner.Config {
	if i == 0 {
		return c
	}
	c.Seed = split(c.Seed, i)
	if c.Plan != nil {
		p := *c.Plan
		p.Seed = split(p.Seed, i)
		c.Plan = &p
	}
	return c
}

// split derives the i-th seed from a seed, as SplitMix64 does (Steele, Lea, Flood,
// OOPSLA 2014).
func split(seed uint64, i int) uint64 {
	z := seed + uint64(i)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return (z ^ z>>31) >> 1
}

// Spread is the variation of a figure from run to run.
type Spread struct {
	N                   int
	Mean, Low, High     float64 // smallest and largest value
	StdDev, HalfWidth95 float64 // HalfWidth95 is of the mean, by Student's t; 0 for one run
}

// Between returns the spread of a figure, such as (*runner.Result).Throughput,
// over runs.
func Between(rs []*runner.Result, figure func(*runner.Result) float64) (s Spread) {
	s.N, s.Low, s.High = len(rs), math.Inf(1), math.Inf(-1)
	if s.N == 0 {
		return Spread{}
	}
	var sample stats.Sample
	for _, r := range rs {
		v := figure(r)
		sample.Xs = append(sample.Xs, v)
		s.Low, s.High = min(s.Low, v), max(s.High, v)
	}
	s.Mean = sample.Mean()
	if s.N > 1 {
		s.StdDev = sample.StdDev()
		t := stats.InvCDF(stats.TDist{V: float64(s.N - 1)})(0.975)
		s.HalfWidth95 = t * s.StdDev / math.Sqrt(float64(s.N))
	}
	return s
}

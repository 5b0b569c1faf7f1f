package study

import (
	"fmt"
	"math"
	"time"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/scheme/threshold/network"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// path is a line of a picture: a scheme with the phases until a signature.
type path struct {
	name  string
	cases []string
}

// paths returns the lines of schemes with all their phases measured. If prepared is
// set, triples and presignatures exist already.
func (ps Phases) paths(prepared bool) (all []path) {
	for _, s := range suite.Sequences() {
		p := path{s.Name, s.Cases()}
		if prepared && s.Extra {
			continue // signing is that of the other form
		}
		if prepared {
			p.cases = []string{s.Sign}
		}
		if _, ok := ps.finish(p.cases, Net{}); ok {
			all = append(all, p)
		}
	}
	return all
}

// variable is a property of the network that a picture varies.
type variable struct {
	axis   chart.Axis
	values []float64
	set    func(n *Net, v float64)
}

// The variables: latencies of 0 to 200 ms, and bandwidths of 10 kbit/s to
// 10 Gbit/s.
var (
	overLatency = variable{
		axis:   chart.Axis{Name: "latency", Label: chart.Seconds},
		values: append([]float64{0, 0.001, 0.002, 0.005}, steps(20, func(i int) float64 { return 0.01 * float64(i+1) })...),
		set:    func(n *Net, v float64) { n.Latency = duration(v) },
	}
	overBandwidth = variable{
		axis:   chart.Axis{Name: "bandwidth", Log: true, Label: chart.BitRate},
		values: steps(13, func(i int) float64 { return math.Pow(10, 4+float64(i)/2) }),
		set:    func(n *Net, v float64) { n.Bandwidth = v },
	}
)

func steps(n int, at func(i int) float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = at(i)
	}
	return values
}

func duration(seconds float64) time.Duration {
	return time.Duration(math.Round(seconds * float64(time.Second)))
}

// Pictures returns the time to a signature over the latency and over the bandwidth
// of a network, with and without triples and presignatures that exist already. The
// crossings of schemes are marked. With jitter, lines are medians of the draws, and
// bands go from the 5 % to the 95 % quantile. Steps of the real party take as long
// as in the sample with the median replay.
func (ps Phases) Pictures(maxMalicious int, n Net, draws int) (charts []chart.Chart) {
	for _, prepared := range []bool{false, true} {
		for _, v := range []variable{overLatency, overBandwidth} {
			title := fmt.Sprintf("Time to a signature over %s, f = %d, all phases", v.axis.Name, maxMalicious)
			if prepared {
				title = fmt.Sprintf("Time to a signature over %s, f = %d, presignatures exist", v.axis.Name, maxMalicious)
			}
			c := ps.picture(ps.paths(prepared), v, n, draws)
			c.Title = title
			charts = append(charts, c)
		}
	}
	return charts
}

func (ps Phases) picture(paths []path, v variable, n Net, draws int) chart.Chart {
	c := chart.Chart{X: v.axis, Y: chart.Axis{Name: "time to a signature", Log: true, Label: chart.Seconds}}
	for _, p := range paths {
		s := chart.Series{Name: p.name}
		for _, x := range v.values {
			v.set(&n, x)
			s.Points = append(s.Points, ps.point(p, n, x, draws))
		}
		c.Series = append(c.Series, s)
	}
	for i := range paths {
		for k := i + 1; k < len(paths); k++ {
			c.Marks = append(c.Marks, ps.crossings(&c, i, k, func(series int, x float64) float64 {
				v.set(&n, x)
				return ps.point(paths[series], n, x, draws).Y
			})...)
		}
	}
	if len(c.Marks) == 0 {
		c.Note = "No two schemes cross in this range."
	}
	return c
}

// point is the time of a path on a network.
func (ps Phases) point(p path, n Net, x float64, draws int) chart.Point {
	if n.Jitter.Shape != "" {
		times, _ := ps.draws(p.cases, n, draws)
		return chart.Point{
			X: x, Y: quantile(times, 0.5).Seconds(), Low: quantile(times, 0.05).Seconds(), High: quantile(times, 0.95).Seconds(), Bounded: true,
		}
	}
	n.Jitter = network.Jitter{}
	times, _ := ps.draws(p.cases, n, 1)
	return chart.Point{X: x, Y: times[0].Seconds()}
}

// bisections is the number of times that a step of the picture is halved, enough
// for a crossing with three exact digits.
const bisections = 20

// distinct is the least relative difference of two lines that counts. Lines that
// are closer on one side of a crossing are equal within the noise of the replays.
const distinct = 0.05

// crossings marks the places where two lines change their order.
func (ps Phases) crossings(c *chart.Chart, a, b int, at func(series int, x float64) float64) (marks []chart.Mark) {
	one, two := c.Series[a], c.Series[b]
	for i := 1; i < len(one.Points); i++ {
		before, after := one.Points[i-1].Y-two.Points[i-1].Y, one.Points[i].Y-two.Points[i].Y
		if before*after >= 0 || gap(one.Points[:i], two.Points[:i]) < distinct || gap(one.Points[i:], two.Points[i:]) < distinct {
			continue
		}
		low, high := one.Points[i-1].X, one.Points[i].X
		for range bisections {
			middle := (low + high) / 2
			if (at(a, middle)-at(b, middle))*before > 0 {
				low = middle
			} else {
				high = middle
			}
		}
		faster, slower := one, two
		if before > 0 {
			faster, slower = two, one
		}
		marks = append(marks, chart.Mark{X: low, Y: at(a, low), Text: fmt.Sprintf("%s is faster than %s up to %s, slower above", faster.Name, slower.Name, c.X.Label(low))})
	}
	return marks
}

// gap is the greatest relative difference of two lines.
func gap(one, two []chart.Point) (most float64) {
	for i := range one {
		low, high := min(one[i].Y, two[i].Y), max(one[i].Y, two[i].Y)
		if low > 0 {
			most = max(most, high/low-1)
		}
	}
	return most
}

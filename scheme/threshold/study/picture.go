package study

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/runner/stats"
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
		if prepared {
			p.cases = []string{s.Sign}
		}
		if !slices.ContainsFunc(p.cases, func(name string) bool { return ps[name] == nil }) {
			all = append(all, p)
		}
	}
	return all
}

// variable is a property of the network that a picture varies.
type variable struct {
	axis   chart.Axis
	values []float64
	set    func(n *Network, v float64)
}

// variables are latencies of 0 to 200 ms, and bandwidths of 10 kbit/s to 10 Gbit/s.
func variables() []variable {
	latencies, bandwidths := []float64{0, 0.001, 0.002, 0.005}, []float64(nil)
	for i := range 20 {
		latencies = append(latencies, 0.01*float64(i+1))
	}
	for i := range 13 {
		bandwidths = append(bandwidths, math.Pow(10, 4+float64(i)/2))
	}
	return []variable{
		{chart.Axis{Name: "latency", Label: chart.Seconds}, latencies,
			func(n *Network, v float64) { n.Latency = time.Duration(math.Round(v * float64(time.Second))) }},
		{chart.Axis{Name: "bandwidth", Log: true, Label: chart.BitRate}, bandwidths,
			func(n *Network, v float64) { n.Bandwidth = v }},
	}
}

// Pictures returns the time to a signature over the latency and over the bandwidth
// of a network, with and without triples and presignatures that exist already. The
// crossings of schemes are marked. With jitter, lines are medians of the draws, and
// bands go from the 5 % to the 95 % quantile. Steps of the real party take as long
// as in the sample with the median replay.
func (ps Phases) Pictures(n Network, draws int) (charts []chart.Chart) {
	if len(ps) == 0 {
		return nil
	}
	for _, prepared := range []bool{false, true} {
		kind := "all phases"
		if prepared {
			kind = "presignatures exist"
		}
		for _, v := range variables() {
			c := ps.picture(ps.paths(prepared), v, n, draws)
			c.Title = fmt.Sprintf("Time to a signature over %s, f = %d, %s", v.axis.Name,
				ps.inOrder()[0].MaxMalicious, kind)
			charts = append(charts, c)
		}
	}
	return charts
}

// picture returns a chart of the paths over v, and marks each place where two of them cross.
func (ps Phases) picture(paths []path, v variable, n Network, draws int) chart.Chart {
	c := chart.Chart{X: v.axis, Y: chart.Axis{Name: "time to a signature", Log: true, Label: chart.Seconds}}
	at := func(p path, x float64) chart.Point {
		v.set(&n, x)
		return ps.point(p, n, x, draws)
	}
	for i, p := range paths {
		s := chart.Series{Name: p.name, Ink: i}
		for _, x := range v.values {
			s.Points = append(s.Points, at(p, x))
		}
		c.Series = append(c.Series, s)
	}
	for i := range paths {
		for k := range i {
			difference := func(x float64) float64 { return at(paths[k], x).Y - at(paths[i], x).Y }
			for _, x := range crossings(c.Series[k].Points, c.Series[i].Points, difference) {
				faster, slower := paths[k].name, paths[i].name
				if x.falls {
					faster, slower = slower, faster
				}
				c.Marks = append(c.Marks, chart.Mark{X: x.at, Y: at(paths[k], x.at).Y,
					Text: fmt.Sprintf("%s is faster than %s up to %s, slower above", faster, slower,
						v.axis.Label(x.at))})
			}
		}
	}
	if len(c.Marks) == 0 {
		c.Note = "No two schemes cross in this range."
	}
	return c
}

// point is the time of a path on a network.
func (ps Phases) point(p path, n Network, x float64, draws int) chart.Point {
	jitter := n.Jitter.Shape != ""
	if !jitter {
		draws = 1
	}
	times, _ := ps.draws(p.cases, n, draws)
	at := func(q float64) float64 { return stats.Quantile(times, q).Seconds() }
	return chart.Point{X: x, Y: at(0.5), Low: at(0.05), High: at(0.95), Bounded: jitter}
}

// bisections is the number of times that a step of the picture is halved, enough
// for a crossing with three exact digits.
const bisections = 20

// distinct is the least relative difference of two lines that counts. Lines that
// are closer on one side of a crossing are equal within the noise of the replays.
const distinct = 0.05

// crossing is a place where two lines change their order: falls says that the first
// line is below the second one from there on.
type crossing struct {
	at    float64
	falls bool
}

func crossings(one, two []chart.Point, difference func(x float64) float64) (places []crossing) {
	for i := 1; i < len(one); i++ {
		before, after := one[i-1].Y-two[i-1].Y, one[i].Y-two[i].Y
		if before*after >= 0 || gap(one[:i], two[:i]) < distinct || gap(one[i:], two[i:]) < distinct {
			continue
		}
		low, high := one[i-1].X, one[i].X
		for range bisections {
			if middle := (low + high) / 2; difference(middle)*before > 0 {
				low = middle
			} else {
				high = middle
			}
		}
		places = append(places, crossing{low, before > 0})
	}
	return places
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

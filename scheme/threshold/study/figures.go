package study

import (
	"math"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/scheme/threshold/network"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// confidence is that of all intervals.
const confidence = 0.95

// Figure is the median of samples with its 95 % interval from order statistics,
// which needs six samples.
type Figure struct {
	Mid      float64
	Interval stats.Interval
	Bounded  bool // there is an interval
}

// figureOf returns the figure of values. The figure of an empty list is 0.
func figureOf(values []float64) Figure {
	if len(values) == 0 {
		return Figure{}
	}
	f := Figure{Mid: stats.Median(values)}
	var low, high uint64
	if low, high, f.Bounded = stats.Ranks(uint64(len(values)), 0.5, confidence); f.Bounded {
		sorted := slices.Sorted(slices.Values(values))
		f.Interval = stats.Interval{Low: sorted[low-1], High: sorted[high-1]}
	}
	return f
}

// each returns the figure of a value of each sample.
func (p *Phase) each(value func(Sample) float64) Figure {
	values := make([]float64, len(p.Samples))
	for i, s := range p.Samples {
		values[i] = value(s)
	}
	return figureOf(values)
}

// replay is the time of a replayed party in seconds; of several real parties, it is
// their mean.
func (p *Phase) replay() Figure {
	return p.each(func(s Sample) float64 { return s.replay().Seconds() })
}

// naive is the time of all parties together in seconds.
func (p *Phase) naive() Figure {
	return p.each(func(s Sample) float64 { return s.Naive.Seconds() })
}

// Ratio is naive ÷ (N × replay), where both times of a sample were measured one
// right after the other.
func (p *Phase) Ratio() Figure {
	return p.each(func(s Sample) float64 { return s.Naive.Seconds() / (float64(p.Parties()) * s.replay().Seconds()) })
}

// replay is the mean time of the real parties.
func (s Sample) replay() time.Duration {
	var sum time.Duration
	for _, took := range s.Took {
		for _, d := range took {
			sum += d
		}
	}
	return sum / time.Duration(max(1, len(s.Took)))
}

// real is the first real party, 0 before a measurement.
func (p *Phase) real() uint32 {
	if len(p.Real) == 0 {
		return 0
	}
	return p.Real[0]
}

// Net is a network and the time of simulated peers in it.
type Net struct {
	network.Network
	Peers network.Peers
}

// finish is the time of a sample until the first real party has its output.
func (p *Phase) finish(n Net, s Sample) time.Duration {
	return s.Model.Finish(n.Network, p.real(), n.Peers.Steps(p.real(), s.Took[p.real()], s.Recorded))
}

// Finish is the median time until the first real party has its output.
func (p *Phase) Finish(n Net) time.Duration {
	return p.middle(func(s Sample) time.Duration { return p.finish(n, s) })
}

// InRounds is the median of rounds × latency + the time of the first real party.
func (p *Phase) InRounds(n Net) time.Duration {
	return p.middle(func(s Sample) time.Duration { return s.Model.InRounds(n.Network, s.Took[p.real()]) })
}

// middle returns the median of a duration of each sample, 0 without samples.
func (p *Phase) middle(value func(Sample) time.Duration) time.Duration {
	if len(p.Samples) == 0 {
		return 0
	}
	values := make([]time.Duration, len(p.Samples))
	for i, s := range p.Samples {
		values[i] = value(s)
	}
	return stats.Median(values)
}

// roundFigures are the figures of one round of the first real party.
type roundFigures struct {
	Took  time.Duration // median
	Share float64       // of the sum of all medians, 0 … 1
	// Received are the bytes at the beginning of the round. Least, Mean and Most
	// summarise the bytes of all parties.
	Received, Least, Most int
	Mean                  float64
}

// byRounds returns the figures of each round.
func (p *Phase) byRounds() []roundFigures {
	rounds := make([]roundFigures, p.Rounds+1)
	var all time.Duration
	for i := range rounds {
		rounds[i].Took = p.middle(func(s Sample) time.Duration {
			return network.Zero.Steps(p.real(), s.Took[p.real()], nil)(p.real(), i+1)
		})
		all += rounds[i].Took
		rounds[i].receive(p.ByRound, i-1, int(p.real())-1)
	}
	for i := range rounds {
		rounds[i].Share = float64(rounds[i].Took) / float64(max(1, all))
	}
	return rounds
}

// receive sets the bytes of the messages of a round, from index 0; real is the
// position of the real party.
func (r *roundFigures) receive(byParty [][]int, round, real int) {
	for i, byRound := range byParty {
		bytes := 0
		if round >= 0 && round < len(byRound) {
			bytes = byRound[round]
		}
		if i == 0 {
			r.Least = bytes
		}
		if i == real {
			r.Received = bytes
		}
		r.Least, r.Most = min(r.Least, bytes), max(r.Most, bytes)
		r.Mean += float64(bytes) / float64(len(byParty))
	}
}

// sizeFigures compare the received bytes with the specification.
type sizeFigures struct {
	suite.Size         // expected for one recording
	Mean       float64 // over all seeds
	// Deviation is that of the mean from the expected one, in standard deviations of
	// the mean. It is infinite if the size is not random and differs, and not a number
	// without a specification.
	Deviation float64
}

// maxDeviation is the greatest deviation that chance explains, in standard
// deviations.
const maxDeviation = 4

// AsSpecified reports whether chance explains the deviation. It does without a
// specification.
func (f sizeFigures) AsSpecified() bool { return !(math.Abs(f.Deviation) >= maxDeviation) }

// sizes returns the comparison of the received bytes.
func (p *Phase) sizes() sizeFigures {
	f := sizeFigures{Size: p.Expected()}
	for _, byParty := range p.Bytes {
		f.Mean += p.Received(byParty) / float64(len(p.Bytes))
	}
	difference := f.Mean - f.Size.Mean
	switch {
	case math.IsNaN(difference):
		f.Deviation = difference
	case math.Abs(difference) < 1e-6:
	case f.StdDev == 0:
		f.Deviation = math.Inf(int(math.Copysign(1, difference)))
	default:
		f.Deviation = difference / f.StdDev * math.Sqrt(float64(len(p.Bytes)))
	}
	return f
}

// spread returns the received bytes of the parties of the last recording: the
// smallest, the mean and the greatest.
func (p *Phase) spread() (least int, mean float64, most int) {
	if len(p.Bytes) == 0 {
		return 0, 0, 0
	}
	last := p.Bytes[len(p.Bytes)-1]
	for _, b := range last {
		mean += float64(b) / float64(len(last))
	}
	return slices.Min(last), mean, slices.Max(last)
}

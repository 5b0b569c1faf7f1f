package capacity

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// swingBy is the part of the rate by which it is higher and lower in turns.
const swingBy = 0.5

// swing is the mean time between changes of a rate of a Markov-modulated Poisson
// process with two equally likely rates 1 ± swingBy, whose count has the index of
// dispersion in the limit (Fischer and Meier-Hellstern, Performance Evaluation 18,
// 1993). A part of the requests, by chance, has the same swing.
func swing(rate, dispersion float64) float64 { return (dispersion - 1) / (swingBy * swingBy * rate) }

// arrivals are the times of the requests.
type arrivals struct {
	*rand.Rand
	queue
	now, until float64 // until is the time of the next change of the rate
	factor     float64
	left       int // of the block that arrives now
	gap        int // index of the next measured gap
}

func (q queue) arrivals(random *rand.Rand) *arrivals {
	a := &arrivals{Rand: random, queue: q, factor: 1}
	if q.swing > 0 {
		a.factor = 1 + swingBy
	}
	if len(q.gaps) > 0 {
		a.gap = random.IntN(len(q.gaps))
	}
	return a
}

func (a *arrivals) next() float64 {
	if a.left--; a.left > 0 {
		return a.now
	}
	a.left = a.block
	rate := a.rate / float64(a.block)
	for len(a.gaps) > 0 {
		a.now += a.gaps[a.gap] * a.part / rate
		if a.gap = (a.gap + 1) % len(a.gaps); a.Float64() < a.part {
			return a.now
		}
	}
	for {
		at := a.now + a.ExpFloat64()/(rate*a.factor)
		if a.swing == 0 || at <= a.until {
			a.now = at
			return at
		}
		a.now, a.until = a.until, a.until+a.swing*a.ExpFloat64()
		a.factor = 2 - a.factor
	}
}

// minArrivals is the least number of measured arrivals.
const minArrivals = 100

// readArrivals reads times of arrivals in seconds, one a line in ascending order, and
// returns the times between them, scaled to the mean 1. An error is one line.
func readArrivals(name string) (gaps []float64, err error) {
	raw, err := outfile.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var times []float64
	for line := range strings.Lines(string(raw)) {
		typed, n := strings.TrimSpace(line), len(times)
		at, err := number(typed, 0, 1e12)
		if err != nil || typed == "" {
			return nil, fmt.Errorf("line %d, %.20q, is not a number of seconds of at least 0", n+1, typed)
		}
		if n > 0 && at < times[n-1] {
			return nil, fmt.Errorf("line %d, %s, is earlier than the line before", n+1, typed)
		}
		times = append(times, at)
	}
	if n := len(times); n < minArrivals || times[0] == times[n-1] {
		return nil, fmt.Errorf("it has %d arrivals, and needs %d at different times", n, minArrivals)
	}
	span := times[len(times)-1] - times[0]
	for i, at := range times[1:] {
		gaps = append(gaps, (at-times[i])/span*float64(len(times)-1))
	}
	return gaps, nil
}

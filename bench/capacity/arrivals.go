package capacity

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// swingBy is the deviation of the rate, up and down in turns, relative to the rate.
const swingBy = 0.5

// swing is the mean time between changes of a rate of a Markov-modulated Poisson
// process with two equally likely rates 1 ± swingBy. The count of this process has the
// index of dispersion in the limit (Fischer and Meier-Hellstern, Performance Evaluation
// 18, 1993). A part of the requests, by chance, has the same swing.
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
	if q.part == 0 {
		q.part = 1
	}
	a := &arrivals{Rand: random, queue: q, factor: 1}
	if q.swing > 0 {
		a.factor = 1 + swingBy
	}
	if len(q.gaps) > 0 {
		a.gap = random.IntN(len(q.gaps))
	}
	return a
}

// next returns the time of the next request. A block is divided as requests are: each of its
// requests comes here by chance, and a block without such a request is passed over.
func (a *arrivals) next() float64 {
	a.left--
	for a.left <= 0 {
		a.advance()
		a.left = a.own()
	}
	return a.now
}

// own is the number of requests of an arrival that come here.
func (a *arrivals) own() (n int) {
	if a.block == 1 && len(a.gaps) == 0 {
		return 1 // the rate is already of these
	}
	for range a.block {
		if a.part >= 1 || a.Float64() < a.part {
			n++
		}
	}
	return n
}

// advance moves to the next arrival: of a request that comes here, or of a block or a measured
// request of all.
func (a *arrivals) advance() {
	rate := a.rate
	if a.block > 1 || len(a.gaps) > 0 {
		rate /= a.part * float64(a.block)
	}
	if len(a.gaps) > 0 {
		a.now += a.gaps[a.gap] / rate
		a.gap = (a.gap + 1) % len(a.gaps)
		return
	}
	for {
		at := a.now + a.ExpFloat64()/(rate*a.factor)
		if a.swing == 0 || at <= a.until {
			a.now = at
			return
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

package capacity

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// SpeedUp is the measured speed-up of several workers.
type SpeedUp struct {
	Gains []Gain `json:"gains"` // by number of workers; empty if it was not measured
	// Fit is the law that the gains follow; nil with fewer than four numbers of workers,
	// or if they do not follow a law.
	Fit *stats.Scalability `json:"fit,omitempty"`
}

// Gain is the work of several workers in units of one alone, with its interval over
// rounds.
type Gain struct {
	Workers  int            `json:"workers"`
	Gain     float64        `json:"gain"`
	Interval stats.Interval `json:"interval,omitzero"`

	rounds []float64
}

// gainSlice is the time of a round with one number of workers.
const gainSlice = 200 * time.Millisecond

// speedUpName is the benchmark of SpeedUp in results files.
const speedUpName = "CapacitySpeedUp"

// speedUpRound measures the first operation that clients wait for with growing numbers of
// workers, up to the processors of the machine, each for a slice of time, and returns the
// results in Go benchmark format: the processor time of an operation; 0 is unknown.
func speedUpRound(ctx context.Context, jobs []*job, slice time.Duration) (lines []string, err error) {
	i := slices.IndexFunc(jobs, func(j *job) bool { return j.waits })
	op := pool(jobs[max(i, 0)].in)
	counts := workerCounts(runtime.GOMAXPROCS(0))
	for _, n := range slices.Concat(counts, counts) { // twice, since some times are unknown
		r, err := runner.Run(ctx, runner.Config{Workers: n, Duration: slice, WarmUp: slice / 10}, op)
		if err != nil {
			return nil, err
		}
		if r.Interrupted {
			return nil, errors.Join(ctx.Err(), context.Cause(ctx))
		}
		lines = append(lines,
			fmt.Sprintf("Benchmark%s/workers=%d\t1\t%.0f cpu-ns/op", speedUpName, n, r.Usage.CPUPerOp))
	}
	return lines, nil
}

// workerCounts are up to eight numbers from 1 to n, with 1 and n.
func workerCounts(n int) (counts []int) {
	step := max(1, n/8)
	for k := 1; k < n; k += step {
		counts = append(counts, k)
	}
	return append(counts, n)
}

// SpeedUpOf is the speed-up in results, which may lack it, and the law that it follows.
// The work of N workers is N times the time of an operation alone over its time beside the
// others, in processor time.
func SpeedUpOf(d *result.Data) (u SpeedUp) {
	each := map[int][]float64{} // seconds, in the order of rounds
	for _, k := range d.Cases {
		var n int
		if _, err := fmt.Sscanf(k.Name, speedUpName+"/workers=%d", &n); err == nil {
			each[n] = d.Values[k][processorUnit]
		}
	}
	for n, times := range each {
		g := Gain{Workers: n}
		for i, time := range times[:min(len(times), len(each[1]))] {
			if alone := each[1][i]; alone > 0 && time > 0 { // both are known
				g.rounds = append(g.rounds, float64(n)*alone/time)
			}
		}
		if len(g.rounds) == 0 {
			continue
		}
		g.Gain = stats.Median(g.rounds)
		g.Interval, _ = stats.MedianInterval(g.rounds)
		u.Gains = append(u.Gains, g)
	}
	slices.SortFunc(u.Gains, func(a, b Gain) int { return a.Workers - b.Workers })
	var points []stats.Point
	for _, g := range u.Gains {
		points = append(points,
			stats.Point{Workers: float64(g.Workers), Throughput: g.Gain,
				Error: (g.Interval.High - g.Interval.Low) / 4 / g.Gain})
	}
	if law, err := stats.FitUSL(points); err == nil && !law.Misfit {
		u.Fit = &law
	}
	return u
}

// assumed are the shares of serial work that are assumed for more cores than were
// measured: the middle one, and the others for intervals.
var assumed = []scaling{{Sigma: 0.03}, {}, {Sigma: 0.01}, {Sigma: 0.02}, {Sigma: 0.04}, {Sigma: 0.05},
	{Sigma: 0.06}}

// scale returns the speed-up of nodes with this many cores, and equally likely ones:
// by the law, by the measured gain of as many cores, or assumed.
func (u SpeedUp) scale(cores int) (middle scaling, likely []scaling) {
	if u.Fit != nil {
		middle, b := scaling{u.Fit.Sigma, u.Fit.Kappa}, u.Fit.Bounds
		return middle, []scaling{middle, {b.Sigma.Low, b.Kappa.Low}, {b.Sigma.High, b.Kappa.High}}
	}
	for _, g := range u.Gains {
		if g.Workers < cores || cores == 1 {
			continue
		}
		contention := func(gain float64) scaling {
			n := float64(g.Workers)
			return scaling{Sigma: max(0, (n/gain-1)/(n-1))}
		}
		for _, gain := range g.rounds {
			likely = append(likely, contention(gain))
		}
		return contention(g.Gain), likely
	}
	return assumed[0], assumed
}

func (u SpeedUp) text(cores int) string {
	line, measured := "not measured", 1
	if n := len(u.Gains); n > 1 {
		last := u.Gains[n-1]
		measured = last.Workers
		line = fmt.Sprintf("%s on %s", text.Number(last.Gain), text.Plural(measured, "core"))
		if i := last.Interval; i != (stats.Interval{}) {
			line += fmt.Sprintf(" (%s to %s over rounds)", text.Number(i.Low), text.Number(i.High))
		}
	}
	if middle, likely := u.scale(cores); cores > measured {
		low, high := likely[len(likely)-1], likely[1]
		how := "by the law"
		if u.Fit == nil {
			how = "assumed"
		}
		line += fmt.Sprintf("; %s on %s (%s to %s), %s: σ = %s (%s to %s)",
			text.Number(middle.speedUp(cores)), text.Plural(cores, "core"),
			text.Number(low.speedUp(cores)), text.Number(high.speedUp(cores)), how, text.Number(middle.Sigma),
			text.Number(high.Sigma), text.Number(low.Sigma))
	}
	return "speed-up in processor time: " + line
}

package capacity

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/text"
)

// SpeedUp is the measured speed-up of several workers.
type SpeedUp struct {
	Gains []Gain `json:"gains"` // by number of workers; empty if it was not measured
	// Fit is the law that the gains follow; nil with fewer than four numbers of workers,
	// or if they follow none.
	Fit *stats.Scalability `json:"fit,omitempty"`

	each map[int][]float64 // processor time of an operation in seconds in each round; 0 is unknown
}

// Gain is the work of several workers in units of one alone, with its interval over
// rounds.
type Gain struct {
	Workers  int             `json:"workers"`
	Gain     float64         `json:"gain"`
	Interval *stats.Interval `json:"interval,omitempty"`

	rounds []float64
}

// gainSlice is the time of a round with one number of workers.
const gainSlice = 200 * time.Millisecond

// round measures the first operation that clients wait for with growing numbers of
// workers, up to the processors of the machine. The work of N workers is N times the
// time of an operation alone over its time beside the others, in processor time.
func (u *SpeedUp) round(ctx context.Context, jobs []*job) error {
	if u.each == nil {
		u.each = map[int][]float64{}
	}
	i := slices.IndexFunc(jobs, func(j *job) bool { return j.waits })
	op := pool(jobs[max(i, 0)].in)
	counts := workerCounts(runtime.GOMAXPROCS(0))
	for _, n := range slices.Concat(counts, counts) { // twice, since some times are unknown
		r, err := runner.Run(ctx, runner.Config{Workers: n, Duration: gainSlice, WarmUp: gainSlice / 10}, op)
		if err != nil {
			return err
		}
		if r.Interrupted {
			return errors.Join(ctx.Err(), context.Cause(ctx))
		}
		u.each[n] = append(u.each[n], 1e-9*r.Usage.CPUPerOp)
	}
	return nil
}

// workerCounts are up to eight numbers from 1 to n, with 1 and n.
func workerCounts(n int) (counts []int) {
	step := max(1, n/8)
	for k := 1; k < n; k += step {
		counts = append(counts, k)
	}
	return append(counts, n)
}

// fit computes the gains, and the law that they follow.
func (u *SpeedUp) fit() {
	var points []stats.Point
	for n := range u.each {
		g := Gain{Workers: n}
		for i, each := range u.each[n][:min(len(u.each[n]), len(u.each[1]))] {
			if alone := u.each[1][i]; alone > 0 && each > 0 { // both are known
				g.rounds = append(g.rounds, float64(n)*alone/each)
			}
		}
		if len(g.rounds) == 0 {
			continue
		}
		g.Gain, g.Interval = stats.Median(g.rounds), overRounds(g.rounds)
		u.Gains = append(u.Gains, g)
	}
	slices.SortFunc(u.Gains, func(a, b Gain) int { return a.Workers - b.Workers })
	for _, g := range u.Gains {
		p := stats.Point{Workers: float64(g.Workers), Throughput: g.Gain}
		if i := g.Interval; i != nil {
			p.Error = (i.High - i.Low) / 4 / g.Gain
		}
		points = append(points, p)
	}
	if law, err := stats.FitUSL(points); err == nil && !law.Misfit {
		u.Fit = &law
	}
}

// assumed are the shares of serial work that are assumed for more cores than were
// measured: the middle one, and the others for intervals.
var assumed = []Scale{{Sigma: 0.03}, {}, {Sigma: 0.01}, {Sigma: 0.02}, {Sigma: 0.04}, {Sigma: 0.05}, {Sigma: 0.06}}

// scale returns the speed-up of nodes with this many cores, and equally likely ones:
// by the law, by the measured gain of as many cores, or assumed.
func (u SpeedUp) scale(cores int) (middle Scale, likely []Scale) {
	if u.Fit != nil {
		middle, b := Scale{u.Fit.Sigma, u.Fit.Kappa}, u.Fit.Bounds
		return middle, []Scale{middle, {b.Sigma.Low, b.Kappa.Low}, {b.Sigma.High, b.Kappa.High}}
	}
	for _, g := range u.Gains {
		if g.Workers < cores || cores == 1 {
			continue
		}
		contention := func(gain float64) Scale { n := float64(g.Workers); return Scale{Sigma: max(0, (n/gain-1)/(n-1))} }
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
		if i := last.Interval; i != nil {
			line += fmt.Sprintf(" (%s to %s over rounds)", text.Number(i.Low), text.Number(i.High))
		}
	}
	if middle, likely := u.scale(cores); cores > measured {
		low, high := likely[len(likely)-1], likely[1]
		how := map[bool]string{true: "assumed", false: "by the law"}[u.Fit == nil]
		line += fmt.Sprintf("; %s on %d (%s to %s), %s: σ = %s (%s to %s)", text.Number(middle.speedUp(cores)), cores,
			text.Number(low.speedUp(cores)), text.Number(high.speedUp(cores)), how, text.Number(middle.Sigma), text.Number(high.Sigma), text.Number(low.Sigma))
	}
	return "speed-up in processor time: " + line
}

// speedUpName is the benchmark of SpeedUp in results files.
const speedUpName = "CapacitySpeedUp"

// Lines are the rounds in Go benchmark format.
func (u SpeedUp) Lines() (lines []string) {
	for _, g := range u.Gains {
		for _, each := range u.each[g.Workers] {
			lines = append(lines, fmt.Sprintf("Benchmark%s/workers=%d\t1\t%.0f cpu-ns/op", speedUpName, g.Workers, 1e9*each))
		}
	}
	return lines
}

// SpeedUpOf is the speed-up in results, which may lack it.
func SpeedUpOf(d *result.Data) (u SpeedUp) {
	u.each = map[int][]float64{}
	for _, k := range d.Cases {
		var n int
		if _, err := fmt.Sscanf(k.Name, speedUpName+"/workers=%d", &n); err == nil {
			u.each[n] = d.Values[k][processorUnit]
		}
	}
	u.fit()
	return u
}

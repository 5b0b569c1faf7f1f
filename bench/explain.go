package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/runner/cputime"
)

// Explain writes the counts of the operation in a case by phase, the time that unit predicts
// from them, the measured time, and reasons to doubt it. Without unit costs there is no
// prediction.
func (op Op) Explain(out io.Writer, c Case, unit *cost.Costs) error {
	phases, err := op.Count(c, true)
	if err != nil {
		return err
	}
	now, done := op.Clock(c)
	defer done()
	took, spread, err := op.timed(c, now)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s/%s\n", op.Name, c.Name())
	if unit == nil {
		fmt.Fprintf(out, "%smeasured %v\n", phases.Text(), took)
	} else if err := cost.WriteTree(out,
		cost.Operation{Name: op.Name, Counts: phases, Measured: took, Spread: spread}, unit); err != nil {
		return err
	}
	r, err := op.Examine(c, now)
	if err != nil {
		return err
	}
	for _, f := range r.Findings { // reasons to doubt the measured time
		fmt.Fprintln(out, "doubtful:", f)
	}
	_, err = fmt.Fprintf(out, "first use / steady state %.2f\n\n", r.Ratio())
	return err
}

// Clock returns a clock of processor time, which other programs do not affect,
// if one goroutine does all the work, and of wall time otherwise. done frees it.
func (op Op) Clock(c Case) (now func() time.Duration, done func()) {
	if op.Concurrent == nil || !op.Concurrent(c) {
		return cputime.Thread()
	}
	start := time.Now()
	return func() time.Duration { return time.Since(start) }, func() {}
}

const (
	timedEnvironments = 8  // number of environments in the cycle of timed
	timedRounds       = 16 // uses of each environment
)

// timed returns the median time of the operation without counting, after one
// checked operation, and the interquartile range of the times relative to the
// median.
func (op Op) timed(c Case, now func() time.Duration) (took time.Duration, spread float64, err error) {
	ins := make([]Instance, timedEnvironments)
	for i := range ins {
		ins[i], err = op.New(c, uint64(i))
		if err != nil {
			return 0, 0, err
		}
	}
	out, err := ins[0].Work()
	if err == nil {
		err = ins[0].Check(out)
	}
	times := make([]time.Duration, 0, timedEnvironments*timedRounds)
	for i := 0; i < cap(times) && err == nil; i++ {
		start := now()
		_, err = ins[i%timedEnvironments].Work()
		times = append(times, now()-start)
	}
	if err != nil {
		return 0, 0, err
	}
	slices.Sort(times)
	n := len(times)
	took = times[n/2]
	return took, float64(times[n*3/4]-times[n/4]) / float64(took), nil
}

// maxDepth is the number of levels of phases in results.
const maxDepth = 2

// WriteUnits writes the units of the counts of a subject in Go benchmark format.
func (s Subject) WriteUnits(out io.Writer) error {
	for _, u := range s.CountUnits(nil) {
		if _, err := fmt.Fprintf(out, "Unit %s assume=exact better=lower\n", u.Name); err != nil {
			return err
		}
	}
	return nil
}

// WriteCounts writes the counts of an operation of s in a case, without timing: a line of
// Go benchmark format for each phase.
func (s Subject) WriteCounts(out io.Writer, op Op, c Case) error {
	all, err := op.Count(c, false)
	if err != nil {
		return err
	}
	phases := all.Shallow(maxDepth)
	for _, phase := range slices.Sorted(maps.Keys(phases)) {
		fmt.Fprintf(out, "Benchmark%s/%s/phase=%s 1", op.Name, c.Name(), phase)
		for _, u := range s.CountUnits(phases[phase]) {
			fmt.Fprintf(out, " %d %s", u.Value, u.Name)
		}
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	return nil
}

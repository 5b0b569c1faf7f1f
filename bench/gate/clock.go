package gate

import (
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/bench/result"
)

// The units of the two clocks, as package result reads them. Results with
// cpuThreads have the processor time of several threads.
const (
	wallTime   = "sec/op"
	cpuTime    = "cpu-sec/op"
	cpuThreads = "cpu-threads"
)

// clocks are the units of a case that has wall time and processor time: one is
// judged, the other is shown beside it.
type clocks struct{ judged, beside string }

// clocksOf returns the clocks of a case. Processor time is judged if the
// operation stayed on one thread on both sides: other programs that take the
// processor away do not change it. The processor time of several threads is not
// the time that a user waits, so wall time is judged then, and if the rules say
// so. Both are empty if a side lacks one of the clocks.
func (r Rules) clocksOf(k result.Key, base, head *result.Data) clocks {
	has := func(unit string) bool { return len(base.Values[k][unit]) > 0 && len(head.Values[k][unit]) > 0 }
	several := len(base.Values[k][cpuThreads]) > 0 || len(head.Values[k][cpuThreads]) > 0
	switch {
	case !has(wallTime) || r.ignores(k, cpuTime):
		return clocks{}
	case !has(cpuTime) || several || r.Wall:
		return clocks{wallTime, cpuTime}
	}
	return clocks{cpuTime, wallTime}
}

// clockNotes says which clock was judged, and where the clocks disagree.
func clockNotes(r Report) (notes []string) {
	n, example := 0, Comparison{}
	for _, c := range r.Beside {
		if c.Unit == wallTime {
			n, example = n+1, c
		}
	}
	switch {
	case n == 1:
		notes = append(notes, fmt.Sprintf("processor time (%s) is judged for %s, which stays on one thread; wall time is shown with -all", cpuTime, example.Key.Name))
	case n > 1:
		notes = append(notes, fmt.Sprintf("processor time (%s) is judged for %d cases, which stay on one thread; wall time is shown with -all", cpuTime, n))
	}
	for _, b := range r.Beside {
		i := slices.IndexFunc(r.Comparisons, func(c Comparison) bool { return c.Key == b.Key && (c.Unit == wallTime || c.Unit == cpuTime) })
		if i < 0 {
			continue
		}
		if c := r.Comparisons[i]; c.Verdict != b.Verdict && c.Verdict != Unknown && b.Verdict != Unknown {
			notes = append(notes, fmt.Sprintf("the clocks disagree on %s: %s says %s (%s), %s says %s (%s)%s", c.Key.Name,
				clockName(c.Unit), c.Verdict, signed(c.Shift.Value), clockName(b.Unit), b.Verdict, signed(b.Shift.Value), disagreement(c, b)))
		}
	}
	return notes
}

func clockName(unit string) string {
	if unit == wallTime {
		return "wall time"
	}
	return "processor time"
}

// disagreement explains the likely cause.
func disagreement(judged, beside Comparison) string {
	wall, cpu := judged, beside
	if judged.Unit == cpuTime {
		wall, cpu = beside, judged
	}
	switch {
	case wall.Shift.Value > cpu.Shift.Value:
		return ": HEAD waits more, or other programs competed with it"
	case judged.Unit == wallTime:
		return ": HEAD does more work on more threads, or other programs competed with BASE"
	}
	return ": other programs competed with BASE"
}

// A result should take shortSeconds or shortIterations: shorter ones contain
// effects of their start.
const (
	shortSeconds    = 0.2
	shortIterations = 200
)

// shortNotes says which cases with noisy units have short results.
func shortNotes(base, head *result.Data, cs []Comparison) []string {
	var keys []result.Key
	for _, c := range cs {
		if c.Rule.Kind == Noisy && !slices.Contains(keys, c.Key) && (short(base, c.Key) || short(head, c.Key)) {
			keys = append(keys, c.Key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	k, d := keys[0], base
	if !short(d, k) {
		d = head
	}
	return []string{fmt.Sprintf("results of %d cases are short, such as %s: %.0f iterations in %.3g s; raise -benchtime to %g s or %dx",
		len(keys), k.Name, d.Iters[k], d.Spent[k], shortSeconds, shortIterations)}
}

func short(d *result.Data, k result.Key) bool {
	return d.Spent[k] > 0 && d.Spent[k] < shortSeconds && d.Iters[k] < shortIterations
}

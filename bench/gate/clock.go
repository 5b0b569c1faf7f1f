package gate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/text"
)

// The units of the two clocks, as package result reads them. Results with
// cpuThreads have the processor time of several threads.
const (
	wallTime   = "sec/op"
	cpuTime    = "cpu-sec/op"
	cpuThreads = "cpu-threads"
	// processTime is the processor time of the whole process of a benchmark that
	// records none.
	processTime = "process-cpu-sec/op"
	// throughput is wall time in another unit, of benchmarks that call SetBytes.
	throughput = "B/s"
)

// clocks are the units of a case that has wall time and processor time: one is
// judged, the other is shown next to it. why is the reason for wall time.
type clocks struct{ judged, beside, why string }

// clocksOf returns the clocks of a case. Processor time is judged if the
// operation stayed on one thread in most results of both sides: other programs
// that take the processor away do not change it. The processor time of several
// threads is not the time that a user waits, so wall time is judged then, and if
// the rules say so. Both are empty if a side lacks one of the clocks.
func (r Rules) clocksOf(k result.Key, base, head *result.Data) clocks {
	has := func(d *result.Data, unit string) bool { return len(d.Values[k][unit]) > 0 }
	several := func(d *result.Data) bool { return 2*len(d.Values[k][cpuThreads]) > len(d.Values[k][wallTime]) }
	wall := func(why string) clocks { return clocks{wallTime, cpuTime, why} }
	switch {
	case !has(base, wallTime) || !has(head, wallTime) || r.ignores(k, cpuTime):
		return clocks{}
	case r.Wall:
		return clocks{wallTime, cpuTime, ""}
	case !has(base, cpuTime) && !has(head, cpuTime):
		return clocks{wallTime, cpuTime, ""}
	case !has(base, cpuTime):
		return wall("BASE has no processor time")
	case !has(head, cpuTime):
		return wall("HEAD has no processor time")
	case several(base) || several(head):
		return wall("it works on several threads, or waits")
	}
	return clocks{cpuTime, wallTime, ""}
}

// chooseProcess decides between wall time and the processor time of the process,
// of benchmarks that record none. Wall time is judged if it gives a verdict: the
// process may wait, or use several threads. Where other programs hide wall time, the
// processor time is judged: its change, or its sameness unless wall time differs by the
// test.
func (r *Report) chooseProcess() {
	wall := map[result.Key]Comparison{}
	judged := map[result.Key]string{}
	for _, c := range r.Comparisons {
		if c.Unit == wallTime {
			wall[c.Key] = c
		}
	}
	for _, c := range r.Comparisons {
		w, timed := wall[c.Key]
		if c.Unit != processTime || !timed {
			continue
		}
		judged[c.Key] = wallTime
		changed := c.Verdict == Regression || c.Verdict == Improvement
		if w.Verdict == Unknown && (changed || c.Verdict != Unknown && !(w.Adjusted < r.Alpha)) {
			judged[c.Key] = processTime
		}
	}
	r.Comparisons = slices.DeleteFunc(r.Comparisons, func(c Comparison) bool {
		clock, timed := judged[c.Key]
		beside := timed && (c.Unit == processTime || c.Unit == wallTime) && c.Unit != clock
		if beside {
			r.Beside = append(r.Beside, c)
		}
		return beside
	})
}

// clockNotes says which clock was judged, and where the clocks disagree.
func clockNotes(r Report) (notes []string) {
	n, example := 0, Comparison{}
	for _, c := range r.Beside {
		if c.Unit == wallTime && slices.ContainsFunc(r.Comparisons, func(o Comparison) bool { return o.Key == c.Key && o.Unit == cpuTime }) {
			n, example = n+1, c
		}
	}
	switch {
	case n == 1:
		notes = append(notes, fmt.Sprintf("processor time (%s) is judged for %s, which stays on one thread; wall time is shown with -all", cpuTime, example.Key.Name))
	case n > 1:
		notes = append(notes, fmt.Sprintf("processor time (%s) is judged for %d cases, which stay on one thread; wall time is shown with -all", cpuTime, n))
	}
	for _, why := range slices.Sorted(maps.Keys(r.wallBecause)) {
		cases := r.wallBecause[why]
		notes = append(notes, fmt.Sprintf("wall time is judged for %s although there is processor time: %s", caseNames(cases), why))
	}
	n = 0
	for _, c := range r.Comparisons {
		if c.Unit == processTime {
			n, example = n+1, c
		}
	}
	if n > 0 {
		notes = append(notes, fmt.Sprintf("other programs hide wall time, so the processor time of the process (%s) is judged for %s: it leaves out the time that a benchmark waits", processTime, countedCases(n, example.Key.Name)))
	}
	for _, b := range r.Beside {
		i := slices.IndexFunc(r.Comparisons, func(c Comparison) bool {
			return c.Key == b.Key && (c.Unit == wallTime || c.Unit == cpuTime || c.Unit == processTime)
		})
		if i < 0 {
			continue
		}
		if c := r.Comparisons[i]; c.Verdict != b.Verdict && c.Verdict != Unknown && b.Verdict != Unknown {
			notes = append(notes, fmt.Sprintf("the clocks disagree on %s: %s says %s (%s), %s says %s (%s)%s", c.Key.Name,
				clockName(c.Unit), c.Verdict, text.Change(c.Shift.Value), clockName(b.Unit), b.Verdict, text.Change(b.Shift.Value), disagreement(c, b)))
		}
	}
	return notes
}

// caseNames names one case, or counts several.
func caseNames(names []string) string { return countedCases(len(names), names[0]) }

func countedCases(n int, example string) string {
	if n == 1 {
		return example
	}
	return fmt.Sprintf("%d cases, such as %s", n, example)
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
	if judged.Unit != wallTime {
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

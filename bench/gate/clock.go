package gate

import (
	"slices"

	"github.com/zkatbench/zkatbench/bench/result"
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
	switch {
	case !has(base, wallTime) || !has(head, wallTime) || r.ignores(k, cpuTime):
		return clocks{}
	case r.Wall || !has(base, cpuTime) && !has(head, cpuTime):
		return clocks{wallTime, cpuTime, ""}
	case !has(base, cpuTime) || !has(head, cpuTime):
		return clocks{wallTime, cpuTime, "a side has no processor time"}
	case several(base) || several(head):
		return clocks{wallTime, cpuTime, "several threads, or waiting"}
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

// A result should take shortSeconds or shortIterations: shorter ones contain
// effects of their start.
const (
	shortSeconds    = 0.2
	shortIterations = 200
)

// short reports whether the results of a case are short on a side.
func short(d *result.Data, k result.Key) bool {
	return d.Spent[k] > 0 && d.Spent[k] < shortSeconds && d.Iters[k] < shortIterations
}

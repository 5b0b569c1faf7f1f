package gate

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// significance bounds the probability of a false alarm in a whole comparison: all
// cases, units and looks together.
const significance = 0.05

// Judge compares two sets of results, at one look or at several while they
// grow.
type Judge struct {
	Rules Rules
	Floor Floor
	// Once means that there is a single look, which gets all of Alpha.
	// Otherwise each look gets a share, and the sum of all shares stays below
	// Alpha.
	Once bool
	// More means that further layouts of the binaries will be measured, so a change
	// of time is not confirmed before.
	More bool
	// Fewest is the number of results of a side below which a unit that varies has no
	// verdict.
	Fewest int

	looks   int
	settled map[Cell]Comparison // verdicts of earlier looks
	meta    benchfmt.UnitMetadataMap
}

// Cell is a case and unit.
type Cell struct {
	Key  result.Key
	Unit string
}

// Floor is the relative shift of a base against itself.
type Floor map[Cell]float64

// floorOf returns the shifts between two parts of the results of the same code. The i-th of
// n results is in the second part if second says so.
func floorOf(d *result.Data, second func(i, n int) bool) Floor {
	f := Floor{}
	for k, units := range d.Values {
		for unit, all := range units {
			parts := map[bool][]float64{}
			for i, x := range all {
				in := second(i, len(all))
				parts[in] = append(parts[in], x)
			}
			if len(parts) == 2 && finite(all) {
				f[Cell{k, unit}] = math.Abs(shiftOf(parts[false], parts[true], 0).Value)
			}
		}
	}
	return f
}

func secondHalf(i, n int) bool { return i >= n/2 }

func odd(i, _ int) bool { return i%2 == 1 }

// Files judges two files of results at one look. The noise floor is the shift between
// the first and the second half of the results of base.
func Files(rules Rules, base, head *result.Data) Report {
	j := Judge{Rules: rules, Floor: floorOf(base, secondHalf), Once: true}
	return j.Look(base, head)
}

// Look judges the current results.
func (j *Judge) Look(base, head *result.Data) Report {
	j.looks++
	if j.settled == nil {
		j.settled = map[Cell]Comparison{}
	}
	alpha := significance
	if !j.Once {
		alpha = 1 - stats.LookConfidence(j.looks, 1-significance)
	}
	r := Report{Alpha: alpha, Looks: j.looks, Strict: j.Rules.Strict}
	j.meta = maps.Clone(head.Meta) // base may lack metadata of newer units
	maps.Copy(j.meta, base.Meta)
	for _, k := range base.Cases {
		if !j.Rules.ignoresCase(k) {
			j.add(&r, k, base, head)
		}
	}
	for _, k := range head.Cases {
		if base.Values[k] == nil && !j.Rules.ignoresCase(k) {
			r.New = append(r.New, k)
		}
	}
	j.decide(r.Comparisons, alpha)
	r.chooseProcess()
	r.noteVerdicts()
	return r
}

// add compares the units of one case.
func (j *Judge) add(r *Report, k result.Key, base, head *result.Data) {
	if head.Values[k] == nil {
		r.Missing = append(r.Missing, Cell{Key: k})
		return
	}
	clocks := j.Rules.clocksOf(k, base, head)
	if clocks.why != "" {
		r.note("wall time is judged for "+caseMark+" although there is processor time: "+clocks.why, k)
	}
	for _, unit := range base.Units {
		xs, ys := sampleOf(base, k, unit), sampleOf(head, k, unit)
		if len(xs.values) == 0 || j.leftOut(k, unit, clocks, len(ys.values) > 0, base) {
			continue
		}
		c := Comparison{Key: k, Unit: unit, Rule: j.Rules.of(unit, j.meta), Floor: j.Floor[Cell{k, unit}]}
		old, settled := j.settled[Cell{k, unit}]
		switch {
		case len(ys.values) == 0 && c.Rule.Kind == noisy && unit != wallTime:
			r.note("HEAD has no "+unit+" of "+caseMark, k) // such as percentiles, which need many results
		case len(ys.values) == 0: // a count or the time itself does not come and go
			r.Missing = append(r.Missing, Cell{k, unit})
		case unit == clocks.beside:
			if c = compare(c, xs, ys, r.Alpha); c.tested() {
				c.decide(c.P, r.Alpha, j.More)
			}
			r.Beside = append(r.Beside, c)
		case settled:
			r.Comparisons = append(r.Comparisons, old)
		default:
			r.Comparisons = append(r.Comparisons, compare(c, xs, ys, r.Alpha))
		}
		if c.Rule.Kind == noisy && (short(base, k) || short(head, k)) {
			r.note(fmt.Sprintf("results of %s are short: raise -benchtime to %g s or %dx", caseMark, shortSeconds, shortIterations), k)
		}
	}
}

// leftOut reports a unit that is not compared: it is ignored, or another unit has the
// same information.
func (j *Judge) leftOut(k result.Key, unit string, c clocks, inHead bool, base *result.Data) bool {
	switch {
	case unit == cpuThreads || j.Rules.ignores(k, unit):
		return true
	case unit == throughput:
		return len(base.Values[k][wallTime]) > 0 && !j.Rules.names(unit)
	case unit == processTime:
		return c.judged != wallTime || j.Rules.Wall || !inHead // nothing is judged if wall time is ignored
	}
	return unit == c.beside && !inHead // head was measured without this clock
}

func sampleOf(d *result.Data, k result.Key, unit string) sample {
	return sample{d.Values[k][unit], d.Layouts[k][unit]}
}

// decide gives the verdicts on noisy units, which depend on the number of noisy
// units. Verdicts of earlier looks stay as they are; in the correction they
// count as significant if they found a change, and otherwise as not
// significant.
func (j *Judge) decide(cs []Comparison, alpha float64) {
	var noisy []*Comparison
	var ps []float64
	for i := range cs {
		c := &cs[i]
		if !c.tested() {
			continue
		}
		p := c.P
		if old, ok := j.settled[Cell{c.Key, c.Unit}]; ok {
			p = 0
			if old.Verdict == Same || old.Verdict == Layout {
				p = 1
			}
		}
		noisy, ps = append(noisy, c), append(ps, p)
	}
	for i, adjusted := range holm(ps) {
		c := noisy[i]
		cell := Cell{c.Key, c.Unit}
		if _, ok := j.settled[cell]; ok {
			continue
		}
		c.decide(adjusted, alpha, j.More)
		if few := min(c.Base.N, c.Head.N); few < j.Fewest && !c.empty() {
			c.Verdict, c.Harmless, c.Why = Unknown, false, fmt.Sprintf("fewer than %d results", j.Fewest)
			c.Shift.Lo, c.Shift.Hi = math.Inf(-1), math.Inf(1)
		}
		if c.Verdict != Unknown && !j.Once {
			j.settled[cell] = *c
		}
	}
}

// open returns the cases that more results could decide.
func (r Report) open() (keys []result.Key) {
	for _, c := range r.Comparisons {
		if c.Verdict == Unknown && c.tested() && !c.Harmless && !slices.Contains(keys, c.Key) {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

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

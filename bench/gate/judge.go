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

// Below fewestResults results of a side, values that do not vary may vary in the next
// result, and the test of ranks cannot decide when there are other comparisons. A file
// (Judge.Once) may have fewer results of one side, from fewestSmaller on: the test knows both
// numbers.
const (
	fewestResults = 6
	fewestSmaller = 4
)

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

// Files judges two files of results. Files that a comparison kept are judged at its looks,
// so the verdicts are the same as in the comparison. All others are judged at one look; the
// noise floor is then the shift between the first and the second half of the results of
// base.
func Files(rules Rules, base, head *result.Data) Report {
	if len(base.Looks) > 0 && slices.Equal(base.Looks, head.Looks) {
		return replay(rules, base, head)
	}
	j := Judge{Rules: rules, Floor: floorOf(base, secondHalf), Once: true}
	return j.Look(base, head)
}

// replay judges the results of a comparison at each of its looks.
func replay(rules Rules, base, head *result.Data) (r Report) {
	j := Judge{Rules: rules}
	for i, look := range base.Looks {
		b, h := base.Until(i), head.Until(i)
		j.Floor, j.More = floorOf(b, odd), look.More
		r = j.Look(b, h)
	}
	return r
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
		switch {
		case j.Rules.ignoresCase(k):
		case base.Values[k] == nil:
			r.New = append(r.New, Cell{Key: k})
		default:
			for _, unit := range unitsOf(head, k) {
				if base.Values[k][unit] == nil && !j.leftOut(k, unit) {
					r.New = append(r.New, Cell{k, head.Printed[unit]})
				}
			}
		}
	}
	r.suggestRenames()
	r.Contended = contended(base, head, noisyLimit)
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
	for _, unit := range unitsOf(base, k) {
		xs, ys := sampleOf(base, k, unit), sampleOf(head, k, unit)
		if j.leftOut(k, unit) || clocks.leftOut(unit, len(ys.values) > 0, j.Rules) {
			continue
		}
		c := Comparison{Key: k, Unit: unit, Rule: j.Rules.of(unit, j.meta), Floor: j.Floor[Cell{k, unit}]}
		old, settled := j.settled[Cell{k, unit}]
		switch {
		case len(ys.values) == 0:
			r.Missing = append(r.Missing, Cell{k, base.Printed[unit]})
		case unit == clocks.beside || unit == throughput && j.derived(k, base, head):
			c = compare(c, xs, ys, r.Alpha)
			if c.tested() {
				c.decide(c.P, r.Alpha, j.More)
			}
			r.Beside = append(r.Beside, c)
		case settled:
			r.Comparisons = append(r.Comparisons, old)
		default:
			r.Comparisons = append(r.Comparisons, j.withhold(compare(c, xs, ys, r.Alpha)))
		}
		if unit == throughput && len(ys.values) > 0 && len(base.Values[k][wallTime]) > 0 &&
			!j.derived(k, base, head) {
			r.note("B/s of "+caseMark+
				" is judged, since it does not follow from the time: SetBytes changed, or a rule names it", k)
		}
		if c.Rule.Kind == noisy && (short(base, k) || short(head, k)) {
			r.note(fmt.Sprintf("results of %s are short: raise -benchtime to %g s or %dx", caseMark,
				shortSeconds, shortIterations), k)
		}
	}
}

// unitsOf returns the units of a case, in the order of the file.
func unitsOf(d *result.Data, k result.Key) (units []string) {
	for _, unit := range d.Units {
		if len(d.Values[k][unit]) > 0 {
			units = append(units, unit)
		}
	}
	return units
}

// leftOut reports whether a unit is left out of the comparison: it is a mark of our own,
// or the rules ignore it.
func (j *Judge) leftOut(k result.Key, unit string) bool {
	return unit == cpuThreads || j.Rules.ignores(k, unit)
}

// leftOut reports whether a clock is left out of the comparison: another one has the
// same information, or head was measured without it.
func (c clocks) leftOut(unit string, inHead bool, rules Rules) bool {
	switch unit {
	case processTime:
		return c.judged != wallTime || rules.Wall || !inHead // not judged if wall time is ignored
	case c.beside:
		return !inHead
	}
	return false
}

// derived reports that the throughput of a case follows from its time: both sides process
// the same bytes in an operation (testing.B.SetBytes). If they differ, by more than the
// two decimals of MB/s explain, throughput is judged like any other unit.
func (j *Judge) derived(k result.Key, base, head *result.Data) bool {
	const decimals = 0.01e6
	if j.Rules.names(throughput) {
		return false
	}
	var bytes [2]float64
	slowest := math.Inf(1)
	for i, d := range []*result.Data{base, head} {
		if len(d.Values[k][wallTime]) == 0 {
			return false
		}
		speed := stats.Median(d.Values[k][throughput])
		bytes[i] = speed * stats.Median(d.Values[k][wallTime])
		slowest = min(slowest, speed)
	}
	return math.Abs(share(bytes[1]-bytes[0], bytes[0])) <= max(boundedLimit, decimals/slowest)
}

// withhold takes back the verdict of a comparison of too few results.
func (j *Judge) withhold(c Comparison) Comparison {
	smaller := fewestResults
	if j.Once {
		smaller = fewestSmaller
	}
	enough := max(c.Base.N, c.Head.N) >= fewestResults && min(c.Base.N, c.Head.N) >= smaller
	if enough || c.load || c.Rule.Kind == exact {
		return c
	}
	c.few = true
	c.Verdict, c.Harmless = Unknown, false
	c.Why = fmt.Sprintf("too few results: a verdict needs %d of each side; raise -count or -budget",
		fewestResults)
	if j.Once {
		c.Why = fmt.Sprintf("too few results: a verdict needs %d of one side and %d of the other",
			fewestResults, smaller)
	}
	c.Shift.Lo, c.Shift.Hi = math.Inf(-1), math.Inf(1)
	return c
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
		*c = j.withhold(*c)
		if c.Verdict != Unknown && !j.Once {
			j.settled[cell] = *c
		}
	}
}

// open returns the cases that more results could decide.
func (r Report) open() (keys []result.Key) {
	for _, c := range r.Comparisons {
		if c.Verdict == Unknown && (c.tested() || c.few) && !c.Harmless && !slices.Contains(keys, c.Key) {
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
	// processTime is the processor time of the whole process of a benchmark that does
	// not record its own.
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
	several := func(d *result.Data) bool {
		return 2*len(d.Values[k][cpuThreads]) > len(d.Values[k][wallTime])
	}
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
// of benchmarks that do not record their own. Wall time is judged if it gives a verdict:
// the process may wait, or use several threads. Where other programs hide wall time, the
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

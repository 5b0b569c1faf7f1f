package gate

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"

	run "github.com/zkatbench/zkatbench/runner/stats"
)

// Shift is the relative shift of one sample against another: 0.05 means 5 %
// higher.
type Shift struct {
	Value  float64 // Hodges-Lehmann estimate
	Lo, Hi float64 // confidence interval; infinite if there are too few values
}

// shiftOf returns the median of all ratios of a value of head to a value of
// base, less 1 (the Hodges-Lehmann estimate, Ann. Math. Statist. 34, 1963, on a
// logarithmic scale), with the interval of the shifts that the Mann–Whitney
// test does not reject. It assumes only that the distributions have the same
// shape. If base contains values that are not positive, it uses differences
// relative to the median of base instead of ratios.
func shiftOf(base, head []float64, confidence float64) Shift {
	if slices.Min(base) <= 0 {
		unit := math.Abs(run.Median(base))
		return pairs(base, head, confidence, func(b, h float64) float64 { return share(h-b, unit) })
	}
	return pairs(base, head, confidence, func(b, h float64) float64 { return h/b - 1 })
}

// logShift is shiftOf for values that are logarithms already.
func logShift(base, head []float64, confidence float64) Shift {
	return pairs(base, head, confidence, func(b, h float64) float64 { return h - b })
}

// pairs returns the median of a measure of all pairs, with its interval by ranks.
func pairs(base, head []float64, confidence float64, compare func(b, h float64) float64) Shift {
	ds := make([]float64, 0, len(base)*len(head))
	for _, b := range base {
		for _, h := range head {
			ds = append(ds, compare(b, h))
		}
	}
	slices.Sort(ds)
	s := Shift{run.Median(ds), math.Inf(-1), math.Inf(1)}
	if k := rank(len(base), len(head), (1-confidence)/2); k > 0 {
		s.Lo, s.Hi = ds[k-1], ds[len(ds)-k]
	}
	return s
}

// pValue returns the p-value of benchstat's test (Mann–Whitney) for the
// hypothesis that both samples come from one distribution.
func pValue(a, b []float64) float64 {
	t := &benchmath.DefaultThresholds
	return benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(a), t), benchmath.NewSample(slices.Clone(b), t)).P
}

// holm returns p-values corrected for multiple comparisons (Holm, Scand. J.
// Statist. 6, 1979): the probability that any true null hypothesis gets a value
// below α is at most α.
func holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	out, least := make([]float64, len(ps)), 0.0
	for i, at := range order {
		least = max(least, min(1, ps[at]*float64(len(ps)-i)))
		out[at] = least
	}
	return out
}

// maxExactRuns is the largest sample size for the exact distribution; above it
// the normal approximation applies, as in benchmath.
const maxExactRuns = 50

// ranks keeps results of rank, which is slow: at most maxRanks, and then it begins again. The
// tails of one comparison are few, as they follow from the number of cases and looks.
var ranks = struct {
	sync.Mutex
	known map[rankKey]int
}{known: map[rankKey]int{}}

const maxRanks = 1 << 14

type rankKey struct {
	n, m int
	tail float64
}

// rank returns the greatest k such that P(U < k) ≤ tail, where U is the
// Mann–Whitney statistic of samples of n and m values, or 0 without such a k.
func rank(n, m int, tail float64) int {
	key := rankKey{n, m, tail}
	ranks.Lock()
	k, found := ranks.known[key]
	ranks.Unlock()
	if found {
		return k
	}
	if most := n * m; n > maxExactRuns || m > maxExactRuns {
		sd := math.Sqrt(float64(most) * float64(n+m+1) / 12)
		k = int(float64(most)/2 + 0.5 + sd*stats.InvCDF(stats.StdNormal)(tail))
	} else {
		d := stats.UDist{N1: n, N2: m}
		k = sort.Search(most/2+1, func(k int) bool { return d.CDF(float64(k)) > tail })
	}
	k = max(k, 0)
	ranks.Lock()
	defer ranks.Unlock()
	if len(ranks.known) >= maxRanks {
		clear(ranks.known)
	}
	ranks.known[key] = k
	return k
}

// A sample is the values of a case and unit on one side, with the layouts of the
// binaries that gave them, 0 or nil if they are not known.
type sample struct{ values, layouts []float64 }

// compare computes the basis of a verdict. The interval has confidence 1-2α, so
// each end is a one-sided test at α.
func compare(c Comparison, baseSample, headSample sample, alpha float64) Comparison {
	base, head := baseSample.values, headSample.values
	c.Base.N, c.Head.N = len(base), len(head)
	c.Verdict = Unknown
	if !finite(base) || !finite(head) {
		c.Rule.Kind, c.Why = exact, "not all values are numbers" // skips the test
		return c
	}
	c.Base.Median, c.Head.Median = run.Median(base), run.Median(head)
	if up, down := slices.Min(head)/slices.Max(base), slices.Min(base)/slices.Max(head); up > 1 {
		c.fold = up
	} else if down > 1 {
		c.fold = -down
	}
	switch c.Rule.Kind {
	case noisy:
		c.Shift = shiftOf(base, head, 1-2*alpha)
		c.P = pValue(base, head)
		c.layouts = layoutsOf(baseSample, headSample, alpha)
		if c.layouts.several {
			c.Shift, c.Relinked = c.layouts.shift, c.layouts.relinked
			if c.layouts.paired {
				c.P = c.layouts.p // drift hides a change from the test of unpaired results
			} else {
				c.P = max(c.P, c.layouts.p)
			}
		}
	case bounded:
		// Noise only adds to counts and bytes, so their lower quartiles are compared.
		lows, heads := slices.Sorted(slices.Values(base)), slices.Sorted(slices.Values(head))
		low, least := run.Quantile(lows, 0.25), lows[0]
		d := share(run.Quantile(heads, 0.25)-low, math.Abs(low))
		c.constant = unchanging(base) && unchanging(head)
		if c.constant {
			c.Shift = Shift{d, d, d}
			c.Verdict = c.verdictAbove(max(c.Rule.Limit, c.Floor))
			break
		}
		c.Shift = shiftOf(base, head, 1-2*alpha)
		c.Shift.Value, c.Shift.Lo, c.Shift.Hi = d, min(c.Shift.Lo, d), max(c.Shift.Hi, d)
		c.least = share(heads[0]-least, math.Abs(least))
		c.P = pValue(base, head)
	case exact:
		d := share(c.Head.Median-c.Base.Median, math.Abs(c.Base.Median))
		c.Shift = Shift{d, d, d}
		c.decideExact(base, head)
	}
	return c
}

const (
	// layoutLevel is the level of the test for different layouts of a side.
	layoutLevel = 0.01
	// confirming is the number of layouts of each side that confirm a change while more
	// can be linked: with fewer, two layouts of the same code may look like a change.
	confirming = 6
)

// layouts compares the layouts of two sides. Each median of a layout is one value, since
// all results of a layout share its effect.
type layouts struct {
	several  bool // each side has two or more
	paired   bool // pairs have the narrower interval
	fewest   int  // layouts of a side
	shift    Shift
	p        float64 // two-sided, of the tests between the medians
	relinked float64 // largest shift between two layouts of a side, or between the changes of two pairs
	unequal  float64 // p-value: the layouts of each side, or the changes of all pairs, are equal
}

// pairsOf returns the logarithms of the ratios of results that were measured one after the other, grouped by
// their pair of layouts. A slow phase of the machine slows down both results, so their ratio leaves it out.
// It returns nil unless each layout was measured alongside one layout of the other side.
func pairsOf(base, head sample) [][]float64 {
	if len(base.values) != len(head.values) {
		return nil
	}
	partner, back := map[float64]float64{}, map[float64]float64{}
	ratios := make([]float64, len(base.values))
	for i, b := range base.layouts {
		h := head.layouts[i]
		if other, known := partner[b]; known && other != h {
			return nil
		}
		if other, known := back[h]; known && other != b {
			return nil
		}
		partner[b], back[h] = h, b
		ratios[i] = head.values[i] / base.values[i]
	}
	return run.Grouped(ratios, base.layouts)
}

// layoutsOf compares the medians of layouts on a logarithmic scale, by Student's t and by
// ranks: few layouts decide by t, and a few far ones among many do not hide a shift from
// the ranks. Student's test is of pairs if its interval is narrower, so that drift of the
// machine is not taken for an effect of layouts. Each test has half of the error, so the smaller
// p-value is doubled, and the interval has the inner ends of both.
func layoutsOf(base, head sample, alpha float64) (l layouts) {
	var groups [2][][]float64
	for i, s := range []sample{base, head} {
		if len(s.layouts) != len(s.values) || slices.Min(s.values) <= 0 {
			return l
		}
		groups[i] = run.Grouped(s.values, s.layouts)
		if len(groups[i]) < 2 {
			return l
		}
	}
	a, b := run.Medians(groups[0]), run.Medians(groups[1])
	l.several, l.fewest = true, min(len(a), len(b))
	byMean, relinked := run.DifferenceOf(a, b, 1-alpha), groups[:] // they differ by linking alone
	if pairs := pairsOf(base, head); pairs != nil {
		d := run.MeanDifference(run.Medians(pairs), 1-alpha)
		if d.High-d.Low < byMean.High-byMean.Low {
			byMean, relinked, l.paired = d, [][][]float64{pairs}, true
		}
	}
	byRank := logShift(a, b, 1-alpha)
	ranks := pValue(a, b)
	l.p = min(1, 2*min(byMean.P, ranks))
	value := byMean.Value
	if ranks < byMean.P {
		value = byRank.Value
	}
	low, high := max(byMean.Low, byRank.Lo), min(byMean.High, byRank.Hi)
	value = min(max(value, low), high) // far layouts move the mean out of the interval of the ranks
	l.shift = Shift{Value: math.Expm1(value), Lo: math.Expm1(low), Hi: math.Expm1(high)}
	l.unequal = run.Unequal(relinked...)
	for _, of := range relinked {
		medians := run.Medians(of)
		l.relinked = max(l.relinked, math.Expm1(slices.Max(medians)-slices.Min(medians)))
	}
	return l
}

// unchanging reports whether all values are equal.
func unchanging(xs []float64) bool { return slices.Min(xs) == slices.Max(xs) }

func finite(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

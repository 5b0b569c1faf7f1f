package render

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
)

// row is one line of the heatmap: latencies in [low, high) ns.
type row struct {
	low, high float64
	n         uint64
}

const (
	leastRows, mostRows = 12, 24 // between the tails
	leastCounted        = 60     // columns of a page that has room for counts
	tailOfPicture       = 0.001  // share of latencies on either side in one row
)

// scales are the round bounds in a decade of a geometric scale.
var scales = [][]float64{{1}, {1, 5}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}, {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}}

// rows divides the successful latencies between P0.1 and P99.9 at round bounds of a linear or
// a geometric scale, whichever has the smaller fullest row, with a row for each tail.
func rows(r *result.Result) (best []row) {
	low, high := r.At(tailOfPicture), r.At(1-tailOfPicture)
	if r.Records == 0 {
		return nil
	}
	all, fullest := newRanks(r), uint64(math.MaxUint64)
	consider := func(bounds []float64) {
		if len(bounds) < 2 || len(bounds) > mostRows+1 {
			return
		}
		filled := fill(r, all, bounds)
		most := uint64(0)
		for _, one := range filled {
			most = max(most, one.n)
		}
		if best == nil || most < fullest {
			best, fullest = filled, most
		}
	}
	consider(linear(low, high))
	for _, scale := range scales {
		if bounds := geometric(low, high, scale); len(bounds) > leastRows {
			consider(bounds)
		}
	}
	return best
}

// linear returns bounds around low and high in the least steps of 1, 2 or 5 times a power of
// ten that make at most mostRows rows, and at least leastRows; the least step is 1 ns, or a
// millionth.
func linear(low, high float64) (bounds []float64) {
	step := max(1, math.Pow(10, math.Floor(math.Log10(max(low, 1)))-6))
	factors := [...]float64{2, 2.5, 2} // from 1 to 2, 5 and 10
	for k := 0; math.Floor(high/step)-math.Floor(low/step) >= mostRows; k++ {
		step *= factors[k%len(factors)]
	}
	first := math.Floor(low / step)
	n := max(leastRows, int(math.Floor(high/step)-first)+1)
	for k := range n + 1 {
		bounds = append(bounds, (first+float64(k))*step)
	}
	return bounds
}

// geometric returns the bounds of a scale around low and high.
func geometric(low, high float64, scale []float64) (bounds []float64) {
	for size := math.Pow(10, math.Floor(math.Log10(max(low, 1)))); size <= 10*high; size *= 10 {
		for k, step := range scale {
			next := 10 * size
			if k+1 < len(scale) {
				next = scale[k+1] * size
			}
			if next > low && (len(bounds) == 0 || bounds[len(bounds)-1] <= high) {
				bounds = append(bounds, step*size)
			}
		}
	}
	return bounds
}

// fill counts the latencies between bounds, and in a row for each tail beyond that has some.
func fill(r *result.Result, all ranks, bounds []float64) (out []row) {
	low, before := min(r.Moments.Min, bounds[0]), 0.0
	for _, high := range append(slices.Clone(bounds), max(r.Moments.Max, bounds[len(bounds)-1])) {
		below := math.Round(all.below(high))
		out = append(out, row{low: low, high: high, n: uint64(below - before)})
		low, before = high, below
	}
	out[len(out)-1].n += r.Records - uint64(before) // the longest latency
	if out[len(out)-1].n == 0 {
		out = out[:len(out)-1]
	}
	if out[0].n == 0 {
		out = out[1:]
	}
	return out
}

// lines merges neighbouring empty rows.
func lines(rows []row) (out []row) {
	for _, r := range rows {
		if n := len(out); n > 0 && r.n == 0 && out[n-1].n == 0 {
			out[n-1].high = r.high
			continue
		}
		out = append(out, r)
	}
	return out
}

// heatmap prints a bar, a count and a share for each row, to one eighth of a column; empty
// rows between others become one line with ⋮.
func (p *page) heatmap(r *result.Result, rows []row) {
	if len(rows) == 0 {
		return
	}
	p.section("Latency heatmap")
	fullest := uint64(0)
	width := 6
	for _, row := range rows {
		fullest = max(fullest, row.n)
		low, high := row.bounds()
		width = max(width, utf8.RuneCountInString(low), utf8.RuneCountInString(high))
	}
	counted := p.o.Width >= leastCounted
	head := 2 + width + 3 + width + 1 + 8 + 1 // columns before a bar
	if counted {
		head += 10
	}
	bar := max(1, p.o.Width-head)
	for _, row := range rows {
		low, high := row.bounds()
		if row.n == 0 {
			p.printf("  %*s – %-*s         ⋮\n", width, low, width, high)
			continue
		}
		share := float64(row.n) / float64(fullest)
		count := ""
		if counted {
			count = fmt.Sprintf(" %9s", text.Count(row.n))
		}
		p.printf("  %*s – %-*s%s %6s %% %s\n", width, low, width, high, count,
			fmt.Sprintf("%.2f", 100*float64(row.n)/float64(r.Records)),
			p.paint(heat(share), p.bar(share, bar)))
	}
}

// bounds writes the bounds of a row with as many digits as they need to differ.
func (r row) bounds() (low, high string) {
	step := r.high - r.low
	if step <= 0 {
		step = math.Inf(1)
	}
	return precise(r.low, step), precise(r.high, step)
}

// precise writes a duration in ns to within a tenth of a step, with three digits at least.
func precise(ns, step float64) string {
	if math.IsInf(step, 1) {
		return text.Duration(ns)
	}
	for _, unit := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}} {
		if ns < unit.ns && unit.ns > 1 {
			continue
		}
		v := ns / unit.ns
		digits := max(0, 2-int(math.Floor(math.Log10(max(v, 1)))))
		if step > 0 {
			digits = max(digits, int(math.Ceil(-math.Log10(step/unit.ns)-1e-9)))
		}
		if unit.ns == 1 {
			digits = min(digits, 1)
		}
		return strings.TrimSuffix(strconv.FormatFloat(v, 'f', min(digits, 9), 64), ".") + " " + unit.name
	}
	return text.Duration(ns)
}

// heat selects the colour of a bar by its share.
func heat(share float64) string {
	switch {
	case share > 0.66:
		return red
	case share > 0.33:
		return yellow
	}
	return green
}

// bar returns share of width columns, at least one eighth.
func (p *page) bar(share float64, width int) string {
	if p.o.ASCII {
		return strings.Repeat("#", max(1, int(math.Round(share*float64(width)))))
	}
	eighths := max(1, int(math.Round(share*float64(width)*8)))
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return s
}

// columns returns the number of ticks in a column, for at most most columns.
func columns(r *result.Result, most int) (per int) {
	return max(1, (len(r.Timeline.Cells)+most-1)/most)
}

// timemap prints latencies over time: the rows of the heatmap, and a column for each tick.
// Shades are logarithmic in the count, so that a single slow operation is visible.
func (p *page) timemap(r *result.Result, rows []row) {
	width := 8
	for _, row := range rows {
		low, _ := row.bounds()
		width = max(width, utf8.RuneCountInString(low))
	}
	per := columns(r, p.o.Width-2-width-1)
	counts := overTime(r, rows, per)
	most := uint64(0)
	for _, column := range counts {
		most = max(most, slices.Max(column))
	}
	if len(counts) < 2 || most == 0 {
		return
	}
	p.section(fmt.Sprintf("Latency over time (a column is %s)",
		text.Duration(float64(r.Timeline.Tick)*float64(per))))
	shades := []rune(" ░▒▓█")
	if p.o.ASCII {
		shades = []rune(" .:*#")
	}
	for k, row := range slices.Backward(rows) {
		var b strings.Builder
		for _, column := range counts {
			b.WriteRune(shade(shades, float64(column[k]), float64(most)))
		}
		low, _ := row.bounds()
		p.printf("  %*s %s\n", width, low, strings.TrimRight(b.String(), " "))
	}
}

// overTime counts the latencies of each column of per ticks in rows. A bin of the timeline
// that crosses a bound is divided as all latencies in it are.
func overTime(r *result.Result, rows []row, per int) (counts [][]uint64) {
	d := divider{ranks: newRanks(r), rest: make([]float64, len(rows))}
	for _, row := range rows {
		d.bounds = append(d.bounds, row.high)
	}
	cells := r.Timeline.Cells
	for i := 0; i < len(cells) && len(rows) > 0; i += per {
		column := make([]uint64, len(rows))
		for _, c := range cells[i:min(i+per, len(cells))] {
			for _, bin := range c.Near {
				d.divide(column, hist.PositionFrom(bin[0]<<r.Timeline.Shift),
					hist.PositionFrom((bin[0]+1)<<r.Timeline.Shift), bin[1])
			}
			for k, n := range c.Elsewhere() {
				low, high := hist.RowBounds(k)
				d.divide(column, float64(low), float64(high), n)
			}
		}
		counts = append(counts, column)
	}
	return counts
}

// ranks are the buckets of latencies in order, and the number of latencies before each.
type ranks struct{ low, high, before []float64 }

func newRanks(r *result.Result) (all ranks) {
	n := 0.0
	r.Latency.BucketsIn(r.Fine, func(low, high, c uint64) {
		all.low = append(all.low, max(float64(low), math.Floor(r.Moments.Min)))
		all.high = append(all.high, min(float64(high), math.Floor(r.Moments.Max)+1))
		all.before = append(all.before, n)
		n += float64(c)
	})
	all.before = append(all.before, n)
	return all
}

// below returns the number of latencies below a bound, evenly spread in each bucket.
func (all ranks) below(bound float64) float64 {
	i := sort.SearchFloat64s(all.high, bound)
	if i == len(all.high) || bound <= all.low[i] {
		return all.before[i]
	}
	return all.before[i] + (all.before[i+1]-all.before[i])*(bound-all.low[i])/(all.high[i]-all.low[i])
}

// divider divides bins among rows.
type divider struct {
	ranks
	bounds []float64 // upper ones of the rows
	rest   []float64 // latencies of each row that rounding left out so far
}

// row returns the row of a latency.
func (d divider) row(ns float64) int {
	last := len(d.bounds) - 1
	return sort.Search(last, func(k int) bool { return d.bounds[k] > ns })
}

// divide adds n latencies in [from, till) to rows, in the proportions of all latencies there.
func (d divider) divide(rows []uint64, from, till float64, n uint64) {
	if n == 0 {
		return
	}
	total := d.below(till) - d.below(from)
	if total == 0 { // within a bucket
		rows[d.row(from+(till-from)/2)] += n
		return
	}
	first, last := d.row(from), d.row(math.Nextafter(till, 0))
	left, owed := n, d.rest[first:last+1]
	for k := range owed {
		high := till
		if first+k < last {
			high = d.bounds[first+k]
		}
		owed[k] += float64(n) * (d.below(high) - d.below(from)) / total
		whole := min(uint64(max(0, owed[k])), left)
		rows[first+k], left, owed[k] = rows[first+k]+whole, left-whole, owed[k]-float64(whole)
		from = high
	}
	for ; left > 0; left-- { // by rounding, to the rows that lack most
		k := slices.Index(owed, slices.Max(owed))
		rows[first+k]++
		owed[k]--
	}
}

func shade(shades []rune, n, most float64) rune {
	if n == 0 {
		return shades[0]
	}
	levels := float64(len(shades) - 1)
	return shades[int(math.Ceil(levels*math.Log1p(n)/math.Log1p(most)))]
}

// sparkline prints the throughput of each tick: operations over its true
// length; the last tick may be incomplete.
func (p *page) sparkline(r *result.Result) {
	per, cells := columns(r, p.o.Width-2), r.Timeline.Cells
	tick := r.Timeline.Tick.Seconds() * float64(per)
	var rates []float64
	most, least := 0.0, math.Inf(1)
	for i := 0; i*per < len(cells); i++ {
		length := min(tick, r.Elapsed.Seconds()-float64(i)*tick)
		if length < tick/10 { // too short to measure, or after the window
			break
		}
		ops := 0.0
		for _, c := range cells[i*per : min(i*per+per, len(cells))] {
			ops += c.Ops
		}
		rates = append(rates, ops/length)
		most, least = max(most, rates[i]), min(least, rates[i])
	}
	if most == 0 {
		return
	}
	p.section(fmt.Sprintf("Throughput over time (%s – %s)", perSecond(least), perSecond(most)))
	levels := []rune("▁▂▃▄▅▆▇█")
	if p.o.ASCII {
		levels = []rune("_.,-=+*#")
	}
	var b strings.Builder
	for _, v := range rates {
		b.WriteRune(levels[int(math.Round(v/most*float64(len(levels)-1)))])
	}
	p.printf("  %s\n", b.String())
}

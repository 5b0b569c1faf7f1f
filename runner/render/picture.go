package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/text"
)

// row is one line of the heatmap: latencies in [low, high) ns.
type row struct {
	low, high float64
	n         uint64
}

// rows divides the latencies at 1-2-5 bounds, which do not depend on outliers.
// A row with more than half of all latencies is subdivided, so that a steady
// operation takes more than one line.
func rows(r *runner.Result) (out []row) {
	var counts [hist.Rows]uint64
	r.Latency.Values(func(v float64, c uint64) { counts[hist.Row(uint64(v))] += c })
	for i, n := range counts {
		low, high := hist.RowBounds(i)
		all := row{float64(low), float64(high), n}
		if 2*n > r.Records && high-low >= 10 {
			out = append(out, subdivide(r, all)...)
		} else {
			out = append(out, all)
		}
	}
	for len(out) > 0 && out[0].n == 0 {
		out = out[1:]
	}
	for len(out) > 0 && out[len(out)-1].n == 0 {
		out = out[:len(out)-1]
	}
	return out
}

// subdivide divides a row that starts at 1, 2 or 5 into steps of 0.1, 0.25 or
// 0.5.
func subdivide(r *runner.Result, all row) (out []row) {
	step := (all.high - all.low) / 10
	if all.high == 2.5*all.low {
		step = (all.high - all.low) / 12
	}
	for low := all.low; low < all.high-step/2; low += step {
		out = append(out, row{low: low, high: low + step})
	}
	r.Latency.Values(func(v float64, c uint64) {
		if v >= all.low && v < all.high {
			out[int((v-all.low)/step)].n += c
		}
	})
	return out
}

// heatmap prints a bar for each row, to one eighth of a column; empty rows
// between others become one line with ⋮.
func (p *page) heatmap(r *runner.Result) {
	rows := rows(r)
	if len(rows) == 0 {
		return
	}
	p.section("Latency heatmap")
	fullest := uint64(0)
	for _, row := range rows {
		fullest = max(fullest, row.n)
	}
	const head = 2 + 8 + 3 + 8 + 1 + 8 + 1 // columns before a bar
	width := max(4, p.o.Width-head)
	for i := 0; i < len(rows); i++ {
		row := rows[i]
		if row.n == 0 {
			for rows[i+1].n == 0 {
				i++
			}
			p.printf("  %8s – %-8s        ⋮\n", text.Duration(row.low), text.Duration(rows[i].high))
			continue
		}
		share := float64(row.n) / float64(fullest)
		p.printf("  %8s – %-8s %6s %% %s\n", text.Duration(row.low), text.Duration(row.high),
			fmt.Sprintf("%.2f", 100*float64(row.n)/float64(r.Records)), p.paint(heat(share), p.bar(share, width)))
	}
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

// columns merges the ticks of a timeline into at most most columns, each of the
// same number of ticks, and returns this number.
func columns(r *runner.Result, most int) (cells []runner.Cell, per int) {
	ticks := r.Timeline.Cells
	per = (len(ticks) + most - 1) / most
	for i, c := range ticks {
		if i%per == 0 {
			cells = append(cells, runner.Cell{Rows: make([]uint64, hist.Rows)})
		}
		c.AddTo(&cells[len(cells)-1])
	}
	return cells, per
}

// timemap prints latencies over time: a row for each 1-2-5 bound and a column
// for each tick. Shades are logarithmic in the count, so that a single slow
// operation is visible.
func (p *page) timemap(r *runner.Result) {
	const head = 2 + 8 + 1
	cells, per := columns(r, p.o.Width-head)
	first, last, most := span(cells)
	if len(cells) < 2 || first > last {
		return
	}
	p.section(fmt.Sprintf("Latency over time (a column is %s)", text.Duration(float64(r.Timeline.Tick)*float64(per))))
	shades := []rune(" ░▒▓█")
	if p.o.ASCII {
		shades = []rune(" .:*#")
	}
	for k := last; k >= first; k-- {
		var b strings.Builder
		for _, c := range cells {
			b.WriteRune(shade(shades, float64(c.Rows[k]), float64(most)))
		}
		low, _ := hist.RowBounds(k)
		p.printf("  %8s %s\n", text.Duration(float64(low)), strings.TrimRight(b.String(), " "))
	}
}

// span returns the range of rows in use and the greatest count.
func span(cells []runner.Cell) (first, last int, most uint64) {
	first, last = hist.Rows, -1
	for _, c := range cells {
		for k, n := range c.Rows {
			if n > 0 {
				first, last, most = min(first, k), max(last, k), max(most, n)
			}
		}
	}
	return first, last, most
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
func (p *page) sparkline(r *runner.Result) {
	cells, per := columns(r, p.o.Width-2)
	tick := r.Timeline.Tick.Seconds() * float64(per)
	var rates []float64
	most, least := 0.0, math.Inf(1)
	for i, c := range cells {
		length := min(tick, r.Elapsed.Seconds()-float64(i)*tick)
		if length < tick/10 { // too short to measure, or after the window
			break
		}
		rates = append(rates, c.Ops/length)
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

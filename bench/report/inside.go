package report

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/text"
)

// Inside holds observations inside operations, by file name.
type Inside struct {
	Steps  map[string]step.Table
	Heaps  map[string]*heap.Result
	Flames map[string]flame.Stacks
}

// inside shows steps, live memory and flame graphs.
func inside(in Inside) (s section) {
	s = section{
		ID: "inside", Title: "Inside an operation",
		Lead: "The cost of each step, the memory that is live during the work, and where processor time goes. These figures are from passes of their own: times are disturbed.",
	}
	for _, name := range slices.Sorted(maps.Keys(in.Steps)) {
		s.Units = nil
		for _, c := range stepColumns {
			s.Units = append(s.Units, c.String())
		}
		s.Figures = append(s.Figures, stepFigure(name, in.Steps[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(in.Heaps)) {
		s.Figures = append(s.Figures, heapFigure(name, in.Heaps[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(in.Flames)) {
		s.Figures = append(s.Figures, flameFigure(name, in.Flames[name]))
	}
	return s
}

// stepColumns are the columns that have a picture.
var stepColumns = []step.Column{step.TimeNs, step.Of("FixedMSM_terms"), step.Of("MSM_terms"), step.Of("Add"), step.AllocBytes, step.Allocs, step.RandBytes}

// stepFigure is a bar for each step and column, and the whole table.
func stepFigure(file string, t step.Table) figure {
	f := figure{Title: "Steps: " + file, Table: table{Head: []string{"step"}}}
	steps := slices.Sorted(maps.Keys(t))
	for _, c := range step.Columns() {
		f.Table.Head = append(f.Table.Head, c.String())
	}
	for _, name := range steps {
		row := []string{name}
		for _, c := range step.Columns() {
			row = append(row, fmt.Sprint(t[name][c]))
		}
		f.Table.add(row...)
	}
	for _, c := range stepColumns {
		bars := stack{head: "step", parts: []string{c.String()}}
		for _, name := range steps {
			bars.bars = append(bars.bars, bar{name, name, []float64{float64(t[name][c])}})
		}
		f.addBars(c.String(), bars)
	}
	return f
}

// maxPlaces bounds the rows of the tables of places and functions.
const maxPlaces = 30

// heapFigure is the live memory over time, and the places that allocated it.
func heapFigure(file string, h *heap.Result) figure {
	f := figure{
		Title: "Live memory: " + file,
		Note: fmt.Sprintf("%s. Allocated %d bytes in all, %d at the peak, %d kept at the end.",
			h.Command, h.Total.Bytes, h.AtPeak.Bytes, h.AtEnd.Bytes),
		Table: table{Head: []string{"allocated by", "bytes in all", "blocks", "bytes at the peak", "bytes at the end"}},
	}
	for _, p := range h.Places[:min(len(h.Places), maxPlaces)] {
		f.Table.add(h.Function(p), fmt.Sprint(p.TotalBytes), fmt.Sprint(p.TotalBlocks), fmt.Sprint(p.PeakBytes), fmt.Sprint(p.EndBytes))
	}
	live := chart.Series{Style: chart.Curve}
	for _, l := range h.Live {
		live.Points = append(live.Points, chart.Point{X: float64(l[0]) / 1e6, Y: float64(l[1]), Hint: text.Bytes(float64(l[1]))})
	}
	f.Variants = single(picture(&chart.Chart{
		X: chart.Axis{Name: "seconds"}, Y: chart.Axis{Name: "live memory", Label: text.Bytes}, Series: []chart.Series{live},
	}, fullWidth, panelHeight))
	return f
}

// flameFigure is a flame graph, and the functions with most samples.
func flameFigure(file string, s flame.Stacks) figure {
	f := figure{Title: "Flame graph: " + file, Table: table{Head: []string{"function", "samples", "share"}}}
	leaves := s.Leaves()
	functions := slices.SortedFunc(maps.Keys(leaves), func(a, b string) int {
		return cmp.Or(cmp.Compare(leaves[b], leaves[a]), strings.Compare(a, b))
	})
	for _, name := range functions[:min(len(functions), maxPlaces)] {
		f.Table.add(name, fmt.Sprint(leaves[name]), text.Percent(float64(leaves[name])/float64(s.Samples())))
	}
	var b strings.Builder
	_ = s.SVG(&b, file) // a builder has no error
	f.Variants = single(template.HTML(b.String()))
	return f
}

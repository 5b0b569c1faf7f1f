package report

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/step"
)

// Inside holds observations inside operations, by file name.
type Inside struct {
	Steps  map[string]step.Table
	Heaps  map[string]*heap.Summary
	Flames map[string]flame.Stacks
}

// inside shows steps, live memory and flame graphs.
func inside(in Inside) (s section, err error) {
	s = section{
		ID: "inside", Title: "Inside an operation",
		Lead: "The cost of each step, the memory that is live during the work, and where processor time goes. These figures are from passes of their own: times are disturbed.",
	}
	for _, name := range slices.Sorted(maps.Keys(in.Steps)) {
		f, err := stepFigure(name, in.Steps[name])
		if err != nil {
			return s, err
		}
		s.Units = stepUnits
		s.Figures = append(s.Figures, f)
	}
	for _, name := range slices.Sorted(maps.Keys(in.Heaps)) {
		f, err := heapFigure(name, in.Heaps[name])
		if err != nil {
			return s, err
		}
		s.Figures = append(s.Figures, f)
	}
	for _, name := range slices.Sorted(maps.Keys(in.Flames)) {
		f, err := flameFigure(name, in.Flames[name])
		if err != nil {
			return s, err
		}
		s.Figures = append(s.Figures, f)
	}
	for i := range s.Figures {
		s.Figures[i].ID = fmt.Sprintf("inside-%d", i+1)
	}
	return s, nil
}

// stepColumns are the columns that have a picture, stepUnits their names.
var (
	stepColumns = []step.Column{step.TimeNs, step.FixedMSMTerms, step.MSMTerms, step.Add, step.AllocBytes, step.Allocs, step.RandBytes}
	stepUnits   = columnNames(stepColumns)
)

func columnNames(columns []step.Column) (names []string) {
	for _, c := range columns {
		names = append(names, c.String())
	}
	return names
}

// stepFigure is a stacked bar of the steps for each column, and the whole table.
func stepFigure(file string, t step.Table) (f figure, err error) {
	f = figure{Title: "Steps: " + file, Open: true, Table: table{Head: []string{"step"}}}
	steps := slices.Sorted(maps.Keys(t))
	for c := range step.NumColumns {
		f.Table.Head = append(f.Table.Head, c.String())
	}
	for _, name := range steps {
		row := []string{name}
		for _, v := range t[name] {
			row = append(row, fmt.Sprint(v))
		}
		f.Table.add(row...)
	}
	f.Legend = legend(asBar, steps...)
	for _, c := range stepColumns {
		s := stack{bars: []string{""}, parts: steps}
		for _, name := range steps {
			s.sizes = append(s.sizes, []float64{float64(t[name][c])})
		}
		v := variant{Unit: c.String()}
		if t.Total()[c] > 0 {
			picture, err := s.draw(c.String())
			if err != nil {
				return f, err
			}
			v.Panels = single(picture)
		}
		f.Variants = append(f.Variants, v)
	}
	return f, nil
}

// maxPlaces bounds the rows of the tables of places and functions.
const maxPlaces = 30

// heapFigure is the live memory over time, and the places that allocated it.
func heapFigure(file string, h *heap.Summary) (f figure, err error) {
	f = figure{
		Title: "Live memory: " + file,
		Note: fmt.Sprintf("%s. Allocated %d bytes in all, %d at the peak, %d kept at the end.",
			h.Command, h.Total.Bytes, h.AtPeak.Bytes, h.AtEnd.Bytes),
		Table: table{Head: []string{"allocated by", "bytes in all", "blocks", "bytes at the peak", "bytes at the end"}},
	}
	for _, p := range h.Places[:min(len(h.Places), maxPlaces)] {
		f.Table.add(p.Function, fmt.Sprint(p.Total.Bytes), fmt.Sprint(p.Total.Blocks), fmt.Sprint(p.AtPeak.Bytes), fmt.Sprint(p.AtEnd.Bytes))
	}
	p := newPlot("")
	p.X.Label.Text, p.Y.Label.Text = "seconds", "bytes"
	points := make(plotter.XYs, len(h.Live))
	for i, l := range h.Live {
		points[i] = plotter.XY{X: l.At.Seconds(), Y: float64(l.Bytes)}
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return f, err
	}
	line.Color = seriesInk(0)
	p.Add(line)
	p.Y.Min = 0
	picture, err := svg(p, "live memory over time, "+file, 700, 210)
	f.Variants = []variant{{Panels: single(picture)}}
	return f, err
}

// flameFigure is a flame graph, and the functions with most samples.
func flameFigure(file string, s flame.Stacks) (f figure, err error) {
	f = figure{Title: "Flame graph: " + file, Table: table{Head: []string{"function", "samples", "share"}}}
	leaves := s.Leaves()
	functions := slices.SortedFunc(maps.Keys(leaves), func(a, b string) int {
		if leaves[a] != leaves[b] {
			return int(leaves[b] - leaves[a])
		}
		return strings.Compare(a, b)
	})
	for _, name := range functions[:min(len(functions), maxPlaces)] {
		f.Table.add(name, fmt.Sprint(leaves[name]), fmt.Sprintf("%.1f %%", 100*float64(leaves[name])/float64(s.Samples())))
	}
	var b strings.Builder
	err = s.SVG(&b, file)
	f.Variants = []variant{{Panels: single(template.HTML(b.String()))}} // SVG escapes all names
	return f, err
}

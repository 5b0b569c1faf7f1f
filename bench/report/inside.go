package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// inside shows steps, live memory and flame graphs by the name of their file.
func inside(in Input) (s section) {
	s = section{
		ID: "inside", Title: "Inside an operation",
		Lead: "The cost of each step, the memory that is live during the work, and where processor time " +
			"goes. These passes disturb times.",
	}
	for _, name := range slices.Sorted(maps.Keys(in.Steps)) {
		s.Units = in.Steps[name][0][1:]
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

// stepFigure is a bar of each step for each column, and the table.
func stepFigure(file string, rows [][]string) figure {
	f := figure{Title: "Steps: " + file}
	steps, b, d := axis{Name: "step", place: map[string]int{}}, &benchmark{Name: file},
		&result.Data{Values: map[result.Key]map[string][]float64{}}
	for i, row := range rows[1:] {
		key, values := result.Key{Name: row[0]}, map[string][]float64{}
		for j, field := range row[1:] {
			v, _ := number(field)
			values[rows[0][j+1]] = []float64{v}
		}
		d.Values[key], steps.place[row[0]] = values, i
		b.Cases = append(b.Cases, benchCase{key, map[string]string{steps.Name: row[0]}})
	}
	for _, column := range rows[0][1:] {
		f.addBars(b, d, column, []axis{steps}, []string{column}, func(benchCase, string) (string, bool) {
			return column, true
		})
	}
	f.Table = table{Head: rows[0], Rows: rows[1:]}
	return f
}

// heapFigure is the live memory over time, and the places that allocated it.
func heapFigure(file string, h *heap.Result) figure {
	f := figure{
		Title: "Live memory: " + file,
		Note: fmt.Sprintf("%s. Allocated %d bytes in all, %d at the peak, %d kept at the end.",
			h.Command, h.Total.Bytes, h.AtPeak.Bytes, h.AtEnd.Bytes),
		Table: table{Head: []string{"allocated by", "bytes in all", "blocks", "bytes at the peak",
			"bytes at the end"}},
	}
	places := slices.SortedStableFunc(slices.Values(h.Places), func(a, b heap.Place) int {
		return cmp.Or(cmp.Compare(b.PeakBytes, a.PeakBytes), cmp.Compare(b.TotalBytes, a.TotalBytes))
	})
	for _, p := range places[:min(len(places), maxFunctions)] {
		_, name, _ := strings.Cut(h.Frames[p.Frames[0]], ": ")
		f.Table.add(name, fmt.Sprint(p.TotalBytes), fmt.Sprint(p.TotalBlocks), fmt.Sprint(p.PeakBytes),
			fmt.Sprint(p.EndBytes))
	}
	live := chart.Series{Style: chart.Curve}
	for _, l := range h.Live {
		live.Points = append(live.Points,
			chart.Point{X: float64(l[0]) / 1e6, Y: float64(l[1]), Hint: text.Bytes(float64(l[1]))})
	}
	f.add("",
		&chart.Chart{X: chart.Axis{Name: "seconds"}, Y: chart.Axis{Name: "live memory", Label: text.Bytes},
			Series: []chart.Series{live}})
	return f
}

// maxFunctions bounds the rows of the tables of places and functions.
const maxFunctions = 30

// flameFigure is a flame graph, and the functions with most samples.
func flameFigure(file string, s flame.Stacks) figure {
	f := figure{Title: "Flame graph: " + file, Table: table{Head: []string{"function", "samples", "share"}}}
	leaves := s.Leaves()
	functions := slices.SortedFunc(maps.Keys(leaves), func(a, b string) int {
		return cmp.Or(cmp.Compare(leaves[b], leaves[a]), strings.Compare(a, b))
	})
	for _, name := range functions[:min(len(functions), maxFunctions)] {
		f.Table.add(name, fmt.Sprint(leaves[name]), text.Percent(float64(leaves[name])/float64(s.Samples())))
	}
	c, high := s.Chart("")
	f.high = high
	f.add("", &c)
	return f
}

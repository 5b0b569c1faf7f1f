package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/text"
)

// inside shows flame graphs by the name of their file.
func inside(flames map[string]flame.Stacks) (s section) {
	s = section{ID: "inside", Title: "Inside an operation", Lead: "Where processor time goes."}
	for _, name := range slices.Sorted(maps.Keys(flames)) {
		s.Figures = append(s.Figures, flameFigure(name, flames[name]))
	}
	return s
}

// maxFunctions bounds the rows of the table of functions.
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

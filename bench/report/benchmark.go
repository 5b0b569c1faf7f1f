package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/bench/result"
)

// benchmark is a group of cases with the same keys in their names.
type benchmark struct {
	Name  string
	Axes  []axis   // with more than one value
	Fixed []string // key=value in all cases
	Cases []benchCase
}

// axis is a part of names that differs between cases.
type axis struct {
	Name    string
	Values  []string // numbers in ascending order, others by first appearance
	Numeric bool
	place   map[string]int // of a value in Values
}

// benchCase is a case with its values of the axes.
type benchCase struct {
	Key   result.Key
	Value map[string]string
}

// title returns the name with the parts that all cases share.
func (b *benchmark) title() string {
	if len(b.Fixed) == 0 {
		return b.Name
	}
	return b.Name + " (" + strings.Join(b.Fixed, ", ") + ")"
}

// on returns the values of the axes in the form of names.
func (c benchCase) on(axes []axis) string {
	parts := make([]string, len(axes))
	for i, a := range axes {
		parts[i] = a.Name + "=" + c.Value[a.Name]
	}
	return strings.Join(parts, "/")
}

// between separates values of a case where there is no space for their keys.
const between = " · "

// brief returns the values of the axes without their keys.
func (c benchCase) brief(axes []axis) string {
	parts := make([]string, len(axes))
	for i, a := range axes {
		parts[i] = c.Value[a.Name]
	}
	return strings.Join(parts, between)
}

// numbers returns the values of a numeric axis.
func (a axis) numbers() []float64 {
	vs := make([]float64, len(a.Values))
	for i, v := range a.Values {
		vs[i], _ = number(v)
	}
	return vs
}

// number parses a value of a numeric axis; numbers as large as a hash count as
// names.
func number(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && math.Abs(v) < 1e15 && !strings.ContainsAny(s, "xXpP_")
}

// named is a parsed name: keys in order, with their values.
type named struct {
	base   string
	keys   []string
	values map[string]string
}

// takeApart parses a name. A part without = gets its position as its key;
// GOMAXPROCS gets the key "procs".
func takeApart(name string) named {
	base, parts := benchfmt.Name(name).Parts()
	n := named{base: string(base), values: map[string]string{}}
	for i, part := range parts {
		key, value, found := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		switch {
		case part[0] == '-':
			key, value = "procs", string(part[1:])
		case !found:
			key, value = fmt.Sprintf("part %d", i+1), key
		}
		if _, twice := n.values[key]; twice {
			key = fmt.Sprintf("%s (%d)", key, i+1)
		}
		n.keys = append(n.keys, key)
		n.values[key] = value
	}
	return n
}

// benchmarks groups cases by benchmark and by the keys of their names.
// Benchmarks with a single case form one group with the axis "benchmark".
func benchmarks(keys []result.Key) (all []*benchmark) {
	byName := map[string]*benchmark{}
	order := map[*benchmark][]string{}
	packages := map[string]bool{}
	for _, k := range keys {
		packages[k.Package] = true
	}
	for _, k := range keys {
		n := takeApart(k.Name)
		title := n.base
		if len(packages) > 1 {
			title = k.Package + " " + n.base
		}
		id := title + "\x00" + strings.Join(n.keys, "\x00")
		b := byName[id]
		if b == nil {
			b = &benchmark{Name: title}
			byName[id], order[b] = b, n.keys
			all = append(all, b)
		}
		b.Cases = append(b.Cases, benchCase{k, n.values})
	}
	all = joinSingles(all)
	for _, b := range all {
		b.findAxes(order[b])
	}
	return all
}

// joinSingles merges all benchmarks with a single case.
func joinSingles(all []*benchmark) (joined []*benchmark) {
	singles := &benchmark{Name: "Single cases"}
	for _, b := range all {
		if len(b.Cases) > 1 {
			joined = append(joined, b)
			continue
		}
		c := b.Cases[0]
		c.Value = map[string]string{alone: strings.TrimPrefix(b.Name+strings.TrimPrefix(c.Key.Name, takeApart(c.Key.Name).base), " ")}
		singles.Cases = append(singles.Cases, c)
	}
	if len(singles.Cases) > 0 {
		singles.Axes = []axis{{Name: alone}}
		joined = append(joined, singles)
	}
	return joined
}

// alone is the axis of benchmarks without another axis.
const alone = "benchmark"

// findAxes divides keys into axes, which differ between cases, and fixed ones.
func (b *benchmark) findAxes(keys []string) {
	if len(b.Axes) > 0 {
		keys, b.Axes = []string{alone}, nil
	}
	for _, key := range keys {
		a := axis{Name: key, Numeric: true, place: map[string]int{}}
		for _, c := range b.Cases {
			if _, seen := a.place[c.Value[key]]; !seen {
				v := c.Value[key]
				a.Values, a.place[v] = append(a.Values, v), 0
				_, is := number(v)
				a.Numeric = a.Numeric && is
			}
		}
		if len(a.Values) < 2 && key != alone {
			b.Fixed = append(b.Fixed, key+"="+a.Values[0])
			continue
		}
		if a.Numeric {
			slices.SortFunc(a.Values, func(x, y string) int {
				vx, _ := number(x)
				vy, _ := number(y)
				return cmp.Compare(vx, vy)
			})
		}
		for i, v := range a.Values {
			a.place[v] = i
		}
		b.Axes = append(b.Axes, a)
	}
}

// without returns the axes except the named ones.
func without(axes []axis, names ...string) (rest []axis) {
	for _, a := range axes {
		if !slices.Contains(names, a.Name) {
			rest = append(rest, a)
		}
	}
	return rest
}

// split groups cases by their values of axes, in the order of the values.
func split(cases []benchCase, axes []axis) (labels []string, parts map[string][]benchCase) {
	parts = map[string][]benchCase{}
	place := map[string][]int{}
	for _, c := range cases {
		label := c.on(axes)
		if parts[label] == nil {
			labels = append(labels, label)
			for _, a := range axes {
				place[label] = append(place[label], a.place[c.Value[a.Name]])
			}
		}
		parts[label] = append(parts[label], c)
	}
	slices.SortStableFunc(labels, func(a, b string) int { return slices.Compare(place[a], place[b]) })
	return labels, parts
}

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
	keys  []string // of the names, in their order
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
	return joined(axes, "/", func(a axis) string { return a.Name + "=" + c.Value[a.Name] })
}

// between separates values of a case where there is no space for their keys.
const between = " · "

// brief returns the values of the axes without their keys.
func (c benchCase) brief(axes []axis) string {
	return joined(axes, between, func(a axis) string { return c.Value[a.Name] })
}

// names returns the names of axes, as brief writes their values.
func names(axes []axis) string {
	return joined(axes, between, func(a axis) string { return a.Name })
}

func joined(axes []axis, separator string, part func(axis) string) string {
	parts := make([]string, len(axes))
	for i, a := range axes {
		parts[i] = part(a)
	}
	return strings.Join(parts, separator)
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

// parse returns the parts of a name: its base, and the keys of its values in their order.
// A part without = gets its position as its key; GOMAXPROCS gets the key "procs".
func parse(name string) (base string, keys []string, values map[string]string) {
	first, parts := benchfmt.Name(name).Parts()
	values = map[string]string{}
	for i, part := range parts {
		key, value, found := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		switch {
		case part[0] == '-':
			key, value = "procs", string(part[1:])
		case !found:
			key, value = fmt.Sprintf("part %d", i+1), key
		}
		if _, twice := values[key]; twice {
			key = fmt.Sprintf("%s (%d)", key, i+1)
		}
		keys = append(keys, key)
		values[key] = value
	}
	return string(first), keys, values
}

// alone is the axis of benchmarks without another axis.
const alone = "benchmark"

// benchmarks groups cases by benchmark and by the keys of their names.
// Benchmarks with a single case form one group with the axis "benchmark".
func benchmarks(cases []result.Key) (all []*benchmark) {
	byName := map[string]*benchmark{}
	var ids []string
	severalPackages := slices.ContainsFunc(cases, func(k result.Key) bool {
		return k.Package != cases[0].Package
	})
	for _, k := range cases {
		title, keys, values := parse(k.Name)
		if severalPackages {
			title = k.Package + " " + title
		}
		id := title + "\x00" + strings.Join(keys, "\x00")
		if byName[id] == nil {
			ids, byName[id] = append(ids, id), &benchmark{Name: title, keys: keys}
		}
		byName[id].Cases = append(byName[id].Cases, benchCase{k, values})
	}
	singles := &benchmark{Name: "Single cases", keys: []string{alone}}
	for _, id := range ids {
		b := byName[id]
		if c := b.Cases[0]; len(b.Cases) == 1 {
			base, _, _ := parse(c.Key.Name)
			c.Value = map[string]string{alone: strings.TrimPrefix(b.Name+strings.TrimPrefix(c.Key.Name, base),
				" ")}
			singles.Cases = append(singles.Cases, c)
		} else {
			all = append(all, b)
		}
	}
	if len(singles.Cases) > 0 {
		all = append(all, singles)
	}
	for _, b := range all {
		b.findAxes()
	}
	return all
}

// findAxes divides keys into axes, which differ between cases, and fixed ones.
func (b *benchmark) findAxes() {
	for _, key := range b.keys {
		a := axis{Name: key, Numeric: true, place: map[string]int{}}
		for _, c := range b.Cases {
			v := c.Value[key]
			if _, seen := a.place[v]; !seen {
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

package count

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

var layerNames = [numLayers]string{Inside: "inside", Precomputed: "precomputed"}

// String returns the name of e in files: "msm[4]", "inside G2 add". One of two
// sums of 65 terms in a call is "msm[65/130]"; over a table of 134 points it is
// "fixed-msm[65/130/134]".
func (e Event) String() string {
	var parts []string
	if e.Layer != Outer {
		parts = append(parts, layerNames[e.Layer])
	}
	if e.Group != "" {
		parts = append(parts, e.Group)
	}
	name := e.Op.String()
	switch {
	case e.Table != 0:
		name += fmt.Sprintf("[%d/%d/%d]", e.Size, e.Call, e.Table)
	case e.Call != 0:
		name += fmt.Sprintf("[%d/%d]", e.Size, e.Call)
	case e.Size != 1:
		name += fmt.Sprintf("[%d]", e.Size)
	}
	return strings.Join(append(parts, name), " ")
}

// MarshalText makes Counts a JSON object.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText parses the output of MarshalText.
func (e *Event) UnmarshalText(b []byte) error {
	*e = Event{}
	words := strings.Split(string(b), " ")
	name, sizes, sized := strings.Cut(words[len(words)-1], "[")
	words = words[:len(words)-1]
	if len(words) > 0 {
		if l := slices.Index(layerNames[:], words[0]); l > 0 {
			e.Layer, words = Layer(l), words[1:]
		}
	}
	e.Group = strings.Join(words, " ")
	e.Op = parseOp(name)
	e.Size = 1
	if sized {
		e.size(strings.TrimSuffix(sizes, "]"))
	}
	// A name that was parsed leniently differs from its canonical form.
	if e.String() != string(b) {
		return fmt.Errorf("%q is not the name of an event", b)
	}
	return nil
}

// size parses the numbers in brackets. Non-numeric fields are read as 0.
func (e *Event) size(list string) {
	for i, to := range []*int{&e.Size, &e.Call, &e.Table} {
		if fields := strings.Split(list, "/"); i < len(fields) {
			n, _ := strconv.ParseUint(fields[i], 10, 31)
			*to = int(n)
		}
	}
}

// Sorted returns the events of c in a fixed order: outer ones first, then by
// operation, group and size.
func (c Counts) Sorted() []Event {
	return slices.SortedFunc(maps.Keys(c), func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Op, b.Op),
			cmp.Compare(a.Group, b.Group), cmp.Compare(a.Size, b.Size),
			cmp.Compare(a.Call, b.Call), cmp.Compare(a.Table, b.Table))
	})
}

// TermCounts returns the size of each call of op, smallest first.
func (c Counts) TermCounts(op Op) (sizes []int) {
	for _, e := range c.Sorted() {
		if e.Op == op && e.Layer == Outer {
			sizes = append(sizes, slices.Repeat([]int{e.Size}, int(c[e]))...)
		}
	}
	return sizes
}

// many formats "1 doubling", "7 doublings".
func many(n uint64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.FormatUint(n, 10) + " " + word + "s"
}

func (t Tally) text() string {
	return many(t.Adds, "addition") + ", " + many(t.Negs, "negation") + ", " + many(t.Doubles, "doubling")
}

// Groups returns the names of the groups of c, in order; the name of a single group and
// of G1 is empty.
func (c Counts) Groups() []string {
	names := map[string]bool{}
	for e := range c {
		names[e.Group] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// Text formats both views of c, one line for each view and one for each other
// counted operation. Several groups follow each other.
func (c Counts) Text() string {
	groups := c.Groups()
	if len(groups) < 2 {
		return c.text()
	}
	var b strings.Builder
	for _, group := range groups {
		fmt.Fprintf(&b, "%s\n%s", cmp.Or(group, "G1"), indent(c.In(group).text()))
	}
	return b.String()
}

func (c Counts) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "total: %s\n", c.Total().text())
	fmt.Fprintf(&b, "outer: %s\n", c.Outer().text())
	if p := c.Layer(Precomputed); p != (Tally{}) {
		fmt.Fprintf(&b, "precomputed, kept with the bases: %s\n", p.text())
	}
	fmt.Fprintf(&b, "%s\n", many(c.Calls(ScalarMul), "scalar multiplication"))
	fmt.Fprintf(&b, "%s, terms %v\n", many(c.Calls(MSM), "multi-scalar multiplication"), c.TermCounts(MSM))
	for _, op := range Ops() {
		if n := c.Calls(op); n > 0 && op > MSM { // the others are in the lines above
			fmt.Fprintf(&b, "%s: %d, terms %v\n", op, n, c.TermCounts(op))
		}
	}
	return b.String()
}

// Text formats each bucket under its name, in order.
func (p Phases) Text() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&b, "%s\n%s", cmp.Or(name, "(no phase)"), indent(p[name].Text()))
	}
	return b.String()
}

func indent(lines string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n  ") + "\n"
}

package count

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

var opNames = [numOps]string{
	Add: "add", Double: "double", Neg: "neg",
	ScalarMul: "scalar-mul", MSM: "msm", FixedMSM: "fixed-msm",
	Sum: "sum", SumPow2: "sum-pow2", SumBits: "sum-bits",
	Table: "table", BitTable: "bit-table",
	HashToCurve: "hash-to-curve", Encode: "encode", Decode: "decode",
	Pairing: "pairing", FinalExp: "final-exp",
	FieldMul: "field-mul", FieldInv: "field-inv", FieldExp: "field-exp",
}

var layerNames = [numLayers]string{Inside: "inside", Precomputed: "precomputed"}

func (o Op) String() string { return opNames[o] }

// String is the name of e in files: "msm[4]", "inside G2 add"; for one of two sums
// of 65 terms in a call "msm[65/130]", over a table of 134 points
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

// MarshalText makes Counts objects of JSON.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads what MarshalText wrote.
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
	e.Op = Op(max(slices.Index(opNames[:], name), 0))
	e.Size = 1
	if sized {
		e.size(strings.TrimSuffix(sizes, "]"))
	}
	// Whatever was left out or read leniently shows here.
	if e.String() != string(b) {
		return fmt.Errorf("%q is not the name of an event", b)
	}
	return nil
}

// size reads what stands in brackets; what is no number becomes 0.
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

// Words are what a community calls the operations, one and several of each.
type Words struct{ Add, Neg, Double, ScalarMul, MSM [2]string }

// Additive and Multiplicative are the two ways to write a group.
var (
	Additive = Words{
		Add: [2]string{"addition", "additions"}, Neg: [2]string{"negation", "negations"},
		Double:    [2]string{"doubling", "doublings"},
		ScalarMul: [2]string{"scalar multiplication", "scalar multiplications"},
		MSM:       [2]string{"multi-scalar multiplication", "multi-scalar multiplications"},
	}
	Multiplicative = Words{
		Add: [2]string{"operation", "operations"}, Neg: [2]string{"inversion", "inversions"},
		Double:    [2]string{"squaring", "squarings"},
		ScalarMul: [2]string{"exponentiation", "exponentiations"},
		MSM:       [2]string{"multi-exponentiation", "multi-exponentiations"},
	}
)

// many writes "1 doubling", "7 doublings".
func many(n uint64, word [2]string) string {
	if n == 1 {
		return "1 " + word[0]
	}
	return strconv.FormatUint(n, 10) + " " + word[1]
}

// Text writes t in w.
func (t Tally) Text(w Words) string {
	return many(t.Adds, w.Add) + ", " + many(t.Negs, w.Neg) + ", " + many(t.Doubles, w.Double)
}

// summarised are the operations that Text shows in lines of their own kind.
var summarised = []Op{Add, Double, Neg, ScalarMul, MSM}

// Text writes both views of c in w, a line each, and a line for each other
// operation that was counted.
func (c Counts) Text(w Words) string {
	var b strings.Builder
	fmt.Fprintf(&b, "total: %s\n", c.Total().Text(w))
	fmt.Fprintf(&b, "outer: %s\n", c.Outer().Text(w))
	if p := c.Layer(Precomputed); p != (Tally{}) {
		fmt.Fprintf(&b, "precomputed, kept with the bases: %s\n", p.Text(w))
	}
	fmt.Fprintf(&b, "%s\n", many(c.Calls(ScalarMul), w.ScalarMul))
	fmt.Fprintf(&b, "%s, terms %v\n", many(c.Calls(MSM), w.MSM), c.TermCounts(MSM))
	for op := range numOps {
		if n := c.Calls(op); n > 0 && !slices.Contains(summarised, op) {
			fmt.Fprintf(&b, "%s: %d, terms %v\n", op, n, c.TermCounts(op))
		}
	}
	return b.String()
}

// Text writes each bucket in w under its name, in order.
func (p Phases) Text(w Words) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&b, "%s\n%s", cmp.Or(name, "(no phase)"), indent(p[name].Text(w)))
	}
	return b.String()
}

func indent(lines string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n  ") + "\n"
}

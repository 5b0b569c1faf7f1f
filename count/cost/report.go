package cost

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/text"
)

// Operation holds the counts and times of one operation.
type Operation struct {
	Name     string
	Counts   count.Phases
	Measured time.Duration // time of one operation without counting
	Spread   float64       // spread of the measurements, as in Costs.Spread
}

// WriteTree prints the outer and total counts of op by phase and group, the
// predicted time of each, its share, and the measured time of the whole.
func WriteTree(w io.Writer, op Operation, costs *Costs) error {
	all := op.Counts.Total()
	whole, unknown := costs.predict(all)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	columns := columnsOf(all)
	fmt.Fprint(t, "phase")
	for _, c := range columns {
		fmt.Fprint(t, "\t"+c.name)
	}
	fmt.Fprintln(t, "\tpredicted\tshare")
	op.Counts.Walk(op.Name, func(depth int, name string, counts count.Counts) {
		ns, _ := costs.predict(counts)
		fmt.Fprintf(t, "%s%s", strings.Repeat("  ", depth), name)
		for _, c := range columns {
			fmt.Fprint(t, "\t"+c.cell(counts))
		}
		share := ""
		if whole > 0 {
			share = fmt.Sprintf("%.1f%%", 100*ns/whole)
		}
		fmt.Fprintf(t, "\t%s\t%s\n", text.Duration(ns), share)
	})
	if err := t.Flush(); err != nil {
		return err
	}
	for _, e := range unknown {
		fmt.Fprintf(w, "not predicted: %d × %v\n", all[e], e)
	}
	_, err := fmt.Fprintf(w,
		"predicted %s, measured %s, ratio %.2f; half of the measurements are within %.1f%% of each other\n",
		text.Duration(whole), text.Duration(float64(op.Measured)), float64(op.Measured)/whole, 100*op.Spread)
	return err
}

// column is a column of the table: one operation of one group.
type column struct {
	name string
	cell func(count.Counts) string
}

// columnsOf returns the columns of the operations that all has. If all has
// several groups, each group has its columns.
func columnsOf(all count.Counts) (columns []column) {
	groups := all.Groups()
	add := func(group, name string, cell func(count.Counts) string) {
		of := func(c count.Counts) string { return cell(c.In(group)) }
		if len(groups) > 1 {
			name = cmp.Or(group, "G1") + " " + name
		}
		if of(all) != number(0) {
			columns = append(columns, column{name, of})
		}
	}
	for _, group := range groups {
		add(group, "add", func(c count.Counts) string { return number(c.Outer().Adds) })
		add(group, "double", func(c count.Counts) string { return number(c.Outer().Doubles) })
		add(group, "neg", func(c count.Counts) string { return number(c.Outer().Negs) })
		for _, op := range count.Ops() {
			if !op.IsSum() {
				add(group, op.String(), func(c count.Counts) string { return calls(c, op) })
			}
		}
		if all.In(group).Inside() != (count.Tally{}) {
			add(group, "total add", func(c count.Counts) string { return number(c.Total().Adds) })
			add(group, "total double", func(c count.Counts) string { return number(c.Total().Doubles) })
		}
	}
	return columns
}

func number(n uint64) string {
	if n == 0 {
		return "."
	}
	return fmt.Sprint(n)
}

// calls writes the number of calls, and of their terms if they have several.
func calls(c count.Counts, op count.Op) string {
	if c.Calls(op) == c.Terms(op) {
		return number(c.Calls(op))
	}
	return fmt.Sprintf("%d (%d terms)", c.Calls(op), c.Terms(op))
}

// WriteCosts prints the unit costs of one curve; functions of the size take a
// line for each size.
func WriteCosts(w io.Writer, curve string, c *Costs) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\tterms\ta call\ta term\n", curve)
	for _, op := range slices.Sorted(maps.Keys(c.Ops)) {
		writeCurve(t, op, c.Ops[op])
	}
	for _, op := range slices.Sorted(maps.Keys(c.Inside)) {
		writeCurve(t, "inside: "+op, c.Inside[op])
	}
	for _, l := range c.Lockstep {
		sums := make(Curve, len(l.Calls))
		for i, s := range l.Calls {
			sums[i] = Sample{s.Size * l.Terms, s.NS}
		}
		writeCurve(t, fmt.Sprintf("msms, sums of %d", l.Terms), sums)
	}
	for _, f := range c.Fixed {
		name := fmt.Sprintf("fixed-msm, table of %d points, %d kB", f.Table, f.Bytes>>10)
		writeCurve(t, name+", one sum", f.One)
		writeCurve(t, name+", two sums", f.Two)
		writeCurve(t, name+", sums of 1", f.Each)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "half of the samples of a figure are within %.1f%% of each other\n",
		100*c.Spread)
	return err
}

func writeCurve(t io.Writer, name string, c Curve) {
	for _, s := range c {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\n", name, s.Size, text.Duration(s.NS),
			text.Duration(s.NS/float64(s.Size)))
		name = ""
	}
}

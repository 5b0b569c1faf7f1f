package gate

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// row is one line of the table, with the reasons for its verdict.
type row struct {
	name  string
	cells []string
	why   string
}

var header = []string{"unit", "base", "head", "change", "interval", "verdict"}

func newRow(c Comparison, name string) row {
	between := ""
	if c.tested() {
		between = interval(c.Shift)
	}
	return row{name,
		[]string{c.Unit, value(c, c.Base), value(c, c.Head), text.Change(c.Shift.Value), between,
			string(c.Verdict)}, explanation(c)}
}

// value formats a median, with all digits if it is exact.
func value(c Comparison, s Side) string {
	if c.Rule.Kind == exact {
		return strconv.FormatFloat(s.Median, 'g', -1, 64)
	}
	return benchunit.Scale(s.Median, benchunit.ClassOf(c.Unit))
}

func interval(s Shift) string {
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return "unknown"
	}
	return text.Change(s.Lo) + " … " + text.Change(s.Hi)
}

// explanation returns the reasons for a verdict.
func explanation(c Comparison) string {
	var reasons []string
	switch {
	case c.Verdict == Same && c.tested():
		reasons = append(reasons, "no regression over "+text.Percent(c.Rule.Limit))
	case c.Verdict == Unknown && c.load && c.Why == "":
		reasons = append(reasons, "needs longer runs")
	}
	if c.Why != "" {
		reasons = append(reasons, c.Why)
	}
	if fold := math.Abs(c.fold); c.Verdict == Unknown && fold >= 2 {
		names := []string{"HEAD", "BASE"}
		if c.fold < 0 {
			slices.Reverse(names)
		}
		reasons = append(reasons,
			fmt.Sprintf("each result of %s is at least %s-fold each of %s", names[0], text.Number(fold),
				names[1]))
	}
	switch {
	case c.load && c.noInterval == "":
		reasons = append(reasons, fmt.Sprintf("p=%.3f", c.P))
	case c.tested() && !c.load:
		reasons = append(reasons, fmt.Sprintf("p=%.3f n=%d+%d", c.P, c.Base.N, c.Head.N),
			"repeated "+text.Percent(c.Floor))
		if c.layouts.several {
			reasons = append(reasons, "relinked "+text.Percent(c.Relinked))
		}
	}
	if len(c.Grown) > 0 {
		reasons = append(reasons, grownText(c.Grown))
	}
	return strings.Join(reasons, ", ")
}

// order is the order of verdicts in summaries: verdicts that need attention
// come first.
var order = []Verdict{Regression, Unknown, Layout, Changed, Improvement, Same}

// sorted returns the comparisons by verdict, then from worst to best.
func (r Report) sorted() []Comparison {
	cs := slices.Clone(r.Comparisons)
	slices.SortStableFunc(cs, func(a, b Comparison) int {
		return cmp.Or(
			cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict)),
			cmp.Compare(b.worsening(b.Shift.Value), a.worsening(a.Shift.Value)))
	})
	return cs
}

// plural returns the name of a verdict for n comparisons.
func plural(v Verdict, n int) string {
	switch {
	case v == Unknown:
		return "cannot tell"
	case v == Layout:
		return "changed by the layout of the binary"
	case v == Same || v == Changed || n == 1:
		return string(v)
	}
	return string(v) + "s"
}

// verdicts returns the first line of a summary.
func (r Report) verdicts() string {
	var parts []string
	for _, v := range order {
		if n := r.Count(v); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, plural(v, n)))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "no comparison")
	}
	kinds := [...]string{missing, fresh, unmeasured}
	for i, n := range []int{len(r.Missing), len(r.New), len(r.Unmeasured)} {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kinds[i]))
		}
	}
	if r.Interrupted {
		parts = append(parts, "interrupted")
	}
	return strings.Join(parts, ", ")
}

// WriteText writes a report as text: the outcome, the notes, then a table,
// without the cases that are the same unless all is set.
func (r Report) WriteText(to io.Writer, all bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s → %s: %s\n", r.Outcome(), r.Base, r.Head, r.verdicts())
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for _, why := range r.Incomplete {
		fmt.Fprintf(&b, "incomplete: %s\n", why)
	}
	for _, o := range r.others() {
		fmt.Fprintf(&b, "%s: %s\n", o.what, o.cell)
	}
	for _, c := range r.Contended {
		fmt.Fprintf(&b, "more cores, slower: %s\n", c)
	}
	for _, why := range r.Renamed {
		fmt.Fprintf(&b, "renamed? %s\n", why)
	}
	if rows := r.rows(all, all); len(rows) > 0 {
		b.WriteString("\n")
		if err := table(&b, rows); err != nil {
			return err
		}
	}
	if len(r.Comparisons) > 0 {
		look := ""
		if r.Alpha != significance { // it shares the error of all looks
			look = fmt.Sprintf(", look %d", r.Looks)
		}
		fmt.Fprintf(&b,
			"\nintervals: %.4g %% confidence%s; false alarms: at most %.4g %% for all %d together\n",
			100*(1-2*r.Alpha), look, 100*significance, len(r.Comparisons))
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// The reasons for which a case was not compared.
const (
	missing    = "missing"
	fresh      = "new"
	unmeasured = "not measured"
)

// other is a case that was not compared.
type other struct {
	what string
	cell Cell
}

func (r Report) others() (all []other) {
	for _, m := range r.Missing {
		all = append(all, other{missing, m})
	}
	for _, c := range r.New {
		all = append(all, other{fresh, c})
	}
	for _, k := range r.Unmeasured {
		all = append(all, other{unmeasured, Cell{Key: k}})
	}
	return all
}

// rows returns the comparisons to show, and the clocks beside them that are not judged.
func (r Report) rows(all, beside bool) (rows []row) {
	name := r.names()
	for _, c := range r.sorted() {
		if all || c.Verdict != Same {
			rows = append(rows, newRow(c, name(c.Key)))
		}
	}
	for _, c := range r.Beside {
		if beside {
			rows = append(rows, newRow(c, name(c.Key)))
			rows[len(rows)-1].cells[len(header)-1] = "not judged"
			if c.Unit == throughput {
				rows[len(rows)-1].cells[len(header)-1] = "derived"
			}
		}
	}
	return rows
}

// names returns a function that shortens the names of cases to the last part of
// their package, if that distinguishes the packages of the report.
func (r Report) names() func(result.Key) string {
	packages := map[string]string{}
	short := true
	for _, c := range r.Comparisons {
		full := c.Key.Package
		other, seen := packages[path.Base(full)]
		short = short && (!seen || other == full)
		packages[path.Base(full)] = full
	}
	return func(k result.Key) string {
		if short && k.Package != "" {
			k.Package = path.Base(k.Package)
		}
		return Cell{Key: k}.String()
	}
}

// String names a case and unit.
func (c Cell) String() string {
	name := c.Key.Name
	if c.Key.Package != "" {
		name = c.Key.Package + "." + name
	}
	if c.Unit == "" {
		return name
	}
	return name + " " + c.Unit
}

// table writes rows below the names of their cases, with aligned columns and the
// reasons below the figures.
func table(b *strings.Builder, rows []row) error {
	// All figures are one table, so that its columns are aligned; the lines between
	// are the names and the reasons.
	t := text.Table{Align: "lrrrrl", Head: header, Indent: "  "}
	first := map[string]int{} // row of a case
	for i, r := range slices.Backward(rows) {
		first[r.name] = i
	}
	rows = slices.SortedStableFunc(slices.Values(rows), func(a, b row) int {
		return first[a.name] - first[b.name]
	})
	for _, r := range rows {
		t.Rows = append(t.Rows, r.cells)
	}
	var figures strings.Builder
	if err := t.Write(&figures, 0); err != nil {
		return err
	}
	lines := strings.Split(figures.String(), "\n")
	b.WriteString(lines[0] + "\n")
	for i, r := range rows {
		if i == 0 || r.name != rows[i-1].name {
			b.WriteString(text.Visible(r.name) + "\n")
		}
		b.WriteString(lines[i+1] + "\n")
		if r.why != "" {
			b.WriteString(text.Indent("    ", text.Visible(r.why), text.DefaultWidth) + "\n")
		}
	}
	return nil
}

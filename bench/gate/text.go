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
	"unicode/utf8"

	"golang.org/x/perf/benchunit"

	"github.com/zkatbench/zkatbench/bench/result"
)

// percent formats a share with three digits and at most two decimals.
func percent(share float64) string {
	switch p := math.Abs(100 * share); {
	case p == 0:
		return "0 %"
	case math.IsInf(share, 1):
		return "∞ %"
	case math.IsInf(share, -1):
		return "-∞ %"
	case p >= 99.95:
		return strconv.FormatFloat(100*share, 'f', 0, 64) + " %"
	case p >= 9.995:
		return strconv.FormatFloat(100*share, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(100*share, 'f', 2, 64) + " %"
}

// signed formats a change in percent, with its sign.
func signed(share float64) string {
	if share > 0 {
		return "+" + percent(share)
	}
	return percent(share)
}

// share100 formats a share without rounding.
func share100(share float64) string { return strconv.FormatFloat(100*share, 'g', 6, 64) + " %" }

// row is one line of the table, with the reasons for its verdict.
type row struct{ name, unit, base, head, change, interval, verdict, why string }

var header = row{"case", "unit", "base", "head", "change", "interval", "verdict", ""}

func newRow(c Comparison, name string) row {
	r := row{
		name: name, unit: c.Unit, base: value(c, c.Base), head: value(c, c.Head),
		change: signed(c.Shift.Value), verdict: string(c.Verdict), why: explanation(c),
	}
	if c.tested() {
		r.interval = interval(c.Shift)
	}
	return r
}

// value formats a median, with all digits if it is exact.
func value(c Comparison, s Side) string {
	if c.Rule.Kind == Exact {
		return strconv.FormatFloat(s.Median, 'g', -1, 64)
	}
	return benchunit.Scale(s.Median, benchunit.ClassOf(c.Unit))
}

func interval(s Shift) string {
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return "unknown"
	}
	return signed(s.Lo) + " … " + signed(s.Hi)
}

// explanation returns the reasons for a verdict.
func explanation(c Comparison) string {
	var reasons []string
	switch {
	case c.Verdict == Same && c.tested():
		reasons = append(reasons, "no regression over "+share100(c.Rule.Limit))
	case c.Verdict == Unknown && c.load && c.Why == "":
		reasons = append(reasons, "needs longer runs")
	case c.Verdict == Unknown && c.load:
	case c.Verdict == Unknown && c.Why != "":
	case c.Verdict == Unknown && c.Runs > 0:
		reasons = append(reasons, fmt.Sprintf("needs about %d runs", c.Runs))
	case c.Verdict == Unknown && c.tested():
		reasons = append(reasons, fmt.Sprintf("needs more than %d runs", maxRuns))
	}
	if c.Why != "" {
		reasons = append(reasons, c.Why)
	}
	switch {
	case c.load && c.noInterval == "":
		reasons = append(reasons, fmt.Sprintf("p=%.3f", c.P))
	case c.tested() && !c.load:
		reasons = append(reasons, fmt.Sprintf("p=%.3f n=%d+%d", c.P, c.Base.N, c.Head.N), "repeated "+percent(c.Floor))
		if c.layouts.several {
			reasons = append(reasons, "relinked "+percent(c.Relinked))
		}
	}
	if len(c.Grown) > 0 {
		reasons = append(reasons, grownText(c.Grown))
	}
	return strings.Join(reasons, ", ")
}

// order is the order of verdicts in summaries: the ones that need attention
// come first.
var order = []Verdict{Regression, Unknown, Layout, Improvement, Same}

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
	case v == Same || n == 1:
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
	if n := len(r.Missing); n > 0 {
		parts = append(parts, fmt.Sprintf("%d missing", n))
	}
	if n := len(r.New); n > 0 {
		parts = append(parts, fmt.Sprintf("%d new", n))
	}
	if n := len(r.Unmeasured); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not measured", n))
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
	rows := r.rows(all)
	if all {
		rows = append(rows, r.besideRows()...)
	}
	if len(rows) > 0 {
		b.WriteString("\n")
		table(&b, rows)
	}
	if len(r.Comparisons) > 0 {
		fmt.Fprintf(&b, "\nintervals: %.4g %% confidence%s; false alarms: at most %.4g %% for all %d together\n",
			100*(1-2*r.Alpha), looksOf(r), 100*significance, len(r.Comparisons))
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// looksOf explains the level of a look: it shares the error of all looks.
func looksOf(r Report) string {
	if r.Alpha == significance {
		return ""
	}
	return fmt.Sprintf(", look %d", r.Looks)
}

// other is a case that was not compared.
type other struct {
	what string
	cell Cell
}

func (r Report) others() (all []other) {
	for _, m := range r.Missing {
		all = append(all, other{"missing", m})
	}
	for _, k := range r.New {
		all = append(all, other{"new", Cell{Key: k}})
	}
	for _, k := range r.Unmeasured {
		all = append(all, other{"not measured", Cell{Key: k}})
	}
	return all
}

// rows returns the comparisons to show.
func (r Report) rows(all bool) (rows []row) {
	name := r.names()
	for _, c := range r.sorted() {
		if all || c.Verdict != Same {
			rows = append(rows, newRow(c, name(c.Key)))
		}
	}
	return rows
}

// besideRows returns the figures of the clocks that are not judged.
func (r Report) besideRows() (rows []row) {
	name := r.names()
	for _, c := range r.Beside {
		row := newRow(c, name(c.Key))
		row.verdict = "not judged"
		rows = append(rows, row)
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

func (r row) cells() []string {
	return []string{r.unit, r.base, r.head, r.change, r.interval, r.verdict}
}

// table writes rows below the names of their cases, with aligned columns and the
// reasons below the figures. Numbers are right-aligned.
func table(b *strings.Builder, rows []row) {
	width := make([]int, len(header.cells()))
	for _, r := range append(rows, header) {
		for i, c := range r.cells() {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	line := func(r row) {
		b.WriteString(" ")
		for i, c := range r.cells() {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			switch i {
			case 0:
				b.WriteString(" " + c + pad)
			case len(width) - 1:
				b.WriteString("  " + c)
			default:
				b.WriteString("  " + pad + c)
			}
		}
		b.WriteString("\n")
	}
	line(header)
	for i, r := range rows {
		if slices.ContainsFunc(rows[:i], func(earlier row) bool { return earlier.name == r.name }) {
			continue
		}
		b.WriteString(r.name + "\n")
		for _, same := range rows[i:] {
			if same.name != r.name {
				continue
			}
			line(same)
			if same.why != "" {
				b.WriteString("    " + same.why + "\n")
			}
		}
	}
}

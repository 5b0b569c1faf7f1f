package gate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
)

// object is a JSON object.
type object map[string]any

// add adds a value that is known.
func (o object) add(name string, value any, known bool) {
	if known {
		o[name] = value
	}
}

// WriteJSON writes a report as JSON. Shares are fractions: 0.05 is 5 %. Values are in
// the base unit that benchstat shows (sec/op). Unknown values are absent.
func (r Report) WriteJSON(to io.Writer) error {
	out := object{
		"outcome": r.Outcome(), "base": r.Base, "head": r.Head, "interrupted": r.Interrupted,
		"alpha": r.Alpha, "looks": r.Looks,
		"comparisons": objects(r.Comparisons),
	}
	cells := map[string][]object{missing: {}, fresh: {}, unmeasured: {}}
	for _, o := range r.others() {
		cells[o.what] = append(cells[o.what], o.cell.object())
	}
	out["missing"], out["new"], out["unmeasured"] = cells[missing], cells[fresh], cells[unmeasured]
	out.add("incomplete", r.Incomplete, len(r.Incomplete) > 0)
	out.add("slower_with_more_cores", texts(r.Contended), len(r.Contended) > 0)
	out.add("renamed", r.Renamed, len(r.Renamed) > 0)
	out.add("notes", r.Notes, len(r.Notes) > 0)
	out.add("revisions", r.Revisions, r.Revisions != [2]string{})
	out.add("not_judged", objects(r.Beside), len(r.Beside) > 0)
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// texts are the sentences on benchmarks that are slower with more processors.
func texts(cs []Contention) (all []string) {
	for _, c := range cs {
		all = append(all, c.String())
	}
	return all
}

// object is a case, with the unit if it names one.
func (c Cell) object() object {
	o := object{"package": c.Key.Package, "name": c.Key.Name}
	o.add("unit", c.Unit, c.Unit != "")
	return o
}

func objects(cs []Comparison) []object {
	all := []object{}
	for _, c := range cs {
		o := Cell{c.Key, c.Unit}.object()
		o["kind"], o["verdict"], o["base"] = c.Rule.Kind, c.Verdict, c.Base
		o["head"], o["limit"] = c.Head, c.Rule.Limit
		figures := map[string]float64{"shift": c.Shift.Value, "floor": c.Floor}
		if c.tested() {
			figures["lo"], figures["hi"] = c.Shift.Lo, c.Shift.Hi
			figures["p"], figures["adjusted_p"] = c.P, c.Adjusted
		}
		for name, x := range figures {
			o.add(name, x, finite([]float64{x}))
		}
		o.add("relinked_floor", c.Relinked, c.Relinked != 0)
		o.add("why", c.Why, c.Why != "")
		o.add("more_time_in", c.Grown, len(c.Grown) > 0)
		all = append(all, o)
	}
	return all
}

// WriteMarkdown writes a report for a job summary of GitHub: a table of the
// comparisons that need attention, and the others folded.
func (r Report) WriteMarkdown(to io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Benchmarks: %s\n\n%s → %s: %s.\n", r.Outcome(), text.Code(r.Base), text.Code(r.Head),
		r.verdicts())
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "* %s\n", text.Markdown(n))
	}
	for _, why := range r.Incomplete {
		fmt.Fprintf(&b, "* incomplete: %s\n", text.Markdown(why))
	}
	for _, o := range r.others() {
		fmt.Fprintf(&b, "* %s: %s\n", o.what, text.Code(o.cell.String()))
	}
	for _, c := range r.Contended {
		fmt.Fprintf(&b, "* more cores, slower: %s\n", text.Markdown(c.String()))
	}
	for _, why := range r.Renamed {
		fmt.Fprintf(&b, "* renamed? %s\n", text.Markdown(why))
	}
	markdownTable(&b, r.rows(false, false))
	if same := r.rows(true, false)[len(r.rows(false, false)):]; len(same) > 0 {
		fmt.Fprintf(&b, "\n<details><summary>%d the same</summary>\n", len(same))
		markdownTable(&b, same)
		b.WriteString("\n</details>\n")
	}
	if len(r.Comparisons) > 0 {
		fmt.Fprintf(&b,
			"\nIntervals have %.4g %% confidence; false alarms: at most %.4g %% for all comparisons "+
				"together.\n", 100*(1-2*r.Alpha), 100*significance)
	}
	_, err := io.WriteString(to, b.String())
	return err
}

func markdownTable(b *strings.Builder, rows []row) {
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n| case | " + strings.Join(header, " | ") +
		" |\n| --- | --- | ---: | ---: | ---: | ---: | --- |\n")
	for _, r := range rows {
		line := "| " + text.Code(r.name)
		for _, cell := range r.cells {
			line += " | " + text.Markdown(cell)
		}
		if r.why != "" {
			line += " (" + text.Markdown(r.why) + ")"
		}
		b.WriteString(line + " |\n")
	}
}

package gate

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes a report for a job summary of GitHub: a table of the
// comparisons that need attention, and the others folded.
func (r Report) WriteMarkdown(to io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Benchmarks: %s\n\n%s → %s: %s.\n", r.Outcome(), code(r.Base), code(r.Head), r.verdicts())
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "* %s\n", escape(n))
	}
	for _, why := range r.Incomplete {
		fmt.Fprintf(&b, "* incomplete: %s\n", escape(why))
	}
	for _, o := range r.others() {
		fmt.Fprintf(&b, "* %s: %s\n", o.what, code(o.cell.String()))
	}
	markdownTable(&b, r.rows(false))
	if same := r.rows(true)[len(r.rows(false)):]; len(same) > 0 {
		fmt.Fprintf(&b, "\n<details><summary>%d the same</summary>\n", len(same))
		markdownTable(&b, same)
		b.WriteString("\n</details>\n")
	}
	if len(r.Comparisons) > 0 {
		fmt.Fprintf(&b, "\nIntervals have %.4g %% confidence; false alarms: at most %.4g %% for all comparisons together.\n", 100*(1-2*r.Alpha), 100*significance)
	}
	_, err := io.WriteString(to, b.String())
	return err
}

func markdownTable(b *strings.Builder, rows []row) {
	for i, r := range append([]row{header}, rows...) {
		verdict := r.verdict
		if r.why != "" {
			verdict += " (" + r.why + ")"
		}
		cells := []string{r.name, r.unit, r.base, r.head, r.change, r.interval, verdict}
		for k := range cells {
			cells[k] = escape(cells[k])
		}
		if i > 0 {
			cells[0] = code(r.name)
		}
		switch {
		case len(rows) == 0:
		case i == 0:
			b.WriteString("\n| " + strings.Join(cells, " | ") + " |\n| --- | --- | ---: | ---: | ---: | ---: | --- |\n")
		default:
			b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		}
	}
}

// code formats a name literally, also inside a table.
func code(name string) string {
	return "`" + strings.NewReplacer("`", "'", "|", "\\|", "\n", " ").Replace(name) + "`"
}

func escape(text string) string {
	return strings.NewReplacer("|", "\\|", "<", "&lt;", "*", "\\*", "_", "\\_", "`", "\\`", "~", "\\~", "\n", " ").Replace(text)
}

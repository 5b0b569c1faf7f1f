package gate

import (
	"fmt"
	"github.com/zkatbench/zkatbench/text"
	"io"
	"strings"
)

// WriteMarkdown writes a report for a job summary of GitHub: a table of the
// comparisons that need attention, and the others folded.
func (r Report) WriteMarkdown(to io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Benchmarks: %s\n\n%s → %s: %s.\n", r.Outcome(), text.Code(r.Base), text.Code(r.Head), r.verdicts())
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "* %s\n", text.Markdown(n))
	}
	for _, why := range r.Incomplete {
		fmt.Fprintf(&b, "* incomplete: %s\n", text.Markdown(why))
	}
	for _, o := range r.others() {
		fmt.Fprintf(&b, "* %s: %s\n", o.what, text.Code(o.cell.String()))
	}
	markdownTable(&b, r.rows(false, false))
	if same := r.rows(true, false)[len(r.rows(false, false)):]; len(same) > 0 {
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
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n| case | " + strings.Join(header, " | ") + " |\n| --- | --- | ---: | ---: | ---: | ---: | --- |\n")
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

package report

import (
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/render"
)

// details shows the text report of each run as a table: plan, offered and achieved
// rate, service and response times with their intervals, errors, memory, garbage
// collection, machine, and its findings.
func details(loads []Load) (s section, err error) {
	s = section{ID: "runs", Title: "Runs under load"}
	said := map[string]string{} // text of each kind of finding in the headline
	for _, l := range loads {
		f := figure{
			Title: l.label(),
			Table: table{Head: []string{"section", "figure", "value", "interval or remark"}},
		}
		parts, err := render.Parts(l.Result, render.Options{})
		if err != nil {
			return s, err
		}
		for k, p := range parts {
			title := p.Title
			if k == 0 {
				title = "" // the name of the report, which is the title of the figure
			}
			for _, line := range p.Lines {
				f.Table.add(title, line.Name, line.Value, line.Remark)
				title = ""
			}
		}
		for k, found := range judge.Findings(l.Result) {
			title := ""
			if k == 0 {
				title = "Findings"
			}
			if said[found.Kind] == "" {
				said[found.Kind] = found.Observed
			}
			if said[found.Kind] == found.Observed {
				found.Observed = "in the summary"
			}
			f.Table.add(title, found.Kind, "", found.Observed)
		}
		s.Figures = append(s.Figures, f)
	}
	return s, nil
}

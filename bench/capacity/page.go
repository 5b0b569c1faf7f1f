package capacity

import (
	_ "embed"
	"html/template"
	"io"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed arithmetic.js
	arithmetic string
	//go:embed page.js
	pageJS string

	pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"ms": ms}).Parse(pageHTML))
)

// Percent is the share in percent.
func (s Share) Percent() string { return text(100 * s.Share) }

// Page writes p as a page without other files, with settings that can be changed:
// the browser computes the tables and charts from the measured figures. The page
// starts with the style sheet, such as report.Style.
func (p *Plan) Page(w io.Writer, style template.CSS) error {
	var warnings []string
	seen := map[string]bool{"": true}
	for _, c := range p.Choices {
		if !seen[c.Warning] {
			seen[c.Warning] = true
			warnings = append(warnings, c.Warning)
		}
	}
	return pageTemplate.Execute(w, struct {
		Plan                        *Plan
		Style                       template.CSS
		Script                      template.JS
		Utilisation, P99, Retention string
		Warnings                    []string
		Shown                       int
	}{
		p, style, template.JS(arithmetic + pageJS), text(100 * p.Settings.Utilisation), text(p.Settings.P99.Seconds() * 1e3),
		retentionText(p.Settings.Retention), warnings, max(0, p.shown()),
	})
}

package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
)

// page is the content from top to bottom.
type page struct {
	Title    string
	Headline headline
	Sections []section
	Style    template.CSS
	Script   template.JS
}

// add adds a section and draws its charts. Figures without an address get a number.
// Charts without data, or of numbers too large for a picture, are not drawn.
func (p *page) add(s section) {
	for i := range s.Figures {
		f := &s.Figures[i]
		f.ID = cmp.Or(f.ID, fmt.Sprintf("%s-%d", s.ID, i+1))
		width, height := panelWidth, panelHeight
		if len(f.Panels) == 1 {
			width, height = fullWidth, cmp.Or(f.high, fullHeight)
		}
		for k, one := range f.Panels {
			f.Panels[k].Picture = template.HTML(one.chart.SVG(width, height)) // which escapes all names
		}
		f.Panels = slices.DeleteFunc(f.Panels, func(one panel) bool { return one.Picture == "" })
	}
	p.Sections = append(p.Sections, s)
}

// section is a topic. Several units make it switchable.
type section struct {
	ID, Title, Lead string
	Units           []string
	Figures         []figure
}

// figure is one or more charts, or a grid for each unit, with a legend and a table.
type figure struct {
	ID, Title string
	Note      string
	Legend    []entry
	Panels    []panel
	Grids     []grid
	Table     table // shown instead of a missing picture
	high      float64
}

// add adds a chart. The page filters by its name.
func (f *figure) add(name string, c *chart.Chart) {
	f.Panels = append(f.Panels, panel{Name: name, chart: c})
}

// entry describes one series in a legend.
type entry struct {
	Class, Mark, Text string
}

// grid is a table with colours or pictures in its cells, for a unit or for all.
type grid struct {
	Unit  string
	Class string // of the style sheet: heat or strips
	Head  []cell
	Rows  []gridRow
}

// gridRow is a case, or several. The page filters by its name.
type gridRow struct {
	Name, Label string
	Cells       []cell
}

// cell has a text, a smaller one, or a picture. Heat is from 0 to 1.
type cell struct {
	Text, Small string
	Class, Hint string // of the style sheet; under the pointer
	Heat        float64
	Picture     template.HTML
}

// panel is a chart with its picture.
type panel struct {
	Name    string
	chart   *chart.Chart
	Picture template.HTML
}

// Sizes of pictures in pixels: one in a row, or two or three panels in a row.
const (
	fullWidth, fullHeight   = 930.0, 380.0
	panelWidth, panelHeight = 370.0, 270.0
)

// table is the data of a figure, as text for readers and for machines.
type table text.Table

func (t *table) add(cells ...string) { t.Rows = append(t.Rows, cells) }

// CSV returns the table as a data URL.
func (t table) CSV() (template.URL, error) {
	var b bytes.Buffer
	rows := [][]string{inert(t.Head)}
	for _, row := range t.Rows {
		rows = append(rows, inert(row))
	}
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return "", err
	}
	return template.URL("data:text/csv;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

// inert puts an apostrophe before text cells that a spreadsheet would evaluate
// as formulas: cells that begin with =, +, - or @, or with a tab or return.
// Numbers and percentages stay unchanged.
func inert(row []string) []string {
	cells := make([]string, len(row))
	for i, c := range row {
		cells[i] = c
		if _, err := strconv.ParseFloat(strings.TrimSuffix(c, " %"), 64); err != nil && c != "" &&
			strings.ContainsRune("=+-@\t\r", rune(c[0])) {
			cells[i] = "'" + c
		}
	}
	return cells
}

// legend describes series in the order of their inks. Without a mark each has
// the sign of its points.
func legend(mark string, texts ...string) (all []entry) {
	for i, t := range texts {
		all = append(all,
			entry{fmt.Sprintf("ink-%d", i%chart.Colours), cmp.Or(mark, chart.Signs[i%len(chart.Signs)]), t})
	}
	return all
}

// Marks in legends for series without points.
const (
	asLine = "━"
	asBar  = "■"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string

	pageTemplate = template.Must(template.New("page").Parse(pageHTML))
)

// style is the style sheet of a report, for other pages that look like it.
func style() template.CSS { return template.CSS(chart.Palette + pageCSS) }

func (p page) write(w io.Writer) error {
	p.Style, p.Script = style(), template.JS(pageJS)
	return pageTemplate.Execute(w, p)
}

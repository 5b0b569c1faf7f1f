package report

import (
	"errors"
	"fmt"
	"io"
)

// ErrEmpty reports an empty Input.
var ErrEmpty = errors.New("there is nothing to draw")

// maxCases is the number of cases of a page, which browsers still open.
const maxCases = 20_000

// Write writes the page.
func Write(w io.Writer, in Input) error {
	p := page{Title: in.Title}
	if err := p.fill(in); err != nil {
		return err
	}
	if len(p.Sections) == 0 {
		return ErrEmpty
	}
	return p.write(w)
}

// fill adds the sections with content.
func (p *page) fill(in Input) error {
	var all []*benchmark
	if in.Results != nil && len(in.Results.Cases) > maxCases {
		return fmt.Errorf("the files have %d cases, and a page shows %d at most: measure or keep fewer with -bench", len(in.Results.Cases), maxCases)
	}
	if in.Results != nil {
		all = benchmarks(in.Results.Cases)
	}
	found := changesOf(in)
	p.Headline = headlineOf(in, found)
	for _, make := range []func() (section, error){
		func() (section, error) { return tables(in.Tables), nil },
		func() (section, error) { return comparison(in.Base, in.Results, all, found), nil },
		func() (section, error) { return samples(in.Base, in.Results, all, found), nil },
		func() (section, error) { return matrix(in.Results, all, found), nil },
		func() (section, error) { return lines(in.Results, all, found) },
		func() (section, error) { return counts(in.Results, all) },
		func() (section, error) { return inside(in.Inside) },
		func() (section, error) { return latencies(in.Loads) },
		func() (section, error) { return details(in.Loads) },
		func() (section, error) { return scaling(in.Results, all, in.Loads) },
		func() (section, error) { return trends(in.Trends) },
		func() (section, error) { return environment(in), nil },
	} {
		s, err := make()
		if err != nil {
			return err
		}
		if len(s.Figures) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	return nil
}

// tables shows the tables that have rows.
func tables(all []Table) (s section) {
	s = section{ID: "tables", Title: "Findings"}
	for i, t := range all {
		if len(t.Rows) > 0 {
			s.Figures = append(s.Figures, figure{ID: fmt.Sprintf("table-%d", i+1), Title: t.Title, Note: t.Note, Table: table{t.Head, t.Rows}, Open: true})
		}
	}
	return s
}

package report

import (
	"io"
)

// Write writes the page.
func Write(w io.Writer, in Input) error {
	p := page{Title: in.Title}
	if err := p.fill(in); err != nil {
		return err
	}
	return p.write(w)
}

// fill adds the sections that in has anything for.
func (p *page) fill(in Input) error {
	if in.Results != nil {
		all := benchmarks(in.Results.Cases)
		p.Sections = append(p.Sections, environment(in.Files, in.Results), matrix(in.Results, all))
		s, err := lines(in.Results, all)
		if err != nil {
			return err
		}
		p.Sections = append(p.Sections, s)
	}
	return nil
}

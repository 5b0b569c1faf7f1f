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
	var all []*benchmark
	p.Sections = append(p.Sections, environment(in))
	if in.Results != nil {
		all = benchmarks(in.Results.Cases)
		p.Sections = append(p.Sections, matrix(in.Results, all))
	}
	for _, make := range []func() (section, error){
		func() (section, error) { return comparison(in.Base, in.Results, all) },
		func() (section, error) { return lines(in.Results, all) },
		func() (section, error) { return counts(in.Results, all) },
		func() (section, error) { return latencies(in.Loads) },
		func() (section, error) { return scaling(in.Results, all, in.Loads) },
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

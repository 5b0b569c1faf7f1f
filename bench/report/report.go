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

// Write writes the page, with the sections that have content.
func Write(w io.Writer, in Input) error {
	var all []*benchmark
	if in.Results != nil {
		if n := len(in.Results.Cases); n > maxCases {
			return fmt.Errorf("the files have %d cases, and a page shows %d at most: measure or keep fewer "+
				"with -bench", n, maxCases)
		}
		all = benchmarks(in.Results.Cases)
	}
	runs, err := details(in.Loads)
	if err != nil {
		return err
	}
	found := changesOf(in)
	p := page{Title: in.Title, Headline: headlineOf(in, found)}
	for i, g := range in.Charts {
		p.add(group(fmt.Sprintf("charts-%d", i+1), g))
	}
	for _, s := range []section{
		results(in.Base, in.Results, all, found), matrix(in.Results, all, found),
		lines(in.Results, all, found), counts(in.Results, all),
		inside(in), latencies(in.Loads), runs, scaling(in.Results, all, in.Loads), trends(in.Trends),
		environment(in),
	} {
		if len(s.Figures) > 0 {
			p.add(s)
		}
	}
	if len(p.Sections) == 0 {
		return ErrEmpty
	}
	return p.write(w)
}

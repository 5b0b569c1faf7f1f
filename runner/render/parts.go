package render

import (
	"io"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Part is a section of the text report.
type Part struct {
	Title string
	Lines []Line
}

// Line is a line of a Part. Any field may be empty.
type Line struct{ Name, Value, Remark string }

// Parts returns the text report of r as data, without its pictures and findings.
// The first part is the head of the report. Like Text, it refuses a Result that
// violates a law of measurement.
func Parts(r *result.Result, o Options) ([]Part, error) {
	if err := judge.Check(r); err != nil {
		return nil, err
	}
	p := newPage(io.Discard, o)
	p.found = judge.Findings(r)
	p.parts = new([]Part)
	p.figures(r)
	p.machine(r)
	return *p.parts, p.err
}

// collect appends a line to the last part.
func (p *page) collect(l Line) {
	last := &(*p.parts)[len(*p.parts)-1]
	last.Lines = append(last.Lines, l)
}

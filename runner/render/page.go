package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/judge"
)

// Options says how a report looks.
type Options struct {
	Name   string
	Colour bool // only for a terminal, never under NO_COLOR
	Width  int  // columns; 0 is 80
	ASCII  bool
}

const minWidth = 30

// page lays out lines in a number of columns, and keeps the first error of its
// writer.
type page struct {
	w     io.Writer
	o     Options
	found []judge.Finding // findings of the Result shown
	parts *[]Part         // collects lines instead of writing them, unless nil
	// reason is the last reason for a missing interval.
	reason string
	// step is the least difference that latencies must show.
	step float64
	err  error
}

func newPage(w io.Writer, o Options) *page {
	if o.Width == 0 {
		o.Width = text.DefaultWidth
	}
	o.Width = max(o.Width, minWidth)
	return &page{w: w, o: o}
}

func (p *page) printf(format string, args ...any) {
	if p.err != nil {
		return
	}
	_, p.err = io.WriteString(p.w, p.plain(fmt.Sprintf(format, args...)))
}

// plain returns s as it will be written; replacements may make it longer.
func (p *page) plain(s string) string {
	if p.o.ASCII {
		return text.ASCII(s)
	}
	return s
}

func (p *page) section(name string) {
	p.printf("\n") // nowhere while parts are collected
	p.title(bold, name)
}

const (
	nameWidth  = 16
	valueWidth = 14
	indent     = 2
)

// line prints a name, a value and a remark. The remark goes on lines below if
// it does not fit.
func (p *page) line(name, value, remark string) {
	if p.parts != nil {
		p.collect(Line{name, value, remark})
		return
	}
	value, remark = p.plain(value), p.plain(remark)
	head := fmt.Sprintf("%*s%-*s %*s", indent, "", nameWidth, name, valueWidth, value)
	if remark != "" && text.Len(head+"  "+remark) > p.o.Width {
		p.printf("%s\n", head)
		p.wrapped(strings.Repeat(" ", 2*indent+2), remark)
		return
	}
	if remark != "" {
		head += "  " + remark
	}
	p.printf("%s\n", head)
}

// wrapped prints foreign text over several lines; the first begins with margin, the
// others with blanks of the same width.
func (p *page) wrapped(margin, line string) {
	if p.parts != nil {
		p.collect(Line{Value: strings.TrimSpace(margin), Remark: line})
		return
	}
	p.printf("%s\n", text.Indent(p.plain(margin), p.plain(line), p.o.Width))
}

// title prints a line, in a colour unless it is empty.
func (p *page) title(colour, line string) {
	if p.parts != nil {
		*p.parts = append(*p.parts, Part{Title: line})
		return
	}
	for _, line := range text.Wrap(p.plain(line), p.o.Width) {
		p.printf("%s\n", p.paint(colour, line))
	}
}

const (
	bold   = "1"
	red    = "31"
	yellow = "33"
	green  = "32"
	grey   = "90"
)

func (p *page) paint(code, s string) string {
	if !p.o.Colour || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func perSecond(v float64) string {
	switch {
	case v >= 1e6:
		return text.Number(v/1e6) + " M ops/s"
	case v >= 1e4:
		return text.Number(v/1e3) + " k ops/s"
	}
	return text.Number(v) + " ops/s"
}

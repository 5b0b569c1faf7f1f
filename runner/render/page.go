package render

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// Options says how a report looks.
type Options struct {
	Name   string
	Colour bool // only for a terminal, never under NO_COLOR
	Width  int  // columns; 0 is 80
	ASCII  bool
	// Limits replace thresholds of findings; see runner.Thresholds.
	Limits map[string]float64
}

const (
	defaultWidth = 80
	leastWidth   = 30
)

// page lays out lines on so many columns, and keeps the first error of its
// writer.
type page struct {
	w   io.Writer
	o   Options
	err error
}

func newPage(w io.Writer, o Options) *page {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	o.Width = max(o.Width, leastWidth)
	return &page{w: w, o: o}
}

// ascii replaces what the text has beyond ASCII.
var ascii = strings.NewReplacer("µ", "u", "–", "-", "—", "-", "×", "x", "±", "+-", "…", "...", "⋮", ":", "κ", "kappa", "σ", "sigma", "·", "*")

// printf writes; an escape byte in what it was given, as in an error message,
// is shown and not obeyed.
func (p *page) printf(format string, args ...any) {
	if p.err != nil {
		return
	}
	s := fmt.Sprintf(format, args...)
	if !p.o.Colour {
		s = strings.ReplaceAll(s, "\x1b", `\x1b`)
	}
	if p.o.ASCII {
		s = ascii.Replace(s)
	}
	_, p.err = io.WriteString(p.w, s)
}

func (p *page) section(name string) { p.printf("\n%s\n", p.paint(bold, name)) }

const (
	nameWidth  = 16
	valueWidth = 14
	indent     = 2
)

// line prints a name, a value, and a remark, which goes below if it does not
// fit beside.
func (p *page) line(name, value, remark string) {
	head := fmt.Sprintf("%*s%-*s %*s", indent, "", nameWidth, name, valueWidth, value)
	width := utf8.RuneCountInString(head)
	if remark != "" && width+2+utf8.RuneCountInString(remark) > p.o.Width {
		p.printf("%s\n", head)
		p.wrapped(strings.Repeat(" ", 2*indent+2), remark)
		return
	}
	if remark != "" {
		head += "  " + remark
	}
	p.printf("%s\n", head)
}

// wrapped prints text in lines that begin with margin.
func (p *page) wrapped(margin, text string) {
	line := margin
	for _, word := range strings.Fields(text) {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > p.o.Width && strings.TrimSpace(line) != "" && line != margin {
			p.printf("%s\n", line)
			line = strings.Repeat(" ", utf8.RuneCountInString(margin))
		}
		if line != "" && !strings.HasSuffix(line, " ") {
			line += " "
		}
		line += word
	}
	p.printf("%s\n", line)
}

const (
	bold   = "1"
	red    = "31"
	yellow = "33"
	green  = "32"
)

func (p *page) paint(code, s string) string {
	if !p.o.Colour {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// short writes nanoseconds with three digits and a unit.
func short(ns float64) string {
	units := []struct {
		size float64
		name string
	}{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}
	for i, u := range units {
		if v := ns / u.size; math.Abs(v) < 999.5 || i == len(units)-1 {
			return digits(v) + " " + u.name
		}
	}
	return ""
}

// digits writes v with three significant digits and no exponent.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a == 0:
		return "0"
	case a >= 99.95:
		return fmt.Sprintf("%.0f", v)
	case a >= 9.995:
		return fmt.Sprintf("%.1f", v)
	case a >= 0.995:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// count writes a whole number in groups of three.
func count[T int | int64 | uint64](n T) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

func perSecond(v float64) string {
	switch {
	case v >= 1e6:
		return digits(v/1e6) + " M ops/s"
	case v >= 1e4:
		return digits(v/1e3) + " k ops/s"
	}
	return digits(v) + " ops/s"
}

// percent writes a share.
func percent(v float64) string { return digits(100*v) + " %" }

package render

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zkatbench/zkatbench/runner"
)

// Options says how a report looks.
type Options struct {
	Name   string
	Colour bool // only for a terminal, never under NO_COLOR
	Width  int  // columns; 0 is 80
	ASCII  bool
	// Limits overrides thresholds of findings; see runner.Thresholds.
	Limits map[string]float64
}

const (
	defaultWidth = 80
	minWidth     = 30
)

// page lays out lines in a number of columns, and keeps the first error of its
// writer.
type page struct {
	w     io.Writer
	o     Options
	found []runner.Finding // findings of the Result shown
	parts *[]Part          // collects lines instead of writing them, unless nil
	err   error
}

func newPage(w io.Writer, o Options) *page {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	o.Width = max(o.Width, minWidth)
	return &page{w: w, o: o}
}

// ascii replaces the non-ASCII characters of our texts.
var ascii = strings.NewReplacer("µ", "u", "–", "-", "—", "-", "×", "x", "\ufffd", "?", "±", "+-", "…", "...", "⋮", ":", "κ", "kappa", "σ", "sigma", "·", "*")

// ASCII replaces all non-ASCII characters of s.
func ASCII(s string) string {
	return strings.Map(func(c rune) rune {
		if c > unicode.MaxASCII {
			return '?'
		}
		return c
	}, ascii.Replace(s))
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
		return ASCII(s)
	}
	return s
}

// visible replaces control characters of foreign text, such as an error
// message, so that they do not reach the terminal.
func visible(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
			return '\ufffd'
		}
		return c
	}, s)
}

func (p *page) section(name string) {
	if p.parts != nil {
		*p.parts = append(*p.parts, Part{Title: name})
		return
	}
	p.printf("\n")
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

// wrapped prints text over several lines; the first begins with margin, the
// others with blanks of the same width.
func (p *page) wrapped(margin, text string) {
	if p.parts != nil {
		p.collect(Line{Value: strings.TrimSpace(margin), Remark: text})
		return
	}
	for _, line := range wrap(margin, p.plain(text), p.o.Width) {
		p.printf("%s\n", line)
	}
}

// title prints text in bold.
func (p *page) title(colour, text string) {
	if p.parts != nil {
		*p.parts = append(*p.parts, Part{Title: text})
		return
	}
	for _, line := range wrap("", p.plain(text), p.o.Width) {
		p.printf("%s\n", p.paint(colour, line))
	}
}

// wrap breaks text between words, and words that are longer than a line.
func wrap(margin, text string, width int) (lines []string) {
	line, room := margin, width-utf8.RuneCountInString(margin)
	blank := strings.Repeat(" ", width-room)
	empty := true
	for word := range strings.FieldsSeq(text) {
		for {
			n := utf8.RuneCountInString(word)
			switch {
			case !empty && n+1 <= room:
				line, room, word = line+" "+word, room-n-1, ""
			case empty && n <= room:
				line, room, word, empty = line+word, room-n, "", false
			case empty:
				cut := []rune(word)
				lines, word = append(lines, line+string(cut[:room])), string(cut[room:])
				line, room = blank, width-utf8.RuneCountInString(blank)
				continue
			default:
				lines = append(lines, line)
				line, room, empty = blank, width-utf8.RuneCountInString(blank), true
				continue
			}
			break
		}
	}
	return append(lines, line)
}

const (
	bold   = "1"
	red    = "31"
	yellow = "33"
	green  = "32"
	grey   = "90"
)

func (p *page) paint(code, s string) string {
	if !p.o.Colour {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// short formats nanoseconds with three digits and a unit.
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

// digits formats v with three significant digits and no exponent.
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

// round removes trailing zeros after the decimal point.
func round(v string) string {
	number, unit, _ := strings.Cut(v, " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return strings.TrimSpace(number + " " + unit)
}

// count formats a whole number in groups of three digits.
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

// percent formats a share.
func percent(v float64) string { return digits(100*v) + " %" }

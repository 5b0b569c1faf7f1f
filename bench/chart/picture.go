package chart

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
)

// Palette is a style sheet that defines the colours: --text, --faint and --line, --good
// and --bad, and --s0 to --s7 for series.
//
//go:embed palette.css
var Palette string

// Colours is the number of colours for series.
const Colours = 8

// Colour is the colour of the i-th series.
func Colour(i int) string { return fmt.Sprintf("var(--s%d)", i%Colours) }

// Picture is SVG text in the making: of a chart, or of the row of a table. Elements are
// written in order; Open and Close nest them. Colours are variables of Palette, so that a
// picture is right on light and on dark paper, inside a page and alone.
type Picture struct{ written strings.Builder }

// attributes are names and values in turns. Values are strings, or numbers, which
// get two decimals at most.
type attributes []any

// Open begins an element.
func (p *Picture) Open(tag string, as ...any) { p.tag(tag, as, ">") }

// Close ends the element tag.
func (p *Picture) Close(tag string) { fmt.Fprintf(&p.written, "</%s>\n", tag) }

// Empty writes an element without content.
func (p *Picture) Empty(tag string, as ...any) { p.tag(tag, as, "/>\n") }

// Text writes an element with text.
func (p *Picture) Text(tag, words string, as ...any) {
	p.tag(tag, as, ">")
	p.written.WriteString(escaper.Replace(text.Visible(words)))
	p.Close(tag)
}

func (p *Picture) tag(tag string, as attributes, end string) {
	p.written.WriteString("<" + tag)
	for i := 0; i+1 < len(as); i += 2 {
		fmt.Fprintf(&p.written, ` %s="%s"`, as[i], escaper.Replace(text.Visible(Value(as[i+1]))))
	}
	p.written.WriteString(end)
}

// String returns the text.
func (p *Picture) String() string { return p.written.String() }

// Value formats the value of an attribute.
func Value(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		s := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
		if s == "-0" || s == "" {
			return "0"
		}
		return s
	}
	return fmt.Sprint(v)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")

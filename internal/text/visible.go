package text

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns foreign text, such as a name or an error message, on one line:
// characters that a terminal obeys instead of printing are written as in JSON, a
// line feed as \u000a. Bytes that are not UTF-8 become U+FFFD.
func Visible(s string) string { return visible(s, "") }

// VisibleLines is Visible for text of several lines: it keeps line feeds and tabs.
func VisibleLines(s string) string { return visible(s, "\n\t") }

func visible(s, kept string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return hidden(c) || c == utf8.RuneError }) {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		switch {
		case !hidden(c) || strings.ContainsRune(kept, c):
			b.WriteRune(c)
		case c > 0xffff:
			fmt.Fprintf(&b, "\\U%08x", c)
		default:
			fmt.Fprintf(&b, "\\u%04x", c)
		}
	}
	return b.String()
}

// hidden reports whether c is invisible: a control character, a character that changes
// the direction or the joining of others, or a separator of lines.
func hidden(c rune) bool {
	return c < ' ' || c > '~' && (unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp))
}

// Printer writes text with its control characters made visible, except line feeds
// and tabs, and colours where Colour allows them. Each Write is a separate text.
type Printer struct{ io.Writer }

var colours = regexp.MustCompile("\x1b\\[[0-9]*m")

// Write returns the length of b, or 0 and the error of the writer.
func (p Printer) Write(b []byte) (int, error) {
	shown, rest := "", string(b)
	for colour := Colour(p); colour; {
		at := colours.FindStringIndex(rest)
		if at == nil {
			break
		}
		shown, rest = shown+VisibleLines(rest[:at[0]])+rest[at[0]:at[1]], rest[at[1]:]
	}
	if _, err := io.WriteString(p.Writer, shown+VisibleLines(rest)); err != nil {
		return 0, err
	}
	return len(b), nil
}

var (
	markdown = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`, "\n",
		" ")
	literal = strings.NewReplacer("`", "'", "|", `\|`, "\n", " ")
	ascii   = strings.NewReplacer("µ", "u", "–", "-", "—", "-", "×", "x", "\ufffd", "?", "±", "+-", "…",
		"...", "⋮", ":", "κ", "kappa", "σ", "sigma", "·", "*", "→", "->", "∞", "inf")
)

// Markdown returns foreign text as a part of a line or a table of Markdown.
func Markdown(s string) string { return Visible(markdown.Replace(s)) }

// Code returns a foreign name as code in Markdown, also inside a table.
func Code(s string) string { return "`" + Visible(literal.Replace(s)) + "`" }

// ASCII replaces all characters of s outside ASCII.
func ASCII(s string) string {
	return strings.Map(func(c rune) rune {
		if c > unicode.MaxASCII {
			return '?'
		}
		return c
	}, ascii.Replace(s))
}

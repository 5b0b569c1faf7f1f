package text

import (
	"math"
	"strings"
	"unicode/utf8"
)

// DefaultWidth is the number of columns where the terminal does not say it.
const DefaultWidth = 80

// Len returns the number of columns that s takes.
func Len(s string) int { return utf8.RuneCountInString(s) }

// Cut shortens s to width columns, with an ellipsis. It is for names, not numbers.
func Cut(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:max(width-1, 0)]) + "…"
	}
	return s
}

// Wrap breaks s between words into lines of at most width columns; a width of 0 is
// unlimited. A number stays with the word that follows, if both fit on a line. A word
// longer than a line is broken, after a comma if it has one. The result has at least
// one line.
func Wrap(s string, width int) []string {
	if width <= 0 {
		width = math.MaxInt
	}
	var parts []string
	number := false
	for _, word := range strings.Fields(s) {
		if last := len(parts) - 1; number && Len(parts[last])+1+Len(word) <= width {
			parts[last] += " " + word
		} else {
			parts = append(parts, word)
		}
		number = strings.Trim(word, "0123456789.,+-±×…") == "" && !strings.HasSuffix(word, ",")
	}
	lines := []string{""}
	for _, part := range parts {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = part
		case Len(*last)+1+Len(part) <= width:
			*last += " " + part
		default:
			lines = append(lines, part)
		}
		for r := []rune(lines[len(lines)-1]); len(r) > width; {
			end := width
			if comma := strings.LastIndexByte(string(r[:width]), ','); comma >= 0 {
				end = Len(string(r[:width])[:comma]) + 1
			}
			lines = append(lines[:len(lines)-1], string(r[:end]), string(r[end:]))
			r = r[end:]
		}
	}
	return lines
}

// Indent is Wrap with a margin before the first line and blanks before the others.
func Indent(margin, s string, width int) string {
	if width > 0 {
		width = max(width-Len(margin), 1)
	}
	return margin + strings.Join(Wrap(s, width), "\n"+strings.Repeat(" ", Len(margin)))
}

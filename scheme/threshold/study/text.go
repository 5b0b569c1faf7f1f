package study

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// columns writes rows as columns: the first one flush left, the others flush right.
func columns(w io.Writer, rows [][]string) error {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line.WriteString(cell + fill)
			} else {
				line.WriteString("  " + fill + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// short writes a duration with four digits: "1.424 s", "66.06 ms", "0 s".
func short(d time.Duration) string {
	for _, u := range []struct {
		size time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d >= u.size {
			v := float64(d) / float64(u.size)
			decimals := max(0, 3-int(math.Log10(v)))
			return strconv.FormatFloat(v, 'f', decimals, 64) + " " + u.name
		}
	}
	if d == 0 {
		return "0 s"
	}
	return fmt.Sprintf("%d ns", d.Nanoseconds())
}

// plain writes a duration without trailing zeros: "0 s", "100 ms".
func plain(d time.Duration) string {
	number, unit, _ := strings.Cut(short(d), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + " " + unit
}

// seconds writes a number of seconds as a duration.
func seconds(s float64) string { return short(time.Duration(s * float64(time.Second))) }

// spaced writes a number with a blank between each three digits.
func spaced(v float64) string {
	s := strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// bounds writes an interval, or that there are too few samples for one.
func (f Figure) bounds(digits int) string {
	if !f.Bounded {
		return "[6 samples give an interval]"
	}
	return fmt.Sprintf("[%.*f, %.*f]", digits, f.Interval.Low, digits, f.Interval.High)
}

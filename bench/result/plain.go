package result

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/perf/benchfmt"
)

// plain is the output of go test as lines of UTF-8, read from any form of file.
type plain struct {
	lines  []string
	origin []int    // number of each line in the file, from 1
	lost   []string // benchmarks with an unreadable line: line and reason
}

// errUTF16 reports a file that begins as UTF-16 and has half a character at its end.
var errUTF16 = errors.New("begins with the mark of UTF-16, and has an odd number of bytes")

// plainOf reads all forms of kept go test output: plain text, UTF-16 with a byte-order
// mark as the shell of Windows redirects it, and the events of go test -json. If a
// program printed into a result line and there is only one way to repair the line,
// plainOf repairs it.
func plainOf(text []byte) (plain, error) {
	text, err := utf8Of(text)
	if err != nil {
		return plain{}, err
	}
	var p plain
	if isEvents(text) {
		p, err = eventsOf(text)
		if err != nil {
			return plain{}, err
		}
	} else {
		for i, line := range strings.Split(string(text), "\n") {
			p.lines, p.origin = append(p.lines, strings.TrimSuffix(line, "\r")), append(p.origin, i+1)
		}
	}
	p.repair()
	return p, nil
}

// utf8Of decodes text with a byte-order mark.
func utf8Of(text []byte) ([]byte, error) {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		return text[3:], nil
	case bytes.HasPrefix(text, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(text, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return text, nil
	}
	if len(text)%2 != 0 {
		return nil, errUTF16
	}
	units := make([]uint16, len(text)/2-1)
	for i := range units {
		units[i] = order.Uint16(text[2+2*i:])
	}
	return []byte(string(utf16.Decode(units))), nil
}

// event is a line of go test -json (go doc test2json).
type event struct{ Action, Package, Test, Output string }

// isEvents reports whether text begins with an event of go test -json.
func isEvents(text []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	var e event
	return bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &e) == nil && e.Action != ""
}

// eventsOf joins the output of events, package by package, since go test runs packages
// at the same time. An event may hold a part of a line.
func eventsOf(text []byte) (plain, error) {
	type part struct {
		text   strings.Builder
		origin []int
	}
	parts, order, n := map[string]*part{}, []string(nil), 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return plain{}, fmt.Errorf("line %d is not an event of go test -json: %w", n, err)
		}
		if e.Action != "output" {
			continue
		}
		p := parts[e.Package]
		if p == nil {
			p = &part{}
			parts[e.Package], order = p, append(order, e.Package)
		}
		for range strings.Count(e.Output, "\n") {
			p.origin = append(p.origin, n)
		}
		p.text.WriteString(e.Output)
	}
	var all plain
	for _, name := range order {
		p := parts[name]
		lines := strings.Split(p.text.String(), "\n")
		all.lines = append(all.lines, lines...)
		all.origin = append(append(all.origin, p.origin...), n) // the last line has no end
	}
	return all, nil
}

// figures match the rest of a result line as package testing prints it: iterations of at
// most seven digits, padded to eight columns, and a first figure. Digits that a
// program printed before them cannot be part of the number.
var figures = regexp.MustCompile(`( {7}\d| {6}\d{2}| {5}\d{3}| {4}\d{4}|` +
	` {3}\d{5}| {2}\d{6}| \d{7})\t *[0-9.]+ \S+.*$`)

// repair joins the name and the figures of results that a program printed between, on the
// same line or up to its end of line. Other result lines with foreign text are lost.
func (p *plain) repair() {
	for i := range p.lines {
		line := p.lines[i]
		name, rest, found := strings.Cut(line, "\t")
		if !found || !strings.HasPrefix(line, "Benchmark") || strings.TrimSpace(rest) == "" ||
			isResult(line) {
			continue
		}
		name = strings.TrimSpace(name)
		first := strings.Fields(rest)[0]
		if _, err := strconv.Atoi(first); err == nil || strings.Contains(name, " ") {
			continue // the line has its iterations: another kind of damage
		}
		tail := figures.FindString(rest)
		if tail == "" && i+1 < len(p.lines) && figures.FindString(p.lines[i+1]) == p.lines[i+1] {
			tail = p.lines[i+1]
			p.lines[i+1] = ""
		}
		if joined := name + "\t" + tail; tail != "" && isResult(joined) {
			p.lines[i] = joined
			continue
		}
		p.lost = append(p.lost,
			fmt.Sprintf("line %d: %s is missing: a program printed into its line", p.origin[i], name))
		p.lines[i] = ""
	}
}

// isResult reports whether a line has the form of a result.
func isResult(line string) bool {
	r := benchfmt.NewReader(strings.NewReader(line), "")
	r.Scan()
	_, ok := r.Result().(*benchfmt.Result)
	return ok
}

// text returns the lines as one text.
func (p plain) text() string { return strings.Join(p.lines, "\n") }

// at returns the number in the file of line n of the text, from 1.
func (p plain) at(n int) int {
	if n < 1 || n > len(p.origin) {
		return n
	}
	return p.origin[n-1]
}

// unsound returns the reason why a result cannot be true, or "".
func unsound(r *benchfmt.Result) string {
	if r.Iters <= 0 {
		return fmt.Sprintf("%d iterations", r.Iters)
	}
	units := map[string]bool{}
	for _, v := range r.Values {
		unit, printed := printedUnit(v), v.Value
		if v.OrigUnit != "" {
			printed = v.OrigValue
		}
		switch {
		case units[v.Unit]:
			return unit + " is there twice"
		case math.IsNaN(v.Value) || math.IsInf(v.Value, 0):
			return fmt.Sprintf("%v %s is not a finite number", v.Value, unit)
		case v.Value < 0 &&
			slices.ContainsFunc(costs, func(cost string) bool { return strings.HasSuffix(v.Unit, cost) }):
			return fmt.Sprintf("%v %s is negative", printed, unit)
		}
		units[v.Unit] = true
	}
	return ""
}

// costs are endings of units. Their values cannot be negative.
var costs = []string{"sec/op", "B/op", "allocs/op", "B/s"}

// printedUnit returns the unit as the benchmark printed it.
func printedUnit(v benchfmt.Value) string {
	if v.OrigUnit != "" {
		return v.OrigUnit
	}
	return v.Unit
}

package step

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ErrFormat says that a file is not a table of steps.
var ErrFormat = errors.New("is not a table of steps")

// header is the first line of every file.
var header = func() string {
	line := "Step"
	for _, c := range Columns() {
		line += "," + c.String()
	}
	return line
}()

// Write writes the table: a header, then a line for each step, sorted by path as
// byte strings.
func (t Table) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, header)
	for _, step := range slices.Sorted(maps.Keys(t)) {
		b.WriteString(step)
		for _, c := range Columns() {
			b.WriteByte(',')
			b.WriteString(strconv.FormatUint(t[step][c], 10))
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// maxLine bounds the length of a line in a file of steps.
const maxLine = 64 << 10

// Read reads a table that Write wrote. The error is ErrFormat and names the line.
func Read(r io.Reader) (Table, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	t := Table{}
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			if lines.Text() != header {
				return nil, fmt.Errorf("%w: line 1 is not the header", ErrFormat)
			}
			continue
		}
		if err := t.read(lines.Text()); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrFormat, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(t) == 0 {
		return nil, fmt.Errorf("%w: it has no rows", ErrFormat)
	}
	return t, nil
}

func (t Table) read(line string) error {
	fields, columns := strings.Split(line, ","), Columns()
	if len(fields) != 1+len(columns) {
		return fmt.Errorf("%d fields instead of %d", len(fields), 1+len(columns))
	}
	var row Row
	for i, field := range fields[1:] {
		c := columns[i]
		v, err := strconv.ParseUint(field, 10, 64)
		if err != nil || strconv.FormatUint(v, 10) != field {
			return fmt.Errorf("%s: %q is not a number", c, field)
		}
		row[c] = v
	}
	if _, twice := t[fields[0]]; twice || fields[0] == "" {
		return fmt.Errorf("step %q is empty or listed twice", fields[0])
	}
	t[fields[0]] = row
	return nil
}

var digits = regexp.MustCompile(`[0-9]+`)

// Collapse adds up steps that differ in numbers only: "op/round-1" and
// "op/round-2" become "op/round-*". The operation, such as PS18Sign, keeps its
// name.
func (t Table) Collapse() Table {
	collapsed := Table{}
	for step, row := range t {
		operation, _, _ := strings.Cut(step, "/")
		collapsed.Merge(Table{operation + digits.ReplaceAllString(step[len(operation):], "*"): row})
	}
	return collapsed
}

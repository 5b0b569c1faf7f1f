package step

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// errFormat says that a file is not a table of steps.
var errFormat = errors.New("is not a table of steps")

// header is the first line of every file.
func header() []string {
	names := []string{"Step"}
	for _, c := range Columns() {
		names = append(names, c.String())
	}
	return names
}

// Write writes the table: a header, then a line for each step, sorted by path as
// byte strings.
func (t Table) Write(w io.Writer) error {
	records := [][]string{header()}
	for _, step := range slices.Sorted(maps.Keys(t)) {
		record := []string{step}
		for _, c := range Columns() {
			record = append(record, strconv.FormatUint(t[step][c], 10))
		}
		records = append(records, record)
	}
	return csv.NewWriter(w).WriteAll(records)
}

// Read reads a table that Write wrote. The error is errFormat and names the line.
func Read(r io.Reader) (Table, error) {
	records, err := csv.NewReader(r).ReadAll()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errFormat, err)
	case len(records) == 0 || !slices.Equal(records[0], header()):
		return nil, fmt.Errorf("%w: line 1 is not the header", errFormat)
	case len(records) == 1:
		return nil, fmt.Errorf("%w: it has no rows", errFormat)
	}
	t := Table{}
	for i, record := range records[1:] {
		if err := t.read(record); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", errFormat, i+2, err)
		}
	}
	return t, nil
}

// read adds a line that has a field for each column.
func (t Table) read(record []string) error {
	var row Row
	for i, c := range Columns() {
		v, err := strconv.ParseUint(record[1+i], 10, 64)
		if err != nil || strconv.FormatUint(v, 10) != record[1+i] {
			return fmt.Errorf("%s: %q is not a number", c, record[1+i])
		}
		row[c] = v
	}
	if _, twice := t[record[0]]; twice || record[0] == "" {
		return fmt.Errorf("step %q is empty or listed twice", record[0])
	}
	t[record[0]] = row
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

package step

import (
	"encoding/csv"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Write writes the table: a header, then a line for each step, sorted by path as
// byte strings.
func (t Table) Write(w io.Writer) error {
	head := []string{"Step"}
	for _, c := range Columns() {
		head = append(head, c.String())
	}
	records := [][]string{head}
	for _, step := range slices.Sorted(maps.Keys(t)) {
		record := []string{step}
		for _, c := range Columns() {
			record = append(record, strconv.FormatUint(t[step][c], 10))
		}
		records = append(records, record)
	}
	return csv.NewWriter(w).WriteAll(records)
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

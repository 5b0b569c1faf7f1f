// Package step divides the cost of an operation among its steps.
//
// A Recorder follows an operation from step to step. Its Table has a row for
// each step and is written as CSV.
//
// A step is a path such as "transfer/proof/round-3". Values are exclusive: a
// step does not contain the cost of the steps below it, so the sum of a column
// is the total of the operation.
//
// Package oneshot joins the counts, times and allocations of several passes.
package step

import (
	"encoding/csv"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/count"
)

// Column is a cost: a constant below, or the place of a counted operation after them.
type Column int

// The columns without counted operations. Calls counts how often a step was entered from
// another one.
const (
	Calls Column = iota
	TimeNs
	MsgsSent
	BytesSent
	RandBytes
	AllocBytes
	Allocs
	firstCounted
)

// counted are the columns of group operations, which package count lists: Add, Double
// and Neg are the outer ones, sums of points included; a name with "terms" counts terms.
var counted = count.Columns()

// maxColumns bounds the number of columns.
const maxColumns = 32

var names = []string{"Calls", "Time_ns", "Msgs_sent", "Bytes_sent", "Rand_bytes", "Alloc_bytes", "Allocs"}

// Columns returns all columns in the order of tables.
func Columns() []Column {
	all := []Column{Calls, TimeNs}
	for i := range counted {
		all = append(all, firstCounted+Column(i))
	}
	return append(all, MsgsSent, BytesSent, RandBytes, AllocBytes, Allocs)
}

// String returns the name of the column in CSV files.
func (c Column) String() string {
	if c < firstCounted {
		return names[c]
	}
	return counted[c-firstCounted].Name
}

// Counted returns counts as the columns of a row.
func Counted(c count.Counts) (row Row) {
	for i, column := range counted {
		row[int(firstCounted)+i] = column.Of(c)
	}
	return row
}

// Row is the cost of one step.
type Row [maxColumns]uint64

// Table is the cost of each step by its path.
type Table map[string]Row

// Add adds n to a column of a step.
func (t Table) Add(step string, c Column, n uint64) {
	row := t[step]
	row[c] += n
	t[step] = row
}

// Merge adds the rows of another table.
func (t Table) Merge(other Table) {
	for step, row := range other {
		for c, n := range row {
			t.Add(step, Column(c), n)
		}
	}
}

// Total returns the sum of all rows.
func (t Table) Total() (total Row) {
	for _, row := range t {
		for c, n := range row {
			total[c] += n
		}
	}
	return total
}

// clean makes a name fit for a path in a CSV file: blanks become dashes, commas
// semicolons.
var clean = strings.NewReplacer(" ", "-", ",", ";", "\n", "-", `"`, "'")

// Join returns the path of the step called name below the step parent.
func Join(parent, name string) string {
	name = clean.Replace(name)
	if parent == "" {
		return name
	}
	return parent + "/" + name
}

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

// Package step divides the cost of an operation among its steps.
//
//	step.go      columns, and tables of rows by step
//	counted.go   the columns of group operations, from package count
//	recorder.go  Recorder, which follows an operation from step to step
//	csv.go       tables as CSV, and the folding of numbered steps
//
// A step is a path such as "transfer/proof/round-3". Values are exclusive: a
// step does not contain the cost of the steps below it, so the sum of a column
// is the total of the operation.
//
// Package oneshot joins the counts, times and allocations of several passes.
package step

import (
	"strings"

	"github.com/zkatbench/zkatbench/count"
)

// Column is a cost. Tables always have all columns, in the order of the constants.
type Column int

// The columns. Calls counts how often a step was entered from another one. The columns from Add to
// Decode are counted group operations: Add, Double and Neg are the outer ones,
// sums of points included; a name with "terms" counts terms, the others count
// calls.
const (
	Calls Column = iota
	TimeNs
	Add
	Double
	Neg
	ScalarMul
	MSM
	MSMTerms
	FixedMSM
	FixedMSMTerms
	G2ScalarMul
	G2MSMTerms
	PairingTerms
	FinalExp
	FieldMul
	FieldInv
	HashToCurve
	Encode
	Decode
	MsgsSent
	BytesSent
	RandBytes
	AllocBytes
	Allocs
	NumColumns
)

// A column has a name in CSV files and, if it is counted, the operation of package count:
// its calls or their terms, in G2 or in the other groups.
type column struct {
	name               string
	op                 count.Op
	counted, terms, g2 bool
}

// columns are the only list of the columns. Counted fills Add, Double and Neg apart, from
// the tally of all operations.
var columns = [NumColumns]column{
	Calls: {name: "Calls"}, TimeNs: {name: "Time_ns"},
	Add: {name: "Add"}, Double: {name: "Double"}, Neg: {name: "Neg"},
	ScalarMul:     {name: "ScalarMul", op: count.ScalarMul, counted: true},
	MSM:           {name: "MSM", op: count.MSM, counted: true},
	MSMTerms:      {name: "MSM_terms", op: count.MSM, counted: true, terms: true},
	FixedMSM:      {name: "FixedMSM", op: count.FixedMSM, counted: true},
	FixedMSMTerms: {name: "FixedMSM_terms", op: count.FixedMSM, counted: true, terms: true},
	G2ScalarMul:   {name: "G2_ScalarMul", op: count.ScalarMul, counted: true, g2: true},
	G2MSMTerms:    {name: "G2_MSM_terms", op: count.MSM, counted: true, terms: true, g2: true},
	PairingTerms:  {name: "Pairing_terms", op: count.Pairing, counted: true, terms: true},
	FinalExp:      {name: "FinalExp", op: count.FinalExp, counted: true},
	FieldMul:      {name: "Field_mul", op: count.FieldMul, counted: true, terms: true},
	FieldInv:      {name: "Field_inv", op: count.FieldInv, counted: true, terms: true},
	HashToCurve:   {name: "Hash_to_curve", op: count.HashToCurve, counted: true},
	Encode:        {name: "Encode", op: count.Encode, counted: true, terms: true},
	Decode:        {name: "Decode", op: count.Decode, counted: true, terms: true},
	MsgsSent:      {name: "Msgs_sent"}, BytesSent: {name: "Bytes_sent"}, RandBytes: {name: "Rand_bytes"},
	AllocBytes: {name: "Alloc_bytes"}, Allocs: {name: "Allocs"},
}

// String returns the name of the column in CSV files.
func (c Column) String() string { return columns[c].name }

// Row is the cost of one step.
type Row [NumColumns]uint64

// Plus returns the sum of both rows, column by column.
func (r Row) Plus(other Row) Row {
	for c, v := range other {
		r[c] += v
	}
	return r
}

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
		t[step] = t[step].Plus(row)
	}
}

// Total returns the sum of all rows.
func (t Table) Total() (total Row) {
	for _, row := range t {
		total = total.Plus(row)
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

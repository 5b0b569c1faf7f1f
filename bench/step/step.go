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

import "strings"

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

var names = [NumColumns]string{
	"Calls", "Time_ns", "Add", "Double", "Neg", "ScalarMul", "MSM", "MSM_terms", "FixedMSM", "FixedMSM_terms",
	"G2_ScalarMul", "G2_MSM_terms", "Pairing_terms", "FinalExp", "Field_mul", "Field_inv", "Hash_to_curve", "Encode",
	"Decode", "Msgs_sent", "Bytes_sent", "Rand_bytes", "Alloc_bytes", "Allocs",
}

// String returns the name of the column in CSV files.
func (c Column) String() string { return names[c] }

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

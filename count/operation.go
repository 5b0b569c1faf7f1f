package count

// Op is a kind of operation.
type Op uint8

// The operations. If a call takes a list, Event.Size is its length. A new operation is a
// name here and a line in operations below: nothing else lists operations.
const (
	Add         Op = iota // P + Q
	Double                // P + P
	Neg                   // -P
	ScalarMul             // s·P
	MSM                   // Σ sᵢ·Pᵢ
	FixedMSM              // Σ sᵢ·Pᵢ over points with precomputed multiples
	Sum                   // Σ Pᵢ
	SumPow2               // Σ 2ⁱ·Pᵢ
	SumBits               // Σ of one point of each of several known pairs
	Table                 // preparing points for FixedMSM
	BitTable              // preparing pairs for SumBits
	HashToCurve           // bytes to a point
	Encode                // a point to bytes
	Decode                // bytes to a point
	Pairing               // Π e(Pᵢ, Qᵢ)
	FinalExp              // the last step of a pairing
	Verify                // signatures, verified together
	VerifyKnown           // the same, by keys that are remembered
	FieldMul              // multiplications of scalars
	FieldInv              // inversions of scalars, batched in one call
	FieldExp              // a power of a scalar
)

// operation describes an Op. Names in files, tallies, Counts.Text, the units of
// benchmarks, the columns of steps and of costs, and the measured sizes follow from it.
type operation struct {
	name string
	// work is the work of a call of n terms. It is nil if the events inside count it, and
	// for work other than additions.
	work func(n uint64) Tally
	// calls and terms are the units of benchmarks for the number of calls and of their
	// terms. Operations with the same unit are added up.
	calls, terms string
	// step has the columns of steps: of calls, of terms, and of both in G2.
	step columnNames
	// sizes are the numbers of terms of which the unit cost is measured.
	sizes []int
}

type columnNames struct{ calls, terms, g2Calls, g2Terms string }

var one = []int{1}

var operations = []operation{
	Add:       {name: "add", work: func(uint64) Tally { return Tally{Adds: 1} }, sizes: one},
	Double:    {name: "double", work: func(uint64) Tally { return Tally{Doubles: 1} }, sizes: one},
	Neg:       {name: "neg", work: func(uint64) Tally { return Tally{Negs: 1} }},
	ScalarMul: {name: "scalar-mul", calls: "scalar-mul/op", step: columnNames{calls: "ScalarMul", g2Calls: "G2_ScalarMul"}, sizes: one},
	MSM:       {name: "msm", calls: "msm/op", terms: "msm-terms/op", step: columnNames{calls: "MSM", terms: "MSM_terms", g2Terms: "G2_MSM_terms"}, sizes: []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128}},
	FixedMSM:  {name: "fixed-msm", calls: "msm/op", terms: "msm-terms/op", step: columnNames{calls: "FixedMSM", terms: "FixedMSM_terms"}},
	Sum:       {name: "sum", work: func(n uint64) Tally { return Tally{Adds: n - 1} }, sizes: []int{1, 2, 3, 8, 64, 512}},
	SumPow2:   {name: "sum-pow2", work: func(n uint64) Tally { return Tally{Adds: n - 1, Doubles: n - 1} }, sizes: []int{1, 16, 32, 64}}, // Horner's rule
	SumBits:   {name: "sum-bits", work: func(n uint64) Tally { return Tally{Adds: n - 1} }, sizes: []int{1, 16, 32, 64}},
	Table:     {name: "table"}, BitTable: {name: "bit-table"},
	HashToCurve: {name: "hash-to-curve", calls: "hash-to-curve/op", step: columnNames{calls: "Hash_to_curve"}, sizes: one},
	Encode:      {name: "encode", step: columnNames{terms: "Encode"}, sizes: []int{1, 16, 128}},
	Decode:      {name: "decode", step: columnNames{terms: "Decode"}, sizes: []int{1, 2, 8, 32}},
	Pairing:     {name: "pairing", step: columnNames{terms: "Pairing_terms"}},
	FinalExp:    {name: "final-exp", step: columnNames{calls: "FinalExp"}},
	Verify:      {name: "verify", terms: "verify/op"}, VerifyKnown: {name: "verify-known", terms: "verify/op"},
	FieldMul: {name: "field-mul", step: columnNames{terms: "Field_mul"}, sizes: []int{1, 4, 16, 64, 512}},
	FieldInv: {name: "field-inv", step: columnNames{terms: "Field_inv"}, sizes: []int{1, 2, 8, 64}},
	FieldExp: {name: "field-exp"},
}

// Ops returns all operations.
func Ops() []Op {
	all := make([]Op, len(operations))
	for i := range all {
		all[i] = Op(i)
	}
	return all
}

// Sizes returns the numbers of terms of which the unit cost of o is measured.
func (o Op) Sizes() []int { return operations[o].sizes }

// IsSum reports whether an outer call of o is counted as additions.
func (o Op) IsSum() bool { return operations[o].work != nil }

func (o Op) String() string { return operations[o].name }

// parseOp returns the operation with a name, and Add for other names.
func parseOp(name string) Op {
	for op, o := range operations {
		if o.name == name {
			return Op(op)
		}
	}
	return Add
}

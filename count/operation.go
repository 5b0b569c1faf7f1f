package count

// Op is a kind of operation.
type Op uint8

// The operations. If a call takes a list, Event.Size is its length. A new operation is a
// name here and a line in operations below. Operations are not listed elsewhere.
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
	Certificate           // certificates read
	Hash                  // blocks of 64 bytes
	FieldMul              // multiplications of scalars
	FieldInv              // inversions of scalars, batched in one call
	FieldExp              // a power of a scalar
)

// operation describes an Op. Names in files, tallies, Counts.Text, the units of
// benchmarks, and the columns of steps and of costs follow from it.
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
}

type columnNames struct{ calls, terms, g2Calls, g2Terms string }

var operations = []operation{
	Add:    {name: "add", work: func(uint64) Tally { return Tally{Adds: 1} }},
	Double: {name: "double", work: func(uint64) Tally { return Tally{Doubles: 1} }},
	Neg:    {name: "neg", work: func(uint64) Tally { return Tally{Negs: 1} }},
	ScalarMul: {name: "scalar-mul", calls: "scalar-mul/op",
		step: columnNames{calls: "ScalarMul", g2Calls: "G2_ScalarMul"}},
	MSM: {name: "msm", calls: "msm/op", terms: "msm-terms/op",
		step: columnNames{calls: "MSM", terms: "MSM_terms", g2Terms: "G2_MSM_terms"}},
	FixedMSM: {name: "fixed-msm", calls: "msm/op", terms: "msm-terms/op",
		step: columnNames{calls: "FixedMSM", terms: "FixedMSM_terms"}},
	Sum: {name: "sum", work: func(n uint64) Tally { return Tally{Adds: n - 1} }},
	// Horner's rule
	SumPow2: {name: "sum-pow2", work: func(n uint64) Tally { return Tally{Adds: n - 1, Doubles: n - 1} }},
	SumBits: {name: "sum-bits", work: func(n uint64) Tally { return Tally{Adds: n - 1} }},
	Table:   {name: "table"}, BitTable: {name: "bit-table"},
	HashToCurve: {name: "hash-to-curve", calls: "hash-to-curve/op",
		step: columnNames{calls: "Hash_to_curve"}},
	Encode:      {name: "encode", step: columnNames{terms: "Encode"}},
	Decode:      {name: "decode", step: columnNames{terms: "Decode"}},
	Pairing:     {name: "pairing", step: columnNames{terms: "Pairing_terms"}},
	FinalExp:    {name: "final-exp", step: columnNames{calls: "FinalExp"}},
	Verify:      {name: "verify", terms: "verify/op"},
	VerifyKnown: {name: "verify-known", terms: "verify/op"},
	Certificate: {name: "certificate"}, Hash: {name: "hash"},
	FieldMul: {name: "field-mul", step: columnNames{terms: "Field_mul"}},
	FieldInv: {name: "field-inv", step: columnNames{terms: "Field_inv"}},
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

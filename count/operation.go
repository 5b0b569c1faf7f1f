package count

// Op is a kind of operation.
type Op uint8

// The operations. If a call takes a list, Event.Size is its length. A new operation is a
// line here and a line in operations.
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
	numOps
)

// operation describes an Op. Counts.Text, names in files, tallies and the units of
// benchmarks follow from it.
type operation struct {
	name string
	// work is the work of a call of n terms. It is nil if the events inside count it, and
	// for work other than additions.
	work func(n uint64) Tally
	// summary says that Counts.Text has a line of its own for the operation.
	summary bool
	// calls and terms are the units of benchmarks for the number of calls and of their
	// terms. Operations with the same unit are added up.
	calls, terms string
}

const (
	unitMSM      = "msm/op"
	unitMSMTerms = "msm-terms/op"
	unitVerify   = "verify/op"
)

var operations = [numOps]operation{
	Add:       {name: "add", work: func(uint64) Tally { return Tally{Adds: 1} }, summary: true},
	Double:    {name: "double", work: func(uint64) Tally { return Tally{Doubles: 1} }, summary: true},
	Neg:       {name: "neg", work: func(uint64) Tally { return Tally{Negs: 1} }, summary: true},
	ScalarMul: {name: "scalar-mul", summary: true, calls: "scalar-mul/op"},
	MSM:       {name: "msm", summary: true, calls: unitMSM, terms: unitMSMTerms},
	FixedMSM:  {name: "fixed-msm", calls: unitMSM, terms: unitMSMTerms},
	Sum:       {name: "sum", work: func(n uint64) Tally { return Tally{Adds: n - 1} }},
	SumPow2:   {name: "sum-pow2", work: func(n uint64) Tally { return Tally{Adds: n - 1, Doubles: n - 1} }}, // Horner's rule
	SumBits:   {name: "sum-bits", work: func(n uint64) Tally { return Tally{Adds: n - 1} }},
	Table:     {name: "table"}, BitTable: {name: "bit-table"},
	HashToCurve: {name: "hash-to-curve", calls: "hash-to-curve/op"},
	Encode:      {name: "encode"}, Decode: {name: "decode"},
	Pairing: {name: "pairing"}, FinalExp: {name: "final-exp"},
	Verify: {name: "verify", terms: unitVerify}, VerifyKnown: {name: "verify-known", terms: unitVerify},
	FieldMul: {name: "field-mul"}, FieldInv: {name: "field-inv"}, FieldExp: {name: "field-exp"},
}

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

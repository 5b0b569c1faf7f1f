package group

// Fixed is arithmetic on points that are public and known long before they are
// used, such as the generators of public parameters. A backend spends memory
// and time on them once and saves both in every operation; results never
// depend on how much it spent.
type Fixed interface {
	// NewTable prepares ps. It spends at most budget bytes on precomputed
	// multiples, or the size of the smallest useful table if it is larger;
	// a budget of 0 asks for DefaultTableBytes.
	NewTable(ps []Point, budget int) Table
	// FixedMSM sets dst[k] to the sum that rows[k] describes.
	FixedMSM(dst []Point, t Table, rows []Row)

	// NewBitTable prepares the choice between one[i] and zero[i] for each
	// bit i; the lengths are equal and at most 64.
	NewBitTable(one, zero []Point) BitTable
	// SumBits returns Σ (one[i] if bit i of v is set, otherwise zero[i]).
	SumBits(t BitTable, v uint64) Point
}

// DefaultTableBytes is the default budget of a table: windows
// of nine and ten bits, 35 MB, for the 134 generators of 64-bit parameters on
// BN254 (64 bytes a point), and on BLS12-381 (96 bytes) in proportion.
const DefaultTableBytes = 40 << 20

// Row is one sum over points of a Table: Σ Scalars[k]·P[Index[k]], or over
// P[First], P[First+1], … where Index is nil.
type Row struct {
	Index   []int32
	First   int
	Scalars []Scalar
}

// At returns the table index of term k.
func (r Row) At(k int) int {
	if r.Index == nil {
		return r.First + k
	}
	return int(r.Index[k])
}

// Table is a list of points prepared by Group.NewTable for that group.
// It is immutable, may be shared, and can be compared with ==.
type Table interface {
	Len() int
	Point(i int) Point
	// Bytes is the memory that the precomputed multiples take.
	Bytes() int
}

// BitTable is a list of pairs prepared by Group.NewBitTable for that group.
type BitTable interface {
	Len() int
	Bytes() int
}

// FixedSum returns the sum over one row: Σ Scalars[k]·P[k] from P[first].
func FixedSum(g Fixed, t Table, first int, scalars ...Scalar) Point {
	var dst [1]Point
	g.FixedMSM(dst[:], t, []Row{{First: first, Scalars: scalars}})
	return dst[0]
}

package main

// limbBits is the width of a limb: VPMADD52LUQ and VPMADD52HUQ multiply 52 bits.
const limbBits = 52

// lanes is the number of elements in a vector register.
const lanes = 8

// vec is a vector register of a machine: one limb of eight elements.
type vec any

// memory is an operand of a kernel in memory.
type memory struct {
	name string
	// limbBytes is the distance from a limb to the next limb of the same eight
	// elements.
	limbBytes int
	// masked is set if only the elements that exist may be written.
	masked bool
	last   bool // some of the eight elements may not exist
	// constant is the limbs of a number shared by all elements.
	constant []int64
}

// machine executes the instructions of a kernel: the assembler writes them down, and a
// test counts them. Methods that
// return without a value change their first argument.
type machine interface {
	load(m memory, limb int) vec
	store(m memory, limb int, v vec)
	zero() vec
	clone(v vec) vec
	// into sets v to the result of value, one instruction.
	into(v vec, value func() vec)
	// constant returns a register with c.
	constant(c int64) vec
	// mulLow adds the low 52 bits of a·b, mulHigh the bits above. Both ignore the bits of
	// a and b from 52 on.
	mulLow(acc, a, b vec)
	mulHigh(acc, a, b vec)
	// quotient returns the low 52 bits of v·c.
	quotient(v vec, c uint64) vec
	add(acc, v vec)
	sub(acc, v vec)
	// subFrom sets acc to v - acc.
	subFrom(acc, v vec)
	addConst(acc vec, c uint64)
	// shiftLeft loses the bits above 64, shiftRight fills with zeros and
	// shiftSigned with the sign.
	shiftLeft(v vec, n int) vec
	shiftRight(v vec, n int) vec
	shiftSigned(v vec, n int) vec
	// or combines values without common bits.
	or(acc, v vec)
	andConst(acc vec, c uint64)
	// lookUp returns element index mod 8 of the table.
	lookUp(index vec, table [lanes]int64) vec
	// selectIf returns yes where mask is all ones and no where it is zero.
	selectIf(mask, yes, no vec) vec
	// pad sets the elements of acc that do not exist to c.
	pad(acc, c vec)
	// rounds calls round with the numbers from 1 to n-1. Subroutines have one copy of
	// it, in a loop: the pointers to moving move on by one limb before each round.
	rounds(n int, moving []memory, round func(i int))
	// remark is a comment in the assembly.
	remark(format string, args ...any)
}

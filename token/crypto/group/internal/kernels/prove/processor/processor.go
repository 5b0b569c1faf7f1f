//go:build amd64

// Package processor executes single vector instructions, so that a test can compare them with the
// semantics that prove takes for granted.
package processor

import (
	"os"
	"strings"
)

// Vector is the content of a vector register: eight lanes.
type Vector [8]uint64

// Instruction is an instruction of the kernels with operands a, b and c in the order of Go's
// assembler: c is the destination, and out is the content of c afterwards.
type Instruction struct {
	Name    string
	Feature string // of the processor, as in /proc/cpuinfo
	Execute func(a, b, c, out *Vector)
}

// Instructions are the vector instructions of the kernels that are proved. Masks are 0x5a.
var Instructions = []Instruction{
	{"VPADDQ", "avx512f", add}, {"VPSUBQ", "avx512f", sub}, {"VPANDQ", "avx512f", and},
	{"VPXORQ", "avx512f", xor},
	{"VPERMQ", "avx512f", permute}, {"VPBLENDMQ", "avx512f", blend},
	{"VMOVDQU64 masked", "avx512f", maskedStore},
	{"VPBROADCASTQ", "avx512f", broadcast}, {"VPSRLQ $52", "avx512f", right52},
	{"VPSRAQ $52", "avx512f", signed52},
	{"VPSRAQ $44", "avx512f", signed44}, {"VPSLLQ $1", "avx512f", left1},
	{"VPMADD52LUQ", "avx512ifma", multiplyLow}, {"VPMADD52HUQ", "avx512ifma", multiplyHigh},
	// Instructions that move words across lanes, by their text, with a in Z0, b in Z1 and c in Z2.
	{"VPUNPCKLQDQ Z0, Z1, Z2", "avx512f", unpackLow}, {"VPUNPCKHQDQ Z0, Z1, Z2", "avx512f", unpackHigh},
	{"VSHUFI64X2 $0xd8, Z0, Z1, Z2", "avx512f", shuffle},
	{"VPTERNLOGQ $0xca, Z0, Z1, Z2", "avx512f", ternary},
	{"VPORQ Z0, Z1, Z2", "avx512f", or}, {"VPERMT2D Z0, Z1, Z2", "avx512f", permuteTwo},
}

// Has reports whether the processor has a feature.
func Has(feature string) bool {
	text, err := os.ReadFile("/proc/cpuinfo")
	return err == nil && strings.Contains(string(text)+" ", " "+feature+" ")
}

func add(a, b, c, out *Vector)
func sub(a, b, c, out *Vector)
func and(a, b, c, out *Vector)
func xor(a, b, c, out *Vector)
func permute(a, b, c, out *Vector)
func blend(a, b, c, out *Vector)
func maskedStore(a, b, c, out *Vector)
func broadcast(a, b, c, out *Vector)
func right52(a, b, c, out *Vector)
func signed52(a, b, c, out *Vector)
func signed44(a, b, c, out *Vector)
func left1(a, b, c, out *Vector)
func multiplyLow(a, b, c, out *Vector)
func multiplyHigh(a, b, c, out *Vector)
func unpackLow(a, b, c, out *Vector)
func unpackHigh(a, b, c, out *Vector)
func shuffle(a, b, c, out *Vector)
func ternary(a, b, c, out *Vector)
func or(a, b, c, out *Vector)
func permuteTwo(a, b, c, out *Vector)

package instr_test

import (
	"os"

	"github.com/zkatbench/zkatbench/bench/instr"
)

// Counts of one operation as text, and as a result that zkatbench compare reads.
func ExampleCounts() {
	c := instr.Counts{Instructions: 1_000_000, L1: 1_388_000, LL: 10_000, RAM: 2_000}
	_ = c.WriteText(os.Stdout)
	_ = c.WriteBench(os.Stdout, "Join", 64)
	// Output:
	//   Instructions:           1,000,000
	//   L1 Accesses:            1,388,000
	//   L2 Accesses:               10,000
	//   RAM Accesses:               2,000
	//   Estimated Cycles:       1,508,000
	// Unit instr/op better=lower
	// BenchmarkJoin 64 1000000 instr/op
}

// Command kernels writes the assembly of the vector kernels of packages bn254
// and bls12381. It is a module of its own, so that users of the engine do not
// depend on the assembler.
//
//	machine.go    the instructions that kernels are made of
//	field.go      the base fields
//	number.go     elements in limbs of 52 bits, with bounds
//	kernels.go    one step of each kernel
//	chains.go     sums without inversions
//	jacobian.go   kernels of points in Jacobian coordinates
//	together.go   programs in turns
//	loops.go      the loops around the steps, layout of memory
//	entries.go    points into and out of limbs, with transposition
//	recode.go     scalars in two halves
//	references.go their digits, as references to entries of a table
//	peak.go       multiply-adds alone, as the measure of the others
//	emit.go       the machine that writes assembly
//
// The tests run every step on a machine of big integers, which checks all
// bounds.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := write(".."); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}

// Names of files with assembly in the package of a curve.
const (
	outputFile = "lanes_amd64.s"
	recodeFile = "recode_amd64.s"
)

// write writes the kernels of every field to its package, a folder in root.
func write(root string) error {
	for _, f := range fields {
		for name, kernels := range outputs {
			text, err := generate(f, kernels)
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			if err := os.WriteFile(filepath.Join(root, "..", f.name, name), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// outputs are the files with the kernels of a field.
var outputs = map[string]func(a *assembler, f *field){
	outputFile: func(a *assembler, f *field) {
		for _, k := range kernels {
			a.emit(f, k)
		}
		a.emitGather(f)
		a.emitStore(f)
		a.emitPeak()
	},
	recodeFile: func(a *assembler, f *field) { a.emitRecode(splittings[f.name]) },
}

// generate returns the assembly of some kernels of one field.
func generate(f *field, emit func(a *assembler, f *field)) ([]byte, error) {
	a := newAssembler()
	emit(a, f)
	return a.text()
}

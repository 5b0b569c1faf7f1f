// Command kernels writes the assembly of the vector kernels of packages bn254,
// bls12381 and ecdsap256. It is a separate module, so that users of the engine do not
// depend on the assembler. A field is one value in field.go, a package with
// kernels is one value in main.go.
//
// Kernels are formulas on elements in limbs of 52 bits with bounds, loops around their
// steps, and transpositions of points into and out of limbs. The machine below them writes
// the assembly.
//
// The generator stops if the bound of a result does not fit. Programs prove and prove/check
// show that the assembly computes the formulas of prove/spec.txt.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := write(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}

// Names of files with assembly in the package of a curve.
const (
	outputFile = "lanes_amd64.s"
	recodeFile = "recode_amd64.s"
)

// pkg is a package with kernels: a folder of package group, and how to write each
// of its files.
type pkg struct {
	folder string
	files  map[string]func(a *assembler)
}

// packages are all packages with kernels.
var packages = []pkg{curvePackage(bn254), curvePackage(bls12381), signaturePackage(p256)}

// signaturePackage is package ecdsap256.
func signaturePackage(f *field) pkg {
	return pkg{folder: filepath.Join("..", "ecdsap256"), files: map[string]func(a *assembler){
		outputFile: func(a *assembler) {
			for _, k := range signatureKernels {
				a.emit(f, k)
			}
			a.emitSubroutines(f)
			a.emitGatherEach(f)
			a.emitStore(f)
		},
	}}
}

// curvePackage is the package of a curve for proofs, named after its field.
func curvePackage(f *field) pkg {
	return pkg{folder: f.name, files: map[string]func(a *assembler){
		outputFile: func(a *assembler) {
			for _, k := range kernels {
				a.emit(f, k)
			}
			a.emitSubroutines(f)
			a.emitGather(f)
			a.emitStore(f)
		},
		recodeFile: func(a *assembler) { a.emitRecode(splittings[f.name]) },
	}}
}

// write writes the files of all packages, from the folder of package group on.
func write(root string) error {
	for _, p := range packages {
		for name, emit := range p.files {
			text, err := generate(emit)
			if err != nil {
				return fmt.Errorf("%s: %w", p.folder, err)
			}
			if err := os.WriteFile(filepath.Join(root, p.folder, name), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// generate returns the assembly of some kernels.
func generate(emit func(a *assembler)) ([]byte, error) {
	a := newAssembler()
	emit(a)
	return a.text()
}

// Command prove proves the vector kernels of packages bn254, bls12381 and ecdsap256 for all inputs,
// from their assembly, and writes certificates for check. docs/kernels.md says how.
//
// The file spec.txt says which results the kernels have. Instructions change values in lanes; these
// are bounds and polynomials over the inputs. Paths, loops and memory are followed for general
// registers.
package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
)

// main proves all kernels, prints a line for each, and writes the certificates if a file is
// named.
func main() {
	if len(os.Args) > 2 {
		fail(2, "usage: prove [CERTIFICATES]")
	}
	var b *book
	if err := try(func() { b = newBook(specifications, filepath.Join("..", "..", "..")) }); err != nil {
		fail(2, err)
	}
	failed := false
	certificates := map[string]map[string][2]*big.Int{}
	for _, r := range b.proveAll() {
		fmt.Println(r)
		failed = failed || r.err != nil
		certificates[r.file+" "+r.kernel] = r.bounds
	}
	if failed {
		fail(1, "not all kernels are proved")
	}
	if len(os.Args) == 1 {
		return
	}
	raw, err := json.Marshal(certificates)
	if err == nil {
		err = os.WriteFile(os.Args[1], raw, 0o644)
	}
	if err != nil {
		fail(2, err)
	}
}

// fail ends the program.
func fail(status int, why any) {
	fmt.Fprintln(os.Stderr, "prove:", why)
	os.Exit(status)
}

// book is the specifications and the files of assembly.
type book struct {
	*spec
	sources map[string]*source
}

// newBook reads the files, from the folder of package crypto on.
func newBook(specifications, root string) *book {
	b := &book{parseSpec(specifications), map[string]*source{}}
	for _, file := range b.files {
		b.sources[file] = load(filepath.Join(root, file))
	}
	return b
}

// result is a kernel that was proved, or why it was not.
type result struct {
	file, kernel                    string
	paths, instructions, statements int
	line                            int                    // where a proof failed
	bounds                          map[string][2]*big.Int // of the numbers that it multiplies
	err                             error
}

func (r result) String() string {
	if r.err != nil {
		return fmt.Sprintf("%s:%d: %s: %v", r.file, r.line, r.kernel, r.err)
	}
	return fmt.Sprintf("%s: %s: proved on %d paths with %d instructions: %d statements",
		r.file, r.kernel, r.paths, r.instructions, r.statements)
}

// proveAll proves all kernels.
func (b *book) proveAll() (results []result) {
	for _, k := range b.kernels {
		for _, file := range k.files {
			results = append(results, b.prove(k, file))
		}
	}
	return results
}

// prove proves a kernel for lanes with and without an element.
func (b *book) prove(k *kernelSpec, file string) (r result) {
	r.file, r.kernel = file, k.name
	lanes := []bool{false, true}
	if !k.hasMissing() {
		lanes = lanes[:1]
	}
	for _, missing := range lanes {
		elements := 1
		if k.isWide() {
			elements = lanesOfVector
		}
		for element := range elements {
			for scripts := [][]bool{nil}; len(scripts) > 0; {
				script := scripts[len(scripts)-1]
				scripts = scripts[:len(scripts)-1]
				l := newLane(b.fieldOf[file], missing)
				m := &machine{lane: l, source: b.sources[file], arguments: b.arguments[file], spec: k}
				if k.isWide() {
					m.words = newWords(m.lane, element, script)
				}
				r.err = try(m.run)
				if r.err != nil {
					r.line = m.line
					return r
				}
				r.paths, r.instructions = r.paths+m.paths, r.instructions+m.steps
				r.statements += m.checked
				if !missing {
					r.bounds = m.bounds
				}
				if m.words == nil {
					continue
				}
				for i := len(script); i < len(m.words.made); i++ {
					scripts = append(scripts, append(slices.Clone(m.words.made[:i]), !m.words.made[i]))
				}
			}
		}
	}
	if r.statements == 0 {
		r.err = refusal{"nothing was compared with the specification"}
	}
	return r
}

// hasMissing reports whether lanes without an element are special.
func (k *kernelSpec) hasMissing() bool {
	for _, o := range k.operands {
		if o.masked {
			return true
		}
	}
	for _, e := range k.equations {
		if e.missing != nil {
			return true
		}
	}
	return false
}

// try returns the refusal of f, if there is one.
func try(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			err = r
		case impossible:
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

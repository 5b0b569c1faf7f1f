package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestGeneratingChangesNothing compares the assembly in the packages of the
// curves with the output of the generator.
func TestGeneratingChangesNothing(t *testing.T) {
	for _, p := range packages {
		for name, emit := range p.files {
			want, err := generate(emit)
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join("..", "..", p.folder, name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %s is not what go generate writes", p.folder, name)
			}
		}
	}
}

// TestPlantedFaultsAreFound runs steps on machines that forget a carry or a mask,
// look up the wrong multiple, drop a high half or a bias, or start a product from
// zero.
func TestPlantedFaultsAreFound(t *testing.T) {
	faults := map[string]func(i *interpreter) machine{
		"a carry":     func(i *interpreter) machine { return withoutCarry{i} },
		"a high half": func(i *interpreter) machine { return withoutHigh{i} },
		"a multiple":  func(i *interpreter) machine { return withoutMultiple{i} },
		"a constant":  func(i *interpreter) machine { return withoutConstant{i} },
		"a mask":      func(i *interpreter) machine { return withoutMask{i} },
		"a bias":      func(i *interpreter) machine { return withoutBias{i} },
		"a start":     func(i *interpreter) machine { return withoutStart{i} },
		"no fault":    func(i *interpreter) machine { return i },
	}
	for name, faulty := range faults {
		for _, f := range curves {
			if found := finds(f, faulty); found != (name != "no fault") {
				t.Errorf("%s: fault %q found: %v", f.name, name, found)
			}
		}
	}
}

type withoutCarry struct{ *interpreter }

func (m withoutCarry) shiftSigned(v vec, n int) vec {
	if n == limbBits {
		return m.zero()
	}
	return m.interpreter.shiftSigned(v, n)
}

type withoutHigh struct{ *interpreter }

func (withoutHigh) mulHigh(_, _, _ vec) {}

type withoutMultiple struct{ *interpreter }

func (m withoutMultiple) lookUp(vec, [lanes]int64) vec { return m.zero() }

type withoutConstant struct{ *interpreter }

func (withoutConstant) addConst(vec, uint64) {}

type withoutMask struct{ *interpreter }

func (withoutMask) andConst(vec, uint64) {}

type withoutBias struct{ *interpreter }

func (m withoutBias) load(from memory, limb int) vec {
	if from.constant != nil {
		return m.zero()
	}
	return m.interpreter.load(from, limb)
}

// withoutStart loads zeros for -Y, the first value of R.
type withoutStart struct{ *interpreter }

func (m withoutStart) load(from memory, limb int) vec {
	if from.name == "ay" {
		return m.zero()
	}
	return m.interpreter.load(from, limb)
}

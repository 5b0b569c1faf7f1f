package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestGeneratingChangesNothing compares the assembly in the packages of the
// curves with what would be written now.
func TestGeneratingChangesNothing(t *testing.T) {
	for _, f := range fields {
		want, err := generate(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", "..", f.name, outputFile))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %s is not what go generate writes", f.name, outputFile)
		}
	}
}

// TestPlantedFaultsAreFound runs steps on machines that forget a carry, look up
// the wrong multiple or drop a high half.
func TestPlantedFaultsAreFound(t *testing.T) {
	faults := map[string]func(i *interpreter) machine{
		"a carry":     func(i *interpreter) machine { return withoutCarry{i} },
		"a high half": func(i *interpreter) machine { return withoutHigh{i} },
		"a multiple":  func(i *interpreter) machine { return withoutMultiple{i} },
		"a constant":  func(i *interpreter) machine { return withoutConstant{i} },
		"no fault":    func(i *interpreter) machine { return i },
	}
	for name, faulty := range faults {
		for _, f := range fields {
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

func (m withoutMultiple) lookUp(vec, [lanes]uint64) vec { return m.zero() }

type withoutConstant struct{ *interpreter }

func (withoutConstant) addConst(vec, uint64) {}

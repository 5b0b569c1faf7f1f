package main // a program has no exported names

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

package outfile_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// A file appears whole, or not at all.
func ExampleWriteBytes() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "results.txt")
	fmt.Println(outfile.WriteBytes(name, []byte("BenchmarkX 1 2 ns/op\n")))
	content, err := outfile.ReadFile(name)
	fmt.Printf("%q %v\n", content, err)
	// Output:
	// <nil>
	// "BenchmarkX 1 2 ns/op\n" <nil>
}

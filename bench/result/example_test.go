package result_test

import (
	"fmt"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
)

// Results of go test -bench are read with their configuration.
func ExampleData_Read() {
	d := result.NewData()
	err := d.Read(strings.NewReader("pkg: example.com/p\nBenchmarkX 100 250 ns/op\n"), "old.txt")
	fmt.Println(d.Cases, len(d.Values[d.Cases[0]]["sec/op"]), err)
	// Output: [BenchmarkX] 1 <nil>
}

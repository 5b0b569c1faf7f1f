package gate_test

import (
	"fmt"
	"strings"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// Files of two revisions are compared: HEAD takes a tenth more time.
func ExampleFiles() {
	read := func(times ...int) *result.Data {
		var b strings.Builder
		for _, ns := range times {
			fmt.Fprintf(&b, "BenchmarkX 100 %d ns/op\n", ns)
		}
		d := result.NewData()
		if err := d.Read(strings.NewReader(b.String()), "results.txt"); err != nil {
			fmt.Println(err)
		}
		return d
	}
	base, head := read(100, 101, 99, 100, 101, 99), read(110, 111, 109, 110, 111, 109)
	report := gate.Files(gate.Rules{Limit: 0.05}, base, head)
	fmt.Println(report.Outcome())
	// Output: regression
}

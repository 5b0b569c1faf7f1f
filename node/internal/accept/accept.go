// Package accept makes a test binary accept the flags of the benchmarks of this
// module, and ignore them, so that go test ./... can be given them.
package accept

import (
	"flag"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func init() { flag.String("numConn", "", "ignored here: a flag of the benchmarks") }

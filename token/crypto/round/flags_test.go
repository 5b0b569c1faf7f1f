package round_test

import (
	"flag"

	"github.com/zkatbench/zkatbench/internal/testflags"
)

// Flags of the benchmarks are accepted and ignored: go test hands them to every package.
var _ = testflags.Accept(flag.CommandLine)

// Package accept makes a test binary accept the flags of the benchmarks, and
// ignore them. A test file imports it for that alone:
//
//	import _ "github.com/zkatbench/zkatbench/internal/testflags/accept"
package accept

import (
	"flag"

	"github.com/zkatbench/zkatbench/internal/testflags"
)

func init() { testflags.Accept(flag.CommandLine) }

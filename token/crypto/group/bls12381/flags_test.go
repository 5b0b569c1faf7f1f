// Code generated from bn254/flags_test.go by bls12381/generate. DO NOT EDIT.

package bls12381_test

import (
	"flag"

	"github.com/zkatbench/zkatbench/internal/testflags"
)

// Flags of the benchmarks are accepted and ignored: go test hands them to every package.
var _ = testflags.Accept(flag.CommandLine)

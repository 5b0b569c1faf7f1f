package service

import (
	"flag"

	"github.com/zkatbench/zkatbench/internal/testflags"
	_ "github.com/zkatbench/zkatbench/scheme/threshold/internal/vectors" // -vectors is for neighbours
)

// Flags of the benchmarks are accepted and ignored: go test hands them to every package.
var _ = testflags.Accept(flag.CommandLine)

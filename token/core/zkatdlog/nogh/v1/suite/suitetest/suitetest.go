// Package suitetest drives the operations of package suite from go test.
//
// Importing it registers the flags of the suite on flag.CommandLine, so only
// test packages with benchmarks import it. Other test packages accept the same
// flags by internal/testflags.
package suitetest

import (
	"testing"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

var driver = benchtest.New(suite.Subject)

// Main is the TestMain of packages with benchmarks.
func Main(m *testing.M) { driver.Main(m) }

// Benchmark runs op over the matrix.
func Benchmark(b *testing.B, op bench.Op) { driver.Benchmark(b, op) }

// BenchmarkParallel runs op over the matrix and the numbers of workers.
func BenchmarkParallel(b *testing.B, op bench.Op) { driver.BenchmarkParallel(b, op) }

// Run runs op under the load runner if -run names the test, and otherwise once
// in each case.
func Run(t *testing.T, op bench.Op) { driver.Load(t, op) }

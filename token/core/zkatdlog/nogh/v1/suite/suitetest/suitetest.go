// Package suitetest drives the operations of package suite from go test.
//
// Importing it registers the flags of the suite on flag.CommandLine, so only
// test packages with benchmarks import it. Other test packages accept the same
// flags by internal/testflags.
package suitetest

import (
	"testing"

	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

var driver = benchtest.New(suite.Subject)

// Main is the TestMain of packages with benchmarks.
func Main(m *testing.M) { driver.Main(m) }

// Benchmark runs the operation that the benchmark is named after over the matrix.
func Benchmark(b *testing.B) { driver.Benchmark(b) }

// BenchmarkParallel runs the operation over the matrix and the numbers of workers.
func BenchmarkParallel(b *testing.B) { driver.BenchmarkParallel(b) }

// Run runs the operation under the load runner if -run names the test, and otherwise
// once in each case.
func Run(t *testing.T) { driver.Load(t) }

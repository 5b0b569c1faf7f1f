// Package suitetest has the benchmarks of package suite.
package suitetest_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/scheme/p256/suite"
)

var drive = benchtest.New(suite.Subject)

func TestMain(m *testing.M) { drive.Main(m) }

func BenchmarkECDSASign(b *testing.B)  { drive.Benchmark(b) }
func BenchmarkKeyPairGen(b *testing.B) { drive.Benchmark(b) }

func TestParallelBenchmarkECDSASign(t *testing.T)  { drive.Load(t) }
func TestParallelBenchmarkKeyPairGen(t *testing.T) { drive.Load(t) }

func TestSubject(t *testing.T) { benchtest.Conform(t, suite.Subject, "-msglen=64") }

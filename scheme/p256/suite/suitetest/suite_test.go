// Package suitetest has the benchmarks of package suite.
package suitetest

import (
	"testing"

	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/scheme/p256/suite"
)

var drive = benchtest.New(suite.Subject)

func TestMain(m *testing.M) { drive.Main(m) }

func BenchmarkECDSASign(b *testing.B)  { drive.Benchmark(b, suite.ECDSASign) }
func BenchmarkKeyPairGen(b *testing.B) { drive.Benchmark(b, suite.KeyPairGen) }

func TestParallelBenchmarkECDSASign(t *testing.T)  { drive.Load(t, suite.ECDSASign) }
func TestParallelBenchmarkKeyPairGen(t *testing.T) { drive.Load(t, suite.KeyPairGen) }

func TestSubject(t *testing.T) { benchtest.Conform(t, suite.Subject, "-msglen=64") }

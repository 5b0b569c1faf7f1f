package zkatbench_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

// The operations of token/core/zkatdlog/nogh/v1/transfer, repeated here so that
// short commands work in the root folder.

func TestMain(m *testing.M) { suitetest.Main(m) }

func BenchmarkSender(b *testing.B)                          { suitetest.Benchmark(b) }
func BenchmarkParallelSender(b *testing.B)                  { suitetest.BenchmarkParallel(b) }
func BenchmarkVerificationSenderProof(b *testing.B)         { suitetest.Benchmark(b) }
func BenchmarkParallelVerificationSenderProof(b *testing.B) { suitetest.BenchmarkParallel(b) }

// the reference's name
func BenchmarkVerificationParallelSenderProof(b *testing.B) { suitetest.BenchmarkParallel(b) }

func TestParallelBenchmarkSender(t *testing.T)                  { suitetest.Run(t) }
func TestParallelBenchmarkVerificationSenderProof(t *testing.T) { suitetest.Run(t) }

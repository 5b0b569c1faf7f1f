package zkatbench_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

// The operations of token/core/zkatdlog/nogh/v1/transfer, repeated here so that
// short commands work in the root folder.

func TestMain(m *testing.M) { suitetest.Main(m) }

func BenchmarkSender(b *testing.B)         { suitetest.Benchmark(b, suite.Sender) }
func BenchmarkParallelSender(b *testing.B) { suitetest.BenchmarkParallel(b, suite.Sender) }
func BenchmarkVerificationSenderProof(b *testing.B) {
	suitetest.Benchmark(b, suite.VerificationSenderProof)
}
func BenchmarkParallelVerificationSenderProof(b *testing.B) {
	suitetest.BenchmarkParallel(b, suite.VerificationSenderProof)
}
func BenchmarkVerificationParallelSenderProof(b *testing.B) { // the reference's name
	suitetest.BenchmarkParallel(b, suite.VerificationSenderProof)
}

func TestParallelBenchmarkSender(t *testing.T) { suitetest.Run(t, suite.Sender) }
func TestParallelBenchmarkVerificationSenderProof(t *testing.T) {
	suitetest.Run(t, suite.VerificationSenderProof)
}

package transfer_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

func BenchmarkSender(b *testing.B)         { suitetest.Benchmark(b, suite.Sender) }
func BenchmarkParallelSender(b *testing.B) { suitetest.BenchmarkParallel(b, suite.Sender) }

func BenchmarkVerificationSenderProof(b *testing.B) {
	suitetest.Benchmark(b, suite.VerificationSenderProof)
}

func BenchmarkParallelVerificationSenderProof(b *testing.B) {
	suitetest.BenchmarkParallel(b, suite.VerificationSenderProof)
}

// BenchmarkVerifyBatch verifies 64 transfers at a time, or -batch.
func BenchmarkVerifyBatch(b *testing.B) { suitetest.Benchmark(b, suite.VerifyBatch) }

func BenchmarkTransferProofGeneration(b *testing.B) {
	suitetest.Benchmark(b, suite.TransferProofGeneration)
}

func TestParallelBenchmarkSender(t *testing.T) { suitetest.Run(t, suite.Sender) }

func TestParallelBenchmarkVerificationSenderProof(t *testing.T) {
	suitetest.Run(t, suite.VerificationSenderProof)
}

func TestParallelBenchmarkTransferProofGeneration(t *testing.T) {
	suitetest.Run(t, suite.TransferProofGeneration)
}

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

// BenchmarkVerificationParallelSenderProof is BenchmarkParallelVerificationSenderProof
// by the name of the reference.
func BenchmarkVerificationParallelSenderProof(b *testing.B) {
	suitetest.BenchmarkParallel(b, suite.VerificationSenderProof)
}

// BenchmarkActionMarshalling encodes and decodes a transfer.
func BenchmarkActionMarshalling(b *testing.B) { suitetest.Benchmark(b, suite.ActionMarshalling) }

// BenchmarkVerifyBatch verifies 64 transfers at a time, or -batch.
func BenchmarkVerifyBatch(b *testing.B) { suitetest.Benchmark(b, suite.VerifyBatch) }

func BenchmarkTransferProofGeneration(b *testing.B) {
	suitetest.Benchmark(b, suite.TransferProofGeneration)
}

func TestParallelBenchmarkSender(t *testing.T) { suitetest.Run(t, suite.Sender) }

func TestParallelBenchmarkVerificationSenderProof(t *testing.T) {
	suitetest.Run(t, suite.VerificationSenderProof)
}

// TestParallelBenchmarkVerificationParallelSenderProof is
// TestParallelBenchmarkVerificationSenderProof by the name of the reference.
func TestParallelBenchmarkVerificationParallelSenderProof(t *testing.T) {
	suitetest.Run(t, suite.VerificationSenderProof)
}

func TestParallelBenchmarkActionMarshalling(t *testing.T) { suitetest.Run(t, suite.ActionMarshalling) }

func TestParallelBenchmarkTransferProofGeneration(t *testing.T) {
	suitetest.Run(t, suite.TransferProofGeneration)
}

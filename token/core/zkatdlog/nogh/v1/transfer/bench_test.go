package transfer_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

func BenchmarkSender(b *testing.B)         { suitetest.Benchmark(b) }
func BenchmarkParallelSender(b *testing.B) { suitetest.BenchmarkParallel(b) }

func BenchmarkVerificationSenderProof(b *testing.B) { suitetest.Benchmark(b) }

func BenchmarkParallelVerificationSenderProof(b *testing.B) { suitetest.BenchmarkParallel(b) }

// BenchmarkVerificationParallelSenderProof is BenchmarkParallelVerificationSenderProof
// by the name of the reference.
func BenchmarkVerificationParallelSenderProof(b *testing.B) { suitetest.BenchmarkParallel(b) }

// BenchmarkActionMarshalling encodes and decodes a transfer.
func BenchmarkActionMarshalling(b *testing.B) { suitetest.Benchmark(b) }

// BenchmarkVerifyBatch verifies 64 transfers at a time, or -batch.
func BenchmarkVerifyBatch(b *testing.B) { suitetest.Benchmark(b) }

func BenchmarkTransferProofGeneration(b *testing.B) { suitetest.Benchmark(b) }

func TestParallelBenchmarkSender(t *testing.T) { suitetest.Run(t) }

func TestParallelBenchmarkVerificationSenderProof(t *testing.T) { suitetest.Run(t) }

// TestParallelBenchmarkVerificationParallelSenderProof is
// TestParallelBenchmarkVerificationSenderProof by the name of the reference.
func TestParallelBenchmarkVerificationParallelSenderProof(t *testing.T) { suitetest.Run(t) }

func TestParallelBenchmarkActionMarshalling(t *testing.T) { suitetest.Run(t) }

func TestParallelBenchmarkTransferProofGeneration(t *testing.T) { suitetest.Run(t) }

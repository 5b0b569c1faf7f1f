package v1_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

// BenchmarkTransfer is BenchmarkTransferServiceTransfer by its short name.
func BenchmarkTransfer(b *testing.B) { suitetest.Benchmark(b) }

func BenchmarkTransferServiceTransfer(b *testing.B) { suitetest.Benchmark(b) }
func BenchmarkIssueServiceIssue(b *testing.B)       { suitetest.Benchmark(b) }
func BenchmarkAuditorServiceCheck(b *testing.B)     { suitetest.Benchmark(b) }

func BenchmarkTransferServiceRedeem(b *testing.B)  { suitetest.Benchmark(b) }
func BenchmarkAuditorEndorseTransfer(b *testing.B) { suitetest.Benchmark(b) }
func BenchmarkAuditorEndorseIssue(b *testing.B)    { suitetest.Benchmark(b) }
func BenchmarkAuditorEndorseRedeem(b *testing.B)   { suitetest.Benchmark(b) }
func BenchmarkLedgerTransfer(b *testing.B)         { suitetest.Benchmark(b) }
func BenchmarkLedgerIssue(b *testing.B)            { suitetest.Benchmark(b) }
func BenchmarkLedgerRedeem(b *testing.B)           { suitetest.Benchmark(b) }

// TestParallelBenchmarkTransfer is the twin of BenchmarkTransfer.
func TestParallelBenchmarkTransfer(t *testing.T)                { suitetest.Run(t) }
func TestParallelBenchmarkTransferServiceTransfer(t *testing.T) { suitetest.Run(t) }
func TestParallelBenchmarkIssueServiceIssue(t *testing.T)       { suitetest.Run(t) }
func TestParallelBenchmarkAuditorServiceCheck(t *testing.T)     { suitetest.Run(t) }

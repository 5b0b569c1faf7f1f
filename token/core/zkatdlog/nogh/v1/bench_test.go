package v1_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

// BenchmarkTransfer is BenchmarkTransferServiceTransfer by its short name.
func BenchmarkTransfer(b *testing.B) { suitetest.Benchmark(b, suite.TransferServiceTransfer) }

func BenchmarkTransferServiceTransfer(b *testing.B) {
	suitetest.Benchmark(b, suite.TransferServiceTransfer)
}
func BenchmarkIssueServiceIssue(b *testing.B)   { suitetest.Benchmark(b, suite.IssueServiceIssue) }
func BenchmarkAuditorServiceCheck(b *testing.B) { suitetest.Benchmark(b, suite.AuditorServiceCheck) }

func BenchmarkTransferServiceRedeem(b *testing.B) {
	suitetest.Benchmark(b, suite.TransferServiceRedeem)
}
func BenchmarkAuditorEndorseTransfer(b *testing.B) {
	suitetest.Benchmark(b, suite.AuditorEndorseTransfer)
}
func BenchmarkAuditorEndorseIssue(b *testing.B) { suitetest.Benchmark(b, suite.AuditorEndorseIssue) }
func BenchmarkAuditorEndorseRedeem(b *testing.B) {
	suitetest.Benchmark(b, suite.AuditorEndorseRedeem)
}
func BenchmarkLedgerTransfer(b *testing.B) { suitetest.Benchmark(b, suite.LedgerTransfer) }
func BenchmarkLedgerIssue(b *testing.B)    { suitetest.Benchmark(b, suite.LedgerIssue) }
func BenchmarkLedgerRedeem(b *testing.B)   { suitetest.Benchmark(b, suite.LedgerRedeem) }

// TestParallelBenchmarkTransfer is the twin of BenchmarkTransfer.
func TestParallelBenchmarkTransfer(t *testing.T) { suitetest.Run(t, suite.TransferServiceTransfer) }
func TestParallelBenchmarkTransferServiceTransfer(t *testing.T) {
	suitetest.Run(t, suite.TransferServiceTransfer)
}
func TestParallelBenchmarkIssueServiceIssue(t *testing.T) {
	suitetest.Run(t, suite.IssueServiceIssue)
}
func TestParallelBenchmarkAuditorServiceCheck(t *testing.T) {
	suitetest.Run(t, suite.AuditorServiceCheck)
}

package validator_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

func BenchmarkValidatorTransfer(b *testing.B) { suitetest.Benchmark(b) }
func BenchmarkValidatorIssue(b *testing.B)    { suitetest.Benchmark(b) }
func BenchmarkValidatorRedeem(b *testing.B)   { suitetest.Benchmark(b) }

// BenchmarkValidatorBatch validates 64 requests at a time, or -batch.
func BenchmarkValidatorBatch(b *testing.B) { suitetest.Benchmark(b) }

func TestParallelBenchmarkValidatorTransfer(t *testing.T) { suitetest.Run(t) }
func TestParallelBenchmarkValidatorIssue(t *testing.T)    { suitetest.Run(t) }

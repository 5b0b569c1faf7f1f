package validator_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

func BenchmarkValidatorTransfer(b *testing.B) { suitetest.Benchmark(b, suite.ValidatorTransfer) }
func BenchmarkValidatorIssue(b *testing.B)    { suitetest.Benchmark(b, suite.ValidatorIssue) }
func BenchmarkValidatorRedeem(b *testing.B)   { suitetest.Benchmark(b, suite.ValidatorRedeem) }

// BenchmarkValidatorBatch validates 64 requests at a time, or -batch.
func BenchmarkValidatorBatch(b *testing.B) { suitetest.Benchmark(b, suite.ValidatorBatch) }

func TestParallelBenchmarkValidatorTransfer(t *testing.T) { suitetest.Run(t, suite.ValidatorTransfer) }
func TestParallelBenchmarkValidatorIssue(t *testing.T)    { suitetest.Run(t, suite.ValidatorIssue) }

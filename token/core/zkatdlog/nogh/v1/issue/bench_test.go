package issue_test

import (
	"testing"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
)

func TestMain(m *testing.M) { suitetest.Main(m) }

func BenchmarkIssuer(b *testing.B) { suitetest.Benchmark(b) }

func BenchmarkProofVerificationIssuer(b *testing.B) { suitetest.Benchmark(b) }

func TestParallelBenchmarkIssuer(t *testing.T) { suitetest.Run(t) }

func TestParallelBenchmarkProofVerificationIssuer(t *testing.T) { suitetest.Run(t) }

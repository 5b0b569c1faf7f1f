package suite_test

import (
	"encoding/json"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/golden"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

const expected = "testdata/expected.json"

// smallMatrix is the matrix of the exact figures.
func smallMatrix(t *testing.T) *bench.Selection {
	return selected(t, "-bits=16,32", "-curves=BN254,BLS12_381_BBS_GURVY",
		"-num_inputs=2", "-num_outputs=2", "-proof_type=bulletproof,csp", "-ops")
}

// smallMatrixOfV2 is the part of it for v2, which ignores the range-proof system.
func smallMatrixOfV2(t *testing.T) *bench.Selection {
	return selected(t, "-bits=32,64", "-curves=BN254,BLS12_381_BBS_GURVY", "-num_inputs=2", "-num_outputs=2",
		"-protocol=v2", "-ops")
}

// figures are exact results, by case and unit. They do not depend on the
// machine, so any difference is a change of the program.
type figures map[string]map[string]float64

// recorded returns the expected figures.
func recorded(t *testing.T) (f figures) {
	t.Helper()
	b, err := os.ReadFile(expected)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &f))
	return f
}

// TestExpected compares the exact counts, proof bytes and allocations of every
// operation of a small matrix with the expected ones: any difference is a
// change of the program. If the change is intended, accept it with
//
//	go test ./token/core/zkatdlog/nogh/v1/suite -run TestExpected -update
//
// and explain it in the commit.
func TestExpected(t *testing.T) {
	is := figures{}
	for _, sel := range []*bench.Selection{smallMatrix(t), smallMatrixOfV2(t)} {
		for i, op := range ops {
			for k, c := range sel.Cases(bench.Serial, op.Without...) {
				if every := nightly.Pick(16, 2, 1); !golden.Updating() && (i+k)%every != 0 {
					continue // by day some of the cases
				}
				is[op.Name+"/"+c.Name()] = exact(t, op, c)
			}
		}
	}
	if golden.Updating() {
		b, err := json.MarshalIndent(is, "", "\t")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(expected, append(b, '\n'), 0o644))
	}
	was := recorded(t)
	if nightly.On() {
		require.Len(t, is, len(was))
	}
	for name, now := range is {
		t.Run(name, func(t *testing.T) {
			// Other releases of Go allocate differently; the race detector allocates, and drops pool items at
			// random. The expected figures are for signatures in lanes.
			if nightly.Racing() || !strings.HasPrefix(runtime.Version(), "go1.26.") ||
				!cpu.X86.HasAVX512IFMA && strings.HasPrefix(name, "Validator") {
				delete(was[name], "allocs/op")
				delete(now, "allocs/op")
			}
			assert.Equal(t, was[name], now, "%s; go test -run TestExpected -update accepts it", name)
		})
	}
}

// TestFewAllocations bounds the expected allocations of an action with two inputs and
// two outputs, with any range-proof system: in v1 30 to make it and 20 to verify it, in
// v2 25 and 13.
func TestFewAllocations(t *testing.T) {
	was := recorded(t)
	for op, most := range map[string][2]float64{suite.Sender.Name: {30, 25},
		suite.VerificationSenderProof.Name: {20, 13}} {
		t.Run(op, func(t *testing.T) {
			var cases [2]int
			for name, units := range was {
				t.Run(name, func(t *testing.T) {
					if strings.HasPrefix(name, op+"/") {
						protocol := 0
						if strings.Contains(name, "/protocol=v2") {
							protocol = 1
						}
						cases[protocol]++
						require.LessOrEqual(t, units["allocs/op"], most[protocol], name)
					}
				})
			}
			require.NotContains(t, cases, 0)
		})
	}
}

// exact returns the machine-independent figures of op: the counts of -ops,
// encodings, and work in the scalar field.
func exact(t *testing.T, op bench.Op, c bench.Case) map[string]float64 {
	f := benchtest.Figures(t, suite.Subject, op, c)
	f["allocs/op"] = allocations(t, op, c)
	phases, err := op.Count(c, false)
	require.NoError(t, err)
	for _, o := range []count.Op{count.Encode, count.Decode, count.FieldMul, count.FieldInv} {
		f[o.String()+"/op"] = float64(phases.Total().Terms(o))
	}
	return f
}

// allocations counts the allocations of one operation in steady state, with
// full pools and without garbage collections. It is the minimum of several
// counts, since the scheduler may move a goroutine away from its processor's
// pool.
func allocations(t *testing.T, op bench.Op, c bench.Case) float64 {
	in, err := op.Setup(c, 0)
	require.NoError(t, err)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // ends a running collection
	least := math.Inf(1)
	for range 4 {
		least = min(least, testing.AllocsPerRun(1, func() {
			_, err := in.Work()
			require.NoError(t, err)
		}))
	}
	return least
}

// TestFirstUseCostsWhatLaterOnesDo checks that the first use of every operation
// does the same work as later ones. The clock counts terms instead of time, so
// the check is exact (docs/measuring.md).
func TestFirstUseCostsWhatLaterOnesDo(t *testing.T) {
	sel := selected(t, "-bits=16", "-curves=BN254", "-num_inputs=2", "-num_outputs=2",
		"-proof_type="+nightly.Pick("csp", "bulletproof,csp", "bulletproof,csp"))
	for _, op := range ops {
		for _, c := range sel.Cases(bench.Serial, op.Without...) {
			var rec count.Recorder
			report, err := metric.Examine(func() (metric.Instance, error) {
				in, err := op.On(c, 0, bench.Tools{Counts: rec.Bucket("")})
				return metric.Instance{Work: in.Work, Check: in.Check, Inputs: in.Inputs}, err
			}, clock(&rec))
			require.NoError(t, err, op.Name)
			require.Empty(t, report.Findings, op.Name)
			require.Equal(t, report.First, report.Steady, op.Name)
			require.Positive(t, report.First, op.Name)
		}
	}
}

// clock advances by one for each term of all operations counted by rec.
func clock(rec *count.Recorder) func() time.Duration {
	return func() (ticks time.Duration) {
		for e, n := range rec.Snapshot().Total() {
			ticks += time.Duration(n) * time.Duration(e.Size)
		}
		return ticks
	}
}

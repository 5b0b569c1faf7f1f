package suite_test

import (
	"flag"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

var accept = flag.Bool("accept", false, "write "+expected+" instead of comparing with it")

const expected = "testdata/expected.json"

// smallMatrix is the matrix of the exact figures.
func smallMatrix(t *testing.T) *bench.Selection {
	return selected(t, "-bits=16,32", "-curves=BN254,BLS12_381_BBS_GURVY",
		"-num_inputs=2", "-num_outputs=2", "-proof_type=bulletproof,csp", "-ops")
}

// smallMatrixOfV2 is the part of it for v2, which ignores the range-proof system.
func smallMatrixOfV2(t *testing.T) *bench.Selection {
	return selected(t, "-bits=32,64", "-curves=BN254,BLS12_381_BBS_GURVY", "-num_inputs=2", "-num_outputs=2", "-protocol=v2", "-ops")
}

// TestExpected compares the exact counts, proof bytes and allocations of every
// operation of a small matrix with the expected ones: any difference is a
// change of the program. If the change is intended, accept it with
//
//	go test ./token/core/zkatdlog/nogh/v1/suite -run TestExpected -accept
//
// and explain it in the commit.
func TestExpected(t *testing.T) {
	is := figures{}
	for _, sel := range []*bench.Selection{smallMatrix(t), smallMatrixOfV2(t)} {
		for _, op := range ops {
			for _, c := range sel.Cases(bench.Serial, op.Without...) {
				is[op.Name+"/"+c.Name()] = exact(t, op, c)
			}
		}
	}
	if *accept {
		require.NoError(t, is.save(expected))
	}
	was, err := loadFigures(expected)
	require.NoError(t, err)
	// Other releases of Go allocate differently; the race detector allocates, and drops pool items at random.
	if nightly.Racing() || !strings.HasPrefix(runtime.Version(), "go1.26.") {
		was, is = withoutAllocations(was, ""), withoutAllocations(is, "")
	}
	if !cpu.X86.HasAVX512IFMA { // the expected figures are for signatures in lanes
		was, is = withoutAllocations(was, "Validator"), withoutAllocations(is, "Validator")
	}
	require.NoError(t, gate(was, is))
}

// gate returns an error that lists the changes.
func gate(was, is figures) error {
	changes := diff(was, is)
	if len(changes) == 0 {
		return nil
	}
	return fmt.Errorf("%d figures have changed:\n%s\nif this is intended: go test ./token/core/zkatdlog/nogh/v1/suite -run TestExpected -accept",
		len(changes), changeTable(changes))
}

// TestFewAllocations bounds the expected allocations of an action with two inputs and
// two outputs, with any range-proof system: in v1 30 to make it and 20 to verify it, in
// v2 25 and 13.
func TestFewAllocations(t *testing.T) {
	was, err := loadFigures(expected)
	require.NoError(t, err)
	for op, most := range map[string][2]float64{suite.Sender.Name: {30, 25}, suite.VerificationSenderProof.Name: {20, 13}} {
		var cases [2]int
		for name, units := range was {
			if strings.HasPrefix(name, op+"/") {
				protocol := 0
				if strings.Contains(name, "/protocol=v2") {
					protocol = 1
				}
				cases[protocol]++
				require.LessOrEqual(t, units["allocs/op"], most[protocol], name)
			}
		}
		require.NotContains(t, cases, 0, op)
	}
}

// TestTheGateShowsWhatChanged checks that one additional scalar multiplication
// in one operation fails the gate, in a line that names it.
func TestTheGateShowsWhatChanged(t *testing.T) {
	const name = "Sender/bits=32/curve=BN254/inputs=2/outputs=2/proof=bulletproof"
	was, err := loadFigures(expected)
	require.NoError(t, err)
	is, err := loadFigures(expected)
	require.NoError(t, err)
	require.NoError(t, gate(was, is))
	is[name]["scalar-mul/op"]++
	is[name]["proof-B"] *= 2
	err = gate(was, is)
	require.ErrorContains(t, err, "2 figures have changed")
	require.Regexp(t, name+` +proof-B +[0-9]+ +[0-9]+ +\+100\.0%\n`, err)
	require.Regexp(t, name+` +scalar-mul/op +0 +1 *\n`, err)
	require.ErrorContains(t, err, "-accept")
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

// withoutAllocations removes the allocations of operations with names that begin with
// prefix.
func withoutAllocations(f figures, prefix string) figures {
	for name, units := range f {
		if strings.HasPrefix(name, prefix) {
			delete(units, "allocs/op")
		}
	}
	return f
}

// TestFirstUseCostsWhatLaterOnesDo checks that the first use of every operation
// does the same work as later ones. The clock counts terms instead of time, so
// the check is exact (docs/measuring.md).
func TestFirstUseCostsWhatLaterOnesDo(t *testing.T) {
	for _, op := range ops {
		for _, c := range selected(t, "-bits=16", "-curves=BN254", "-num_inputs=2", "-num_outputs=2", "-proof_type=bulletproof,csp").Cases(bench.Serial, op.Without...) {
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

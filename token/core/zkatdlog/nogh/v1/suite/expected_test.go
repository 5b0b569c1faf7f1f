package suite_test

import (
	"flag"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

var accept = flag.Bool("accept", false, "write "+expected+" anew instead of comparing with it")

const expected = "testdata/expected.json"

// smallMatrix is what is held to its exact figures.
func smallMatrix(t *testing.T) *bench.Selection {
	return selected(t, "-bits=16,32", "-curves=BN254,BLS12_381_BBS_GURVY",
		"-num_inputs=2", "-num_outputs=2", "-proof_type=bulletproof,csp", "-ops")
}

// TestExpected holds every operation of a small matrix to its exact counts,
// proof bytes and allocations: a change of one is a change of the program. If it
// is meant, accept it with
//
//	go test ./token/core/zkatdlog/nogh/v1/suite -run TestExpected -accept
//
// and say why in the commit.
func TestExpected(t *testing.T) {
	is, sel := metric.Figures{}, smallMatrix(t)
	for _, op := range ops {
		for _, c := range sel.Cases(bench.Serial, op.Without...) {
			is[op.Name+"/"+c.Name()] = exact(t, op, c)
		}
	}
	if *accept {
		require.NoError(t, is.Save(expected))
	}
	was, err := metric.LoadFigures(expected)
	require.NoError(t, err)
	if raceEnabled { // the detector allocates, and empties pools at random
		was, is = withoutAllocations(was), withoutAllocations(is)
	}
	require.NoError(t, gate(was, is))
}

// gate returns an error that shows what changed.
func gate(was, is metric.Figures) error {
	changes := metric.Diff(was, is)
	if len(changes) == 0 {
		return nil
	}
	return fmt.Errorf("%d figures are not what they were:\n%s\nif that is meant: go test ./token/core/zkatdlog/nogh/v1/suite -run TestExpected -accept",
		len(changes), metric.Table(changes))
}

// One scalar multiplication more in one operation fails the gate, in a line that
// says where.
func TestTheGateShowsWhatChanged(t *testing.T) {
	const name = "Sender/bits=32/curve=BN254/inputs=2/outputs=2/proof=bulletproof"
	was, err := metric.LoadFigures(expected)
	require.NoError(t, err)
	is, err := metric.LoadFigures(expected)
	require.NoError(t, err)
	require.NoError(t, gate(was, is))
	is[name]["scalar-mul/op"]++
	is[name]["proof-B"] *= 2
	err = gate(was, is)
	require.ErrorContains(t, err, "2 figures are not what they were")
	require.Regexp(t, name+` +proof-B +[0-9]+ +[0-9]+ +\+100\.0%\n`, err)
	require.Regexp(t, name+` +scalar-mul/op +0 +1 *\n`, err)
	require.ErrorContains(t, err, "-accept")
}

// exact are the figures of op that no machine changes, beside those of -ops also
// encodings and work in the scalar field.
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

// allocations counts those of one operation in steady state: pools are full,
// and no garbage collection empties them. It is the least of a few counts, since
// the scheduler may still take from a goroutine what its processor pooled.
func allocations(t *testing.T, op bench.Op, c bench.Case) float64 {
	in, err := op.Setup(c, 0)
	require.NoError(t, err)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // ends a collection that is under way
	least := math.Inf(1)
	for range 4 {
		least = min(least, testing.AllocsPerRun(1, func() {
			_, err := in.Work()
			require.NoError(t, err)
		}))
	}
	return least
}

func withoutAllocations(f metric.Figures) metric.Figures {
	for _, units := range f {
		delete(units, "allocs/op")
	}
	return f
}

// Every operation does the same work the first time as later. The clock counts
// terms and not time, so the check is exact (docs/pitfalls.md).
func TestFirstUseCostsWhatLaterOnesDo(t *testing.T) {
	for _, op := range ops {
		for _, c := range selected(t, "-bits=16", "-curves=BN254", "-num_inputs=2", "-num_outputs=2", "-proof_type=bulletproof,csp").Cases(bench.Serial, op.Without...) {
			var rec count.Recorder
			report, err := metric.Purity{Now: clock(&rec)}.Examine(func() (metric.Instance, error) {
				in, err := op.On(c, 0, bench.Tools{Counts: rec.Bucket("")})
				return metric.Instance{Work: in.Work, Check: in.Check, Inputs: in.Inputs}, err
			})
			require.NoError(t, err, op.Name)
			require.Empty(t, report.Findings, op.Name)
			require.Equal(t, report.First, report.Steady, op.Name)
			require.Positive(t, report.First, op.Name)
		}
	}
}

// clock ticks once for each term of everything that rec counts.
func clock(rec *count.Recorder) func() time.Duration {
	return func() (ticks time.Duration) {
		for e, n := range rec.Snapshot().Total() {
			ticks += time.Duration(n) * time.Duration(e.Size)
		}
		return ticks
	}
}

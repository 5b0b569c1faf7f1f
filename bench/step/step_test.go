package step_test

import (
	"bytes"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/step"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

var sink []byte

// work enters steps two levels deep and allocates in each of them.
func work(root *step.Recorder) {
	sink = make([]byte, 100)
	prove := root.Enter("prove")
	sink = make([]byte, 1000)
	for _, round := range []string{"round 1", "round 2"} {
		r := prove.Enter(round)
		sink = make([]byte, 10_000)
		r.Add(step.MsgsSent, 2)
		root.AddActive(step.RandBytes, 32)
		r.Leave()
	}
	prove.Leave()
	root.AddActive(step.RandBytes, 1)
}

func TestCostsBelongToTheActiveStep(t *testing.T) {
	run, root := step.NewRun("op", 0, nil)
	run.Start(root)
	work(root)
	table := run.Stop()
	require.Equal(t, step.Table{
		"op":               {step.Calls: 1, step.RandBytes: 1},
		"op/prove":         {step.Calls: 1},
		"op/prove/round-1": {step.Calls: 1, step.MsgsSent: 2, step.RandBytes: 32},
		"op/prove/round-2": {step.Calls: 1, step.MsgsSent: 2, step.RandBytes: 32},
	}, table)
}

func TestAllocationsAddUpToTheTotal(t *testing.T) {
	work(nil) // allocations of the first run
	var before, after runtime.MemStats
	run, root := step.NewRun("op", step.Memory, nil)
	runtime.ReadMemStats(&before)
	run.Start(root)
	work(root)
	table := run.Stop()
	runtime.ReadMemStats(&after)
	require.GreaterOrEqual(t, table["op/prove/round-1"][step.AllocBytes], uint64(10_000))
	require.GreaterOrEqual(t, table["op/prove"][step.AllocBytes], uint64(1000))
	total := table.Total()
	// Start, Stop and the table itself allocate outside of the run.
	require.LessOrEqual(t, total[step.AllocBytes], after.TotalAlloc-before.TotalAlloc)
	require.GreaterOrEqual(t, total[step.AllocBytes], uint64(21_100))
}

func TestTimesAddUpToTheTotal(t *testing.T) {
	run, root := step.NewRun("op", step.Times, nil)
	begin := time.Now()
	run.Start(root)
	work(root)
	table := run.Stop()
	require.LessOrEqual(t, table.Total()[step.TimeNs], uint64(time.Since(begin)))
	require.NotZero(t, table["op/prove"][step.TimeNs])
}

func TestBordersAreVisitedAndFree(t *testing.T) {
	var borders int
	run, root := step.NewRun("op", step.Memory, func() {
		borders++
		sink = make([]byte, 1<<20)
	})
	run.Start(root)
	work(root)
	table := run.Stop()
	require.Equal(t, 7, borders) // three steps entered and left, and the end
	require.Less(t, table.Total()[step.AllocBytes], uint64(1<<20))
}

func TestAStoppedRunRecordsNothing(t *testing.T) {
	run, root := step.NewRun("op", step.Times, nil)
	work(root)
	run.Start(root)
	first := run.Stop()
	work(root)
	require.Equal(t, uint64(1), first.Total()[step.Calls])
	run.Start(root)
	require.Equal(t, uint64(2), run.Stop()["op"][step.Calls])
}

func TestStepsOfOneNameAreOne(t *testing.T) {
	_, root := step.NewRun("op", 0, nil)
	require.Same(t, root.Step("a"), root.Step("a"))
	require.NotSame(t, root.Step("a"), root.Step("b"))
}

func TestOffIsFree(t *testing.T) {
	require.Zero(t, testing.AllocsPerRun(100, func() {
		s := (*step.Recorder)(nil).Enter("step")
		s.Add(step.Calls, 1)
		s.Step("below").Begin()
		s.AddActive(step.Calls, 1)
		s.Leave()
	}))
}

func BenchmarkOff(b *testing.B) {
	var root *step.Recorder
	b.ReportAllocs()
	for b.Loop() {
		root.Enter("step").Leave()
	}
}

const table = "Step,Calls,Time_ns,Add,Double,Neg,ScalarMul,MSM,MSM_terms,FixedMSM,FixedMSM_terms," +
	"G2_ScalarMul,G2_MSM_terms,Pairing_terms,FinalExp,Field_mul,Field_inv,Hash_to_curve,Encode,Decode," +
	`Msgs_sent,Bytes_sent,Rand_bytes,Alloc_bytes,Allocs
op/mc10,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24
op/mc2,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1
`

func TestCSV(t *testing.T) {
	rows := step.Table{"op/mc2": {step.Calls: 1, step.Allocs: 1}}
	for i, c := range step.Columns() {
		rows.Add("op/mc10", c, uint64(i+1))
	}
	var b bytes.Buffer
	require.NoError(t, rows.Write(&b))
	require.Equal(t, table, b.String())

	collapsed := rows.Collapse()
	require.Equal(t, step.Table{"op/mc*": rows.Total()}, collapsed)
	require.Equal(t, uint64(25), collapsed["op/mc*"][step.Allocs])
	require.Contains(t, step.Table{"PS18Sign/round-1": {}}.Collapse(), "PS18Sign/round-*")
}

func TestNamesFitCSV(t *testing.T) {
	require.Equal(t, "a/b-c;d", step.Join("a", "b c,d"))
	require.False(t, slices.Contains([]string{step.TimeNs.String()}, ""))
}

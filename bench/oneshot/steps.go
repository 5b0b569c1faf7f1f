package oneshot

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/count"
)

// ByStep runs a program in three passes with the same seed and joins their
// tables: counts of group operations, then wall time, then allocations. It also
// returns the wall time of the second pass.
//
// The operation must run in one goroutine. GOMAXPROCS is 1 meanwhile.
func ByStep(ctx context.Context, p Program) (table step.Table, took time.Duration, err error) {
	if p.Op.On == nil {
		return nil, 0, fmt.Errorf("%s has no steps that can be observed", p.Op.Name)
	}
	if p.Op.Concurrent != nil && p.Op.Concurrent(p.Case) {
		return nil, 0, fmt.Errorf("%s works in several goroutines in this case: steps need one", p.Op.Name)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	table, err = counted(ctx, p)
	if err != nil {
		return nil, 0, err
	}
	times, res, err := Observed(ctx, p, step.Times, nil, nil)
	if err != nil {
		return nil, 0, err
	}
	table.Merge(times)
	memory, _, err := Observed(ctx, p, step.Memory, nil, nil)
	if err != nil {
		return nil, 0, err
	}
	for name, row := range memory {
		table.Add(name, step.AllocBytes, row[step.AllocBytes])
		table.Add(name, step.Allocs, row[step.Allocs])
	}
	return table, res.Took, nil
}

// Observed runs a program once and attributes the costs of mode to its steps.
// border, if it is not nil, is called at each border between steps, and begin
// between preparation and work.
func Observed(ctx context.Context, p Program, mode step.Mode, border func(), begin func() error) (step.Table,
	*Result, error) {
	run, root := step.NewRun(p.Op.Name, mode, border)
	p.Observe = func(record int) bench.Tools {
		seed := p.Seed + uint64(record)
		return bench.Tools{Steps: root, Random: metered{random(seed), root}}
	}
	prepared, err := p.Prepare(ctx)
	if err == nil && begin != nil {
		err = begin()
	}
	if err != nil {
		return nil, nil, err
	}
	var table step.Table
	res, err := prepared.Work(ctx, func(_ int, work func()) {
		run.Start(root)
		work()
		table = run.Stop()
	})
	prepared.instances = nil // so that only leaks keep memory
	return table, res, err
}

// metered is a source of randomness that charges its bytes to the active step.
type metered struct {
	io.Reader
	step *step.Recorder
}

func (m metered) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	m.step.AddActive(step.RandBytes, uint64(n))
	return n, err
}

// counted runs a program with counted group operations.
func counted(ctx context.Context, p Program) (step.Table, error) {
	var rec count.Recorder
	p.Observe = func(int) bench.Tools { return bench.Tools{Counts: rec.Bucket("")} }
	prepared, err := p.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	table := step.Table{}
	_, err = prepared.Work(ctx, func(_ int, work func()) {
		rec.Reset() // the events of set-up
		work()
		for phase, counts := range rec.Snapshot() {
			path := step.Join("", p.Op.Name)
			for _, name := range strings.FieldsFunc(phase, func(r rune) bool { return r == '/' }) {
				path = step.Join(path, name)
			}
			table.Merge(step.Table{path: step.Counted(counts)})
		}
	})
	return table, err
}

// warmUp is the number of operations that fill pools: before the first mark, between
// both, and again before the work.
const warmUp = 5

// Heap runs a program twice: for the memory that its work allocates, then for the
// memory that is live at borders between steps, every so many bytes. With all,
// preparation is work too.
func Heap(ctx context.Context, p Program, every uint64, all bool) (*heap.Result, error) {
	total, err := totalOf(ctx, p, all)
	if err != nil {
		return nil, err
	}
	var looks *heap.Looks
	start := func() error {
		if looks == nil {
			looks = heap.Start(every, total)
		}
		return nil
	}
	if all {
		_ = start() // before preparation
	}
	_, _, err = Observed(ctx, p, 0, func() { looks.Border() }, start)
	if looks == nil {
		return nil, err
	}
	return looks.End(), err
}

// totalOf runs a program without looks and without recorders of steps, so that it
// allocates as much as a benchmark of the operation.
func totalOf(ctx context.Context, p Program, all bool) (total heap.Total, err error) {
	totals := heap.StartTotals()
	defer func() { total = totals.Stop() }()
	if all {
		totals.Mark()
	}
	p.Report = nil
	prepared, err := p.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	_, err = prepared.Work(ctx, func(record int, work func()) {
		times := 1
		if record == 0 && !all {
			times += 3 * warmUp
		}
		for n := range times { // from one line, so that places are the same
			if n == warmUp || n == 2*warmUp {
				totals.Mark()
			}
			work()
		}
		if record == p.Records-1 {
			totals.Mark()
		}
	})
	return total, err
}

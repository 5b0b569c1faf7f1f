package oneshot

import (
	"context"

	"github.com/zkatbench/zkatbench/bench/heap"
)

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
	if all {
		looks = heap.Start(every, total)
	}
	_, _, err = Observed(ctx, p, 0, func() {
		if looks != nil {
			looks.Border()
		}
	}, func() error {
		if looks == nil {
			looks = heap.Start(every, total)
		}
		return nil
	})
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

// Package metric keeps benchmarks honest: it examines operations before they
// are timed.
//
// The checks are that an operation works, leaves its inputs unchanged, and has
// the same cost on first and later uses. The time of a random read is a
// yardstick of memory.
//
// It depends on neither tokens nor groups. docs/measuring.md shows the findings
// of each check, with measured examples.
package metric

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// Errors of operations that cannot be timed meaningfully.
var (
	// ErrFails reports an operation that fails or gives a wrong result.
	ErrFails = errors.New("operation fails")
	// errChanges reports an operation that changes its inputs.
	errChanges = errors.New("operation changes its inputs")
)

// limit is the ratio of first to steady cost above which the first use is found to
// cost more: some state is kept, such as deferred work of the set-up, a value that
// caches or rewrites itself, a table, a pool. Reused inputs hide this cost.
const limit = 1.1

// An examination uses each of newInputs new inputs once and then laterUses times. A
// first use must cost more in all of tries examinations, since other programs can slow
// down any one of them.
const (
	tries     = 3
	newInputs = 7
	laterUses = 5
)

// Report is the outcome of an examination.
type Report struct {
	First, Steady time.Duration // medians
	Findings      []string      // reasons to doubt a measurement
}

// Ratio is First/Steady, or 1 if both are 0.
func (r Report) Ratio() float64 {
	if r.First == 0 && r.Steady == 0 {
		return 1
	}
	return float64(r.First) / float64(max(1, r.Steady))
}

// Examine examines the operation that fresh makes with new inputs each time. now is the
// clock; a clock that counts group operations instead of time makes findings exact. The
// error is ErrFails, also for a wrong result, that an input has another encoding after
// the work, or an error of fresh.
func Examine(fresh func() (Instance, error), now func() time.Duration) (r Report, err error) {
	in, err := fresh()
	if err == nil {
		_, err = in.Try()
	}
	if err != nil {
		return r, err
	}
	rewritten, err := rewrites(fresh)
	if err != nil {
		return r, err
	}
	if rewritten {
		r.Findings = append(r.Findings,
			"input rewritten: the operation writes to the memory of an input and keeps its encoding; "+
				"reused and fresh inputs can differ in cost")
	}
	for try := 0; try < tries && (try == 0 || r.Ratio() > limit); try++ {
		r.First, r.Steady, err = compare(fresh, now)
		if err != nil {
			return r, err
		}
	}
	if ratio := r.Ratio(); ratio > limit {
		r.Findings = append(r.Findings,
			fmt.Sprintf("first use costs more: %v, then %v (ratio %.2f, limit %.1f)", r.First, r.Steady,
				ratio, limit))
	}
	return r, nil
}

// rewrites runs one instance without encoding it, and reports whether the memory of its
// inputs changed, as by a library that normalises its arguments in place.
func rewrites(fresh func() (Instance, error)) (bool, error) {
	in, err := fresh()
	if err != nil || in.Reads == nil {
		return false, err
	}
	before := memory(in.Reads)
	if _, err := in.Work(); err != nil {
		return false, fmt.Errorf("%w: %w", ErrFails, err)
	}
	return memory(in.Reads) != before, nil
}

// Try runs the work once, untimed, and returns the exact figures of its result.
// The error is ErrFails, also for a wrong result, or errChanges. Checking comes last,
// since it may repeat the work.
func (in Instance) Try() ([]Figure, error) {
	before := in.Encodings()
	out, err := in.Work()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFails, err)
	}
	changed := compared(before, in.Encodings())
	if err := in.Check(out); err != nil {
		return nil, fmt.Errorf("%w: wrong result: %w", ErrFails, err)
	}
	if changed != nil || in.Exact == nil {
		return nil, changed
	}
	return in.Exact(out), nil
}

// compared returns an error if an input changed.
func compared(before, after [][]byte) error {
	if len(before) != len(after) {
		return fmt.Errorf("%w: %d inputs, then %d", errChanges, len(before), len(after))
	}
	for i := range before {
		if !bytes.Equal(before[i], after[i]) {
			return fmt.Errorf("%w: input %d of %d has another encoding after the operation", errChanges, i+1,
				len(before))
		}
	}
	return nil
}

// Encodings returns copies of the encodings of the inputs, since an input may be the slice
// that Work writes; nil if the inputs have none.
func (in Instance) Encodings() (bs [][]byte) {
	if in.Inputs == nil {
		return nil
	}
	for _, b := range in.Inputs() {
		bs = append(bs, bytes.Clone(b))
	}
	return bs
}

// compare returns the medians of the times of first and of later uses. The code has run
// before, so the first use is not slowed by a cold program.
func compare(fresh func() (Instance, error), now func() time.Duration) (first, steady time.Duration,
	err error) {
	var firsts, later []time.Duration
	for range newInputs {
		in, err := fresh()
		if err != nil {
			return 0, 0, err
		}
		took, err := in.uses(1+laterUses, now)
		if err != nil {
			return 0, 0, err
		}
		firsts, later = append(firsts, took[0]), append(later, took[1:]...)
	}
	return stats.Median(firsts), stats.Median(later), nil
}

// uses times n uses of in and checks the result of the last one.
func (in Instance) uses(n int, now func() time.Duration) (took []time.Duration, err error) {
	var out []byte
	for use := range n {
		start := now()
		out, err = in.Work()
		took = append(took, now()-start)
		if err != nil {
			return nil, fmt.Errorf("%w: use %d: %w", ErrFails, use+1, err)
		}
	}
	if err := in.Check(out); err != nil {
		return nil, fmt.Errorf("%w: wrong result of use %d: %w", ErrFails, n, err)
	}
	return took, nil
}

// Package metric keeps benchmarks honest: it examines operations before they
// are timed.
//
//	instance.go an operation with its environment
//	purity.go   checks that an operation works, leaves its inputs unchanged, and
//	            has the same cost on first and later uses
//	memory.go   a hash of the memory of a value
//
// It depends on neither tokens nor groups. docs/measuring.md shows the findings
// of each check, with measured examples.
package metric

import (
	"bytes"
	"cmp"
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

// Kind is the kind of a Finding.
type Kind string

// The kinds of findings.
const (
	// InputChanged: after Work, an input has another encoding. Later operations
	// on it compute something different.
	InputChanged Kind = "input changed"
	// InputRewritten: Work writes to the memory of an input and keeps its
	// encoding, as a library does that normalises its arguments in place.
	// Reused inputs can then be cheaper than fresh ones.
	InputRewritten Kind = "input rewritten"
	// FirstUse: the first Work on new inputs costs more than later ones. Some
	// state is kept: deferred work of the set-up, a value that caches or
	// rewrites itself, precomputation, a pool. Reused inputs hide this cost.
	FirstUse Kind = "first use costs more"
)

// Finding is one reason to doubt a measurement.
type Finding struct {
	Kind   Kind
	Detail string
}

func (f Finding) String() string { return string(f.Kind) + ": " + f.Detail }

// limit is the ratio of first to steady cost above which FirstUse is found.
const limit = 1.1

// tries is the number of examinations that must all find a first use that costs
// more, since other programs can slow down any one of them.
const tries = 3

// Purity configures an examination. The zero value selects the defaults.
type Purity struct {
	Instances int // new inputs; the first use of each is timed; 0 means 7
	Uses      int // timed later uses of each; 0 means 5
	// Now is the clock; nil means the monotonic clock. A clock that counts
	// group operations instead of time makes findings exact.
	Now func() time.Duration
}

// Report is the outcome of an examination.
type Report struct {
	First, Steady time.Duration // medians
	Findings      []Finding
}

// Ratio is First/Steady, or 1 if both are 0.
func (r Report) Ratio() float64 {
	if r.Steady == 0 {
		if r.First == 0 {
			return 1
		}
		return float64(r.First)
	}
	return float64(r.First) / float64(r.Steady)
}

// Examine examines the operation that fresh makes with new inputs each time.
// The error is ErrFails or an error of fresh.
func (p Purity) Examine(fresh func() (Instance, error)) (Report, error) {
	var r Report
	changed, err := changes(fresh)
	if err != nil {
		return r, err
	}
	if len(changed) == 0 {
		if changed, err = rewrites(fresh); err != nil {
			return r, err
		}
	}
	r.Findings = append(r.Findings, changed...)
	for try := 0; try < tries && (try == 0 || r.Ratio() > limit); try++ {
		if err := p.compare(fresh, &r); err != nil {
			return r, err
		}
	}
	if ratio := r.Ratio(); ratio > limit {
		r.Findings = append(r.Findings, Finding{FirstUse, fmt.Sprintf("%v, then %v (ratio %.2f, limit %.1f)", r.First, r.Steady, ratio, limit)})
	}
	return r, nil
}

// changes runs one instance and compares the encodings of its inputs.
func changes(fresh func() (Instance, error)) ([]Finding, error) {
	in, err := fresh()
	if err != nil {
		return nil, err
	}
	_, found, err := in.run()
	return found, err
}

// rewrites runs one instance without encoding it, and compares the memory of
// its inputs.
func rewrites(fresh func() (Instance, error)) ([]Finding, error) {
	in, err := fresh()
	if err != nil || in.Reads == nil {
		return nil, err
	}
	before := Memory(in.Reads)
	if _, err := in.Work(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFails, err)
	}
	if Memory(in.Reads) == before {
		return nil, nil
	}
	return []Finding{{InputRewritten, "the operation writes to the memory of an input and keeps its encoding; reused and fresh inputs can differ in cost"}}, nil
}

// Try runs the work once, untimed, and returns the exact figures of its result.
// The error is ErrFails, also for a wrong result, or ErrChanges.
func (in Instance) Try() ([]Figure, error) {
	out, found, err := in.run()
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%w: %s", errChanges, found[0].Detail)
	}
	if err != nil || in.Exact == nil {
		return nil, err
	}
	return in.Exact(out), nil
}

// compared lists the inputs that changed.
func compared(before, after [][]byte) (found []Finding) {
	if len(before) != len(after) {
		return []Finding{{InputChanged, fmt.Sprintf("%d inputs, then %d", len(before), len(after))}}
	}
	for i := range before {
		if !bytes.Equal(before[i], after[i]) {
			found = append(found, Finding{InputChanged, fmt.Sprintf("input %d of %d has another encoding after the operation", i+1, len(before))})
		}
	}
	return found
}

// encodings returns copies, since an input may be the slice that Work writes.
func (in Instance) encodings() (bs [][]byte) {
	if in.Inputs == nil {
		return nil
	}
	for _, b := range in.Inputs() {
		bs = append(bs, bytes.Clone(b))
	}
	return bs
}

// run does the work, compares the inputs, and checks the result. Checking comes
// last, since it may repeat the work.
func (in Instance) run() (out []byte, found []Finding, err error) {
	before := in.encodings()
	if out, err = in.Work(); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrFails, err)
	}
	found = compared(before, in.encodings())
	if err := in.Check(out); err != nil {
		return nil, nil, fmt.Errorf("%w: wrong result: %w", ErrFails, err)
	}
	return out, found, nil
}

// compare measures First and Steady. changes has run the code before, so the
// first use is not slowed by a cold program.
func (p Purity) compare(fresh func() (Instance, error), r *Report) error {
	now := p.Now
	if now == nil {
		start := time.Now()
		now = func() time.Duration { return time.Since(start) }
	}
	var first, steady []time.Duration
	for range cmp.Or(p.Instances, 7) {
		in, err := fresh()
		if err != nil {
			return err
		}
		took, err := in.uses(1+cmp.Or(p.Uses, 5), now)
		if err != nil {
			return err
		}
		first, steady = append(first, took[0]), append(steady, took[1:]...)
	}
	r.First, r.Steady = stats.Median(first), stats.Median(steady)
	return nil
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

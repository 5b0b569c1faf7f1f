// Package metric keeps benchmarks honest: it examines operations before they
// are timed, and holds figures that are exact to what they were.
//
//	purity.go   whether an operation works, leaves its inputs alone, and costs
//	            the first time what it costs later
//	memory.go   a hash of the memory of a value
//	thread_*.go the processor time of one goroutine, as a clock
//	expect.go   exact figures in a file, and what changed against it
//
// It knows neither tokens nor groups. docs/pitfalls.md shows what each check
// finds, with measured examples.
package metric

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Instance is an operation with inputs of its own.
type Instance struct {
	// Work is what is measured. It can be called again, on the same inputs.
	Work func() ([]byte, error)
	// Check returns an error unless out, which Work returned, is right.
	Check func(out []byte) error
	// Inputs returns encodings of everything that Work reads, nil if it reads
	// nothing that has one. It is called before and after Work, but never
	// before a Work that is timed: encoding can finish work that set-up left
	// over, and hide it.
	Inputs func() [][]byte
	// Reads are the inputs themselves, for Memory; nil if they are not
	// compared. It is only used on an instance that was never encoded.
	Reads any
}

// Why the time of an operation means nothing.
var (
	// ErrFails says that it does not do what it should.
	ErrFails = errors.New("operation fails")
	// ErrChanges says that it changes its inputs.
	ErrChanges = errors.New("operation changes its inputs")
)

// Kind is what is wrong with an operation that works.
type Kind string

// The kinds of findings.
const (
	// InputChanged: after Work an input has another encoding. Later
	// operations on it compute something else.
	InputChanged Kind = "input changed"
	// InputRewritten: Work writes to the memory of an input and keeps its
	// encoding, as a library does that normalises its arguments in place.
	// Reused inputs can be cheaper than fresh ones.
	InputRewritten Kind = "input rewritten"
	// FirstUse: the first Work on new inputs costs more than later ones.
	// Something is kept: work that set-up left over, a value that caches or
	// rewrites itself, precomputation, a pool. Reused inputs hide that cost.
	FirstUse Kind = "first use costs more"
)

// Finding is one thing that makes a measurement doubtful.
type Finding struct {
	Kind   Kind
	Detail string
}

func (f Finding) String() string { return string(f.Kind) + ": " + f.Detail }

// Limit is the ratio of first to steady cost above which FirstUse is found.
const Limit = 1.1

// tries is how often first uses must be found to cost more until that is
// believed: other programs can make any one of them slow.
const tries = 3

// Purity is how an operation is examined. The zero value asks for defaults.
type Purity struct {
	Instances int // new inputs: the first use of each is timed; 0 for 7
	Uses      int // later uses of each that are timed; 0 for 5
	// Now is the clock, nil for the monotonic one. A clock that counts group
	// operations instead of time makes findings exact.
	Now func() time.Duration
}

// Report is what an examination found.
type Report struct {
	First, Steady time.Duration // medians
	Findings      []Finding
}

// Ratio is First/Steady, 1 if nothing took any time.
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
// The error is ErrFails, or that of fresh.
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
	for try := 0; try < tries && (try == 0 || r.Ratio() > Limit); try++ {
		if err := p.compare(fresh, &r); err != nil {
			return r, err
		}
	}
	if ratio := r.Ratio(); ratio > Limit {
		r.Findings = append(r.Findings, Finding{FirstUse, fmt.Sprintf("%v, then %v (ratio %.2f, at most %.1f is usual)", r.First, r.Steady, ratio, Limit)})
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

// rewrites runs one instance, which is not encoded, and compares the memory of
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

// Try does the work once, untimed, and returns what it made. The error is
// ErrFails, also if that is wrong, or ErrChanges.
func (in Instance) Try() (out []byte, err error) {
	out, found, err := in.run()
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%w: %s", ErrChanges, found[0].Detail)
	}
	return out, err
}

// compared lists what is not what it was.
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

// encodings are copies: an input may be the very bytes that Work writes.
func (in Instance) encodings() (bs [][]byte) {
	if in.Inputs == nil {
		return nil
	}
	for _, b := range in.Inputs() {
		bs = append(bs, bytes.Clone(b))
	}
	return bs
}

// run does the work, checks the result and compares the inputs. They are
// compared first, since checking may do the work again.
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

// compare measures First and Steady. changes has run the code before, so that
// the first of all uses is not that of a cold program.
func (p Purity) compare(fresh func() (Instance, error), r *Report) error {
	now := p.Now
	if now == nil {
		start := time.Now()
		now = func() time.Duration { return time.Since(start) }
	}
	var first, steady []time.Duration
	for range orDefault(p.Instances, 7) {
		in, err := fresh()
		if err != nil {
			return err
		}
		took, err := in.uses(1+orDefault(p.Uses, 5), now)
		if err != nil {
			return err
		}
		first, steady = append(first, took[0]), append(steady, took[1:]...)
	}
	r.First, r.Steady = Median(first), Median(steady)
	return nil
}

// uses times n uses of in and checks the result of the last.
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

func orDefault(n, def int) int {
	if n == 0 {
		return def
	}
	return n
}

// Median sorts values and returns their median, the upper one of two. There must
// be a value.
func Median[T cmp.Ordered](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

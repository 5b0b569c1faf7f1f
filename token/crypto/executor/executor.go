// Package executor schedules the independent proofs of one action.
package executor

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
)

// Executor runs f(0) … f(n-1), each once, and returns the error of the lowest
// index. A panic in f becomes an error of that index, also in goroutines of the
// executor, where the caller could not recover it. Results must not depend on
// the order.
type Executor interface {
	Run(n int, f func(i int) error) error
	// Width returns the number of calls, of n, that run concurrently.
	Width(n int) int
}

// Names are the names accepted by ByName.
var Names = []string{"serial", "unbounded", "pool"}

// ByName returns the executor called name.
func ByName(name string) (Executor, error) {
	switch name {
	case "serial":
		return Serial{}, nil
	case "unbounded":
		return Unbounded{}, nil
	case "pool":
		return Pool{}, nil
	}
	return nil, fmt.Errorf("executor %q is not one of %s", name, strings.Join(Names, ", "))
}

// Serial runs the calls in order in the caller's goroutine and stops at the
// first error.
type Serial struct{}

// Run implements Executor.
func (Serial) Run(n int, f func(i int) error) error {
	for i := range n {
		if err := guarded(f, i); err != nil {
			return err
		}
	}
	return nil
}

// Width implements Executor.
func (Serial) Width(n int) int { return min(n, 1) }

// Unbounded starts one goroutine for each call.
type Unbounded struct{}

// Run implements Executor.
func (Unbounded) Run(n int, f func(i int) error) error { return spread(n, n, f) }

// Width implements Executor.
func (Unbounded) Width(n int) int { return n }

// Pool runs at most Workers calls at a time; zero means GOMAXPROCS.
type Pool struct{ Workers int }

// Run implements Executor.
func (p Pool) Run(n int, f func(i int) error) error {
	return spread(p.Width(n), n, f)
}

// Width implements Executor.
func (p Pool) Width(n int) int {
	workers := p.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return min(workers, n)
}

func spread(workers, n int, f func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = guarded(f, i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Guard runs f and returns its error. A panic in f becomes a *PanicError.
func Guard(f func() error) error {
	return guarded(func(int) error { return f() }, -1)
}

// A PanicError is a panic that an Executor or Guard turned into an error. Its
// text contains only the index, since the value may contain a secret.
type PanicError struct {
	Index int // -1 for Guard
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	if e.Index < 0 {
		return "a function panicked"
	}
	return fmt.Sprintf("proof %d panicked", e.Index)
}

func guarded(f func(i int) error, i int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Index: i, Value: v, Stack: debug.Stack()}
		}
	}()
	return f(i)
}

package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Operation is what is measured. It is called by one worker at a time with the
// number of that worker, from 0; different workers call it concurrently.
type Operation func(worker int) error

// Config says how to run an Operation.
type Config struct {
	Workers  int           // at least 1
	Duration time.Duration // of recording, at least 1 ms
	WarmUp   time.Duration // before recording; 0 for a tenth of Duration, at most a second
}

// ErrConfig says that a Config cannot be run.
var ErrConfig = errors.New("runner configuration")

const (
	tickCount      = 60 // of the throughput over time
	longestWarmUp  = time.Second
	shortestWindow = time.Millisecond
	// grace is how long an interrupted run waits for operations in progress.
	grace = 1500 * time.Millisecond
)

func (c *Config) complete() error {
	if c.Workers < 1 {
		return fmt.Errorf("%w: %d workers", ErrConfig, c.Workers)
	}
	if c.Duration < shortestWindow {
		return fmt.Errorf("%w: a duration of %v is below %v", ErrConfig, c.Duration, shortestWindow)
	}
	if c.WarmUp == 0 {
		c.WarmUp = min(c.Duration/10, longestWarmUp)
	}
	return nil
}

// Run calls op from c.Workers goroutines for c.WarmUp and then c.Duration and
// returns what it measured. If ctx is cancelled it returns within two seconds,
// with what was measured so far and Interrupted set; operations that are still
// in progress then are left behind and counted as Abandoned. Failed
// operations, panicking ones included, never enter the latencies.
func Run(ctx context.Context, c Config, op Operation) (*Result, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	memory := measureMemory(op)
	before := readGC()
	r := &run{op: op, gate: make(chan struct{}), tick: c.Duration / tickCount}
	workers := make([]*worker, c.Workers)
	var ready, done sync.WaitGroup
	for i := range workers {
		workers[i] = newWorker(i, r)
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-r.gate
			workers[i].keepGoing()
		})
	}
	ready.Wait()
	r.from = time.Now().Add(c.WarmUp)
	r.till = r.from.Add(c.Duration)
	close(r.gate)

	end, interrupted := r.wait(ctx, &done)
	res := collect(workers, r.from, end)
	res.Config, res.Interrupted, res.Memory, res.GC = c, interrupted, memory, readGC().since(before)
	return res, nil
}

// run is what the workers share and only read, except stopped.
type run struct {
	op         Operation
	gate       chan struct{}
	from, till time.Time // the recording window
	tick       time.Duration
	stopped    atomic.Bool
}

// wait sleeps until the window is over and all workers are done, and returns
// the end of what was recorded. A cancelled ctx cuts both short.
func (r *run) wait(ctx context.Context, done *sync.WaitGroup) (end time.Time, interrupted bool) {
	finished := make(chan struct{})
	go func() { done.Wait(); close(finished) }()
	select {
	case <-finished:
		return r.till, false
	case <-ctx.Done():
	}
	end = time.Now()
	r.stopped.Store(true)
	select {
	case <-finished:
	case <-time.After(grace):
	}
	if end.After(r.till) {
		end = r.till
	}
	return end, true
}

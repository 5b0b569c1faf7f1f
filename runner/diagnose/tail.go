package diagnose

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/exp/trace"

	"github.com/zkatbench/zkatbench/runner"
)

// logCategory marks, in a trace, the end of the slowest operation so far.
const logCategory = "runner: slowest operation"

// Tail is the trace of the slowest operation: the time its goroutine spent in
// each state, and the runtime events that overlapped it.
type Tail struct {
	Slow   runner.Slow
	States []Part // running, runnable (waiting for a processor), waiting: why, syscall
	Events []Part // collections, stop-the-world pauses
}

// Part is the time of the operation that a state or an event overlapped.
type Part struct {
	Name string
	Took time.Duration
}

// tailOf reads the trace twice, since the first pass has to find the end of the
// operation.
func tailOf(dump []byte, slow runner.Slow) (*Tail, error) {
	var end trace.Time
	worker := trace.NoGoroutine
	err := events(dump, func(e *trace.Event) {
		if e.Kind() == trace.EventLog && e.Log().Category == logCategory && e.Log().Message == slow.Latency.String() {
			end, worker = e.Time(), e.Goroutine()
		}
	})
	if err != nil || worker == trace.NoGoroutine {
		return nil, err
	}
	o := &overlap{from: end - trace.Time(slow.Latency), till: end, worker: worker,
		states: map[string]time.Duration{}, ranges: map[string]time.Duration{}, open: map[string]trace.Time{}}
	o.since = o.from
	if err := events(dump, o.see); err != nil {
		return nil, err
	}
	o.close()
	return &Tail{Slow: slow, States: parts(o.states), Events: parts(o.ranges)}, nil
}

func events(dump []byte, see func(*trace.Event)) error {
	r, err := trace.NewReader(bytes.NewReader(dump))
	if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	for {
		e, err := r.ReadEvent()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("trace: %w", err)
		}
		see(&e)
	}
}

// overlap sums the parts between from and till.
type overlap struct {
	from, till trace.Time
	worker     trace.GoID
	states     map[string]time.Duration
	ranges     map[string]time.Duration
	open       map[string]trace.Time
	state      string
	since      trace.Time
}

func (o *overlap) add(to map[string]time.Duration, name string, from, till trace.Time) {
	if from, till = max(from, o.from), min(till, o.till); till > from && name != "" {
		to[name] += time.Duration(till - from)
	}
}

func (o *overlap) see(e *trace.Event) {
	switch e.Kind() {
	case trace.EventStateTransition:
		t := e.StateTransition()
		if t.Resource.Kind != trace.ResourceGoroutine || t.Resource.Goroutine() != o.worker {
			return
		}
		before, now := t.Goroutine()
		if o.state == "" {
			o.state = before.String()
		}
		o.add(o.states, o.state, o.since, e.Time())
		o.state, o.since = now.String(), e.Time()
		if now == trace.GoWaiting && t.Reason != "" {
			o.state += ": " + t.Reason
		}
	case trace.EventRangeBegin, trace.EventRangeActive:
		o.open[key(e)] = e.Time()
	case trace.EventRangeEnd:
		if from, ok := o.open[key(e)]; ok {
			o.add(o.ranges, e.Range().Name, from, e.Time())
			delete(o.open, key(e))
		}
	}
}

// key distinguishes ranges with the same name by their scope.
func key(e *trace.Event) string { return e.Range().Name + "\x00" + e.Range().Scope.String() }

// close ends the states and ranges that were open when the operation ended.
func (o *overlap) close() {
	if o.state == "" {
		o.state = trace.GoRunning.String()
	}
	o.add(o.states, o.state, o.since, o.till)
	for k, from := range o.open {
		name, _, _ := bytes.Cut([]byte(k), []byte{0})
		o.add(o.ranges, string(name), from, o.till)
	}
}

// parts returns the parts, longest first.
func parts(m map[string]time.Duration) (ps []Part) {
	for name, took := range m {
		ps = append(ps, Part{name, took})
	}
	slices.SortFunc(ps, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Took, a.Took), cmp.Compare(a.Name, b.Name))
	})
	return ps
}

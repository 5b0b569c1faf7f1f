package round

import (
	"iter"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// maxActive is how many tasks share sums. Further ones begin when others end, or
// wait for Work, which is done for all tasks at once. Batches of a group hardly get
// cheaper beyond it, while the scratch memory of tasks grows.
const maxActive = 64

// cause is the reason why a task waits. Work is done in this order: requests of a
// later kind wait until no task has one of an earlier kind.
type cause int

const (
	forNothing cause = iota
	forInverses
	forFixed
	forSums
	forWork
	forOthers // tasks that it runs
)

// run is the state of one call of Run.
type run struct {
	main   task
	order  []*task // coroutines that have not ended; a task's own follow it
	active int     // tasks that have begun and wait for sums at most
	ended  []*task // requests of stopped ones may be left
	// executor runs parts of Work.
	executor executor.Executor
	spare    []*task
	forks    []*fork
	phases   map[phaseKey]group.Group
	// batches are the requests of the tasks.
	batches []worker
}

type phaseKey struct {
	g    group.Group
	name string
}

// task is the work of one coroutine, or for the main one in the goroutine of
// Run.
type task struct {
	run   *run
	of    *fork // nil for the main task
	index int   // in the fork
	view  Round // of the task that runs it
	waits cause
	done  bool

	// Of a coroutine, nil before it begins.
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	body  func(yield func(struct{}) bool)

	// Results of the last request.
	points   []group.Point
	scalars  []group.Scalar
	errs     []error
	panicked any
}

// stopped is the panic that unwinds a task that was stopped.
type stopped struct{}

// runs keep the goroutine state of tasks for the next run.
var runs = sync.Pool{New: func() any {
	u := new(run)
	u.main.run = u
	return u
}}

func newRun() *run {
	u := runs.Get().(*run)
	u.active = 1
	return u
}

// end wipes the run and keeps its memory.
func (u *run) end() {
	for _, b := range u.batches {
		b.release()
	}
	clear(u.batches)
	u.batches, u.phases, u.executor = u.batches[:0], nil, nil
	for _, t := range u.ended {
		*t = task{run: u, body: t.body}
	}
	u.spare = append(u.spare, u.ended...)
	clear(u.ended)
	u.ended, u.main = u.ended[:0], task{run: u}
	runs.Put(u)
}

func (u *run) phase(g group.Group, name string) group.Group {
	key := phaseKey{g, name}
	view, ok := u.phases[key]
	if !ok {
		view = group.Phase(g, name)
		if u.phases == nil {
			u.phases = map[phaseKey]group.Group{}
		}
		u.phases[key] = view
	}
	return view
}

// wait returns when the answer to the request of the task of r is there.
func (r Round) wait(for_ cause) {
	t, u := r.self, r.run
	t.waits = for_
	if for_ >= forWork {
		u.active--
		defer func() { u.active++ }()
	}
	if t != &u.main {
		if !t.yield(struct{}{}) {
			panic(stopped{})
		}
	} else {
		u.advance()
	}
	if v := t.panicked; v != nil {
		t.panicked = nil
		panic(v)
	}
}

// advance runs the coroutines and does their work until the main task can go on.
func (u *run) advance() {
	for u.main.waits != forNothing {
		moved := false
		for i := 0; i < len(u.order); i++ { // the order changes while tasks run
			moved = u.order[i].resume() || moved
		}
		if !moved {
			u.compute()
		}
	}
}

// compute does the earliest kind of work that tasks wait for.
func (u *run) compute() {
	earliest := forOthers
	for _, b := range u.batches {
		if b.pending() {
			earliest = min(earliest, b.waits())
		}
	}
	if earliest == forOthers {
		panic("round: tasks wait for nothing")
	}
	for _, b := range u.batches {
		if b.waits() == earliest {
			b.compute()
		}
	}
}

// resume lets a coroutine go on, or begin, if it can. It reports whether it did.
func (t *task) resume() bool {
	switch {
	case t.done || t.waits != forNothing:
		return false
	case t.next == nil && t.run.active >= maxActive:
		return false
	case t.next == nil:
		t.run.active++
		t.next, t.stop = iter.Pull(t.body)
	}
	t.next()
	switch k := t.of; {
	case !t.done || k.failed > t.index:
	case k.failFast:
		k.stopFrom(1)
	default:
		k.stopFrom(k.failed + 1)
	}
	return true
}

// fork is tasks that another one runs together. It runs the first one itself.
type fork struct {
	parent   *task
	f        func(Round, int) error
	others   []*task // all but the first
	left     int     // of the others
	failFast bool
	failed   int // the first one that failed, or their number
	err      error
	panicked any
}

// each runs f for each index below n.
func (u *run) each(r Round, n int, f func(Round, int) error, failFast bool) error {
	k := u.newFork()
	k.parent, k.f, k.left = r.self, f, n-1
	k.failed, k.failFast = n, failFast
	for i := 1; i < n; i++ {
		t := u.newTask()
		t.of, t.index, t.view = k, i, r
		k.others = append(k.others, t)
	}
	u.order = slices.Insert(u.order, 1+slices.Index(u.order, r.self), k.others...)
	defer k.end()
	err := f(r, 0)
	if k.failFast && k.err != nil { // before
		err = k.err
	}
	if err != nil {
		return err
	}
	for k.left > 0 { // an outer fork of the same task may end before
		r.wait(forOthers)
	}
	if k.panicked != nil {
		panic(k.panicked)
	}
	return k.err
}

// end stops the tasks that have not ended, and forgets all.
func (k *fork) end() {
	k.stopFrom(1)
	u := k.parent.run
	at := 1 + slices.Index(u.order, k.parent)
	u.order = slices.Delete(u.order, at, at+len(k.others))
	u.ended = append(u.ended, k.others...)
	clear(k.others)
	*k = fork{others: k.others[:0]}
	u.forks = append(u.forks, k)
}

// stopFrom stops the tasks from an index on.
func (k *fork) stopFrom(index int) {
	for _, t := range k.others[min(index-1, len(k.others)):] {
		switch {
		case t.done:
		case t.stop == nil:
			t.ended()
		default:
			t.stop()
		}
	}
}

func (u *run) newTask() *task {
	if t := pop(&u.spare); t != nil {
		return t
	}
	t := &task{run: u}
	t.body = t.runs
	return t
}

func (u *run) newFork() *fork {
	if k := pop(&u.forks); k != nil {
		return k
	}
	return new(fork)
}

// pop removes the last element of s and returns it, or nil if s is empty.
func pop[T any](s *[]*T) *T {
	last := len(*s) - 1
	if last < 0 {
		return nil
	}
	e := (*s)[last]
	*s = (*s)[:last]
	return e
}

// growStack makes the stack of a new coroutine large enough for the tasks of the main
// one, at once: later it would be copied several times, with all calls of the task. Its
// frame is large, and not used.
//
//go:noinline
func growStack(touch bool) {
	if touch {
		touchStack(new([6 << 10]byte))
	}
}

//go:noinline
func touchStack(*[6 << 10]byte) {}

// runs is the coroutine of a task.
func (t *task) runs(yield func(struct{}) bool) {
	if t.of.parent == &t.run.main {
		growStack(false)
	}
	t.yield = yield
	k := t.of
	defer func() {
		v := recover()
		if _, unwound := v.(stopped); !unwound && v != nil && t.index < k.failed {
			k.failed, k.err, k.panicked = t.index, nil, v
		}
		t.run.active--
		t.ended()
	}()
	r := t.view
	r.self = t
	if err := k.f(r, t.index); err != nil && t.index < k.failed {
		k.failed, k.err, k.panicked = t.index, err, nil
	}
}

// ended tells the parent of a task that it has ended.
func (t *task) ended() {
	t.done = true
	t.of.left--
	if t.of.left == 0 && t.of.parent.waits == forOthers {
		t.of.parent.waits = forNothing
	}
}

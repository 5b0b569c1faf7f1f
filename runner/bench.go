package runner

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// B is the part of *testing.B that Bench uses.
type B interface {
	Helper()
	Context() context.Context
	Loop() bool
	StartTimer()
	StopTimer()
	ReportAllocs()
	ReportMetric(n float64, unit string)
	Fatal(args ...any)
}

// Units of processor time in the format of Go benchmarks. Figures of several
// threads carry their number.
const (
	cpuUnit     = "cpu-ns/op"
	threadsUnit = "cpu-threads"
)

// Bench runs op in a benchmark, back to back by one worker, as
//
//	func BenchmarkX(b *testing.B) { runner.Bench(b, op) }
//
// Besides ns/op, which package testing reports, it reports the processor time of
// an operation, and percentiles if there are enough latencies for them. Short
// operations are timed in batches, and percentiles are then of the means
// of batches. The set-up of inputs is not timed. A failed operation fails the
// benchmark.
func Bench(b B, op Operation) {
	b.Helper()
	ops, err := setUp(b.Context(), Config{Workers: 1, Seed: rand.Uint64()}, op)
	if err != nil {
		b.Fatal(err)
		return
	}
	b.ReportAllocs()
	m := &benching{B: b, op: ops[0], tally: result.NewTally(time.Second), batch: 1, cpu: newBenchTime()}
	if err := m.try(); err != nil {
		b.Fatal(err)
		return
	}
	idleThreads()
	if err := m.loop(); err != nil {
		b.Fatal(err)
		return
	}
	m.report()
}

// idleThreads leaves idle threads to Go's scheduler. When the thread of a benchmark,
// which is locked, waits, another one takes over; a new one is an allocation of
// 5 kB, which would count in B/op.
func idleThreads() {
	n := runtime.GOMAXPROCS(0) + 4
	var together, done sync.WaitGroup
	together.Add(n)
	for range n {
		done.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			together.Done()
			together.Wait() // so that each needs its own thread
		})
	}
	done.Wait()
}

// benching is a benchmark in progress.
type benching struct {
	B
	op    bound
	batch int
	calls int
	tally result.Tally
	cpu   benchTime
}

// tries is the number of calls before the benchmark that choose the batch.
const tries = 5

// try calls the operation, and chooses the batch by its least time.
func (m *benching) try() error {
	clock := calibrate()
	least := time.Duration(0)
	for i := range tries {
		if err := m.prepare(); err != nil {
			return err
		}
		start := time.Now()
		if err := m.op.work(m.Context()); err != nil {
			return err
		}
		if d := time.Since(start); i == 0 || d < least {
			least = d
		}
	}
	if m.op.before == nil {
		m.batch = clock.Batch(float64(least))
	}
	return nil
}

func (m *benching) prepare() error {
	if m.op.before == nil {
		return nil
	}
	return m.op.before(m.Context())
}

// loop runs the operation until m.Loop ends. Timers and the clock of the processor stop around the
// preparation of each operation, which is why they are written out here.
func (m *benching) loop() error {
	ctx, inBatch := m.Context(), 0
	var start time.Time
	for m.Loop() {
		if m.calls == 0 {
			m.cpu.enter()
			m.cpu.start()
			start = time.Now()
		}
		if m.op.before != nil {
			m.cpu.stop()
			m.StopTimer()
			m.cpu.leave()
			if err := m.op.before(ctx); err != nil {
				return err
			}
			m.cpu.enter()
			m.StartTimer()
			m.cpu.start()
			start = time.Now()
		}
		if err := m.op.work(ctx); err != nil {
			return err
		}
		m.calls++
		inBatch++
		if inBatch == m.batch {
			now := time.Now()
			m.tally.Add(now.Sub(start), inBatch, 0, 0)
			start, inBatch = now, 0
		}
	}
	m.cpu.stop()
	m.cpu.leave()
	return nil
}

// report reports processor time and percentiles.
func (m *benching) report() {
	defer m.cpu.close()
	if per, threads, ok := m.cpu.perOp(m.calls, m.tally.Hist.Quantile(0.5)); ok {
		m.ReportMetric(per, cpuUnit)
		if threads > 0 {
			m.ReportMetric(float64(threads), threadsUnit)
		}
	}
	for _, p := range []struct {
		unit string
		q    float64
	}{{"p50-ns/op", 0.5}, {"p99-ns/op", 0.99}} {
		if _, _, enough := stats.Ranks(m.tally.N, p.q, result.Confidence); enough {
			m.ReportMetric(m.tally.Hist.Quantile(p.q), p.unit)
		}
	}
}

// benchTime measures the processor time of the thread and of the process, and the
// time when the thread waited.
type benchTime struct {
	thread, process *cputime.Meter
	queue           *cputime.RunQueue
	delay           time.Duration // of the sections so far
	queued          time.Duration
}

func newBenchTime() benchTime {
	thread := cputime.ThreadMeter() // before the queue of the thread is opened
	return benchTime{thread: thread, process: cputime.ProcessMeter(cputime.IdleOnce()),
		queue: cputime.OpenRunQueue()}
}

// enter and leave enclose a section with its timer; reading the delay takes a
// microsecond, which the timer does not see.
func (t *benchTime) enter() { t.queued = t.queue.Delay() }

func (t *benchTime) leave() { t.delay += t.queue.Delay() - t.queued }

func (t *benchTime) start() {
	t.process.Start()
	t.thread.Start()
}

func (t *benchTime) stop() {
	t.thread.Stop()
	t.process.Stop()
}

func (t *benchTime) close() {
	t.thread.Close()
	t.queue.Close()
}

const (
	// maxWaiting is the share of the time that an operation may wait and still
	// count as bound by the processor. Collections of garbage stop it for some.
	maxWaiting = 0.2
	// maxElsewhere is the greatest processor time of other threads, relative to the
	// operation's thread, with which the operation stays on its thread. Collections of
	// garbage take some.
	maxElsewhere = 0.5
)

// spent are the times of a benchmark: of the clock, of waiting for processors that other
// programs had, and of the processors.
type spent struct {
	wall, delay     time.Duration
	known           bool // whether the system tells the delay
	thread, process time.Duration
	typical         float64 // median of the clock for an operation, in ns; 0 if it is not known
}

// perOp returns the processor time of one of n operations in ns; typical is the
// median of the clock for one.
func (t *benchTime) perOp(n int, typical float64) (ns float64, threads int, ok bool) {
	if !cputime.Available() {
		return 0, 0, false
	}
	return spent{wall: t.thread.Wall(), delay: t.delay, known: t.queue.Known(), thread: t.thread.Sum(),
		process: t.process.Sum(), typical: typical}.perOp(n)
}

// waits reports whether the thread waited in over maxWaiting of the time that other
// programs left it. On a busy machine Go's scheduler also hands the operation over to
// other threads and back, which are kept from running in their turn; then the typical
// operation decides.
func (s spent) waits(n int) bool {
	switch {
	case !s.known || float64(s.wall-s.thread-s.delay) <= maxWaiting*float64(s.wall-s.delay):
		return false
	case s.typical > 0 && float64(s.delay) > maxWaiting*float64(s.wall):
		return s.typical > (1+maxWaiting)*float64(s.thread)/float64(n)
	}
	return true
}

// perOp returns the processor time of one of n operations in ns: of the thread,
// if the operations hardly waited and hardly used others, and otherwise of the
// process, with the number of its threads. ok is false if it is not known: a time
// of 0 is one that the idle share hides.
func (s spent) perOp(n int) (ns float64, threads int, ok bool) {
	if n == 0 {
		return 0, 0, false
	}
	thread, process := float64(s.thread), float64(s.process)
	if !s.waits(n) && process <= thread*(1+maxElsewhere) {
		return thread / float64(n), 0, thread > 0
	}
	return process / float64(n), runtime.GOMAXPROCS(0), process > 0
}

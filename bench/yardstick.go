package bench

import (
	"flag"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/zkatbench/zkatbench/runner/cputime"
)

// Yardstick is an operation of well-known cost. The processor time of another
// operation divided by its processor time can be compared across machines.
type Yardstick struct {
	// Unit names the ratio, "eq-mul/op".
	Unit string
	Work func()
	// Parts is the number of equal parts of an operation that the ratio
	// applies, such as the transfers of a batch; 0 means 1.
	Parts int
}

// A shared machine can change its speed within a second. Therefore the
// yardstick is timed for about yardstickTime, at least yardstickLeast times,
// before and after each section of about sectionTime.
const (
	sectionTime    = 20 * time.Millisecond
	yardstickTime  = time.Millisecond
	yardstickLeast = 5
)

// lapTime is the least time measured at once, so that the cost of reading the
// clock is negligible.
const lapTime = 100 * time.Microsecond

// time appends the times of the yardstick over a short period of the clock. Each
// time covers as many calls as take at least the given time, and is their mean.
func (y Yardstick) time(clock func() time.Duration, least time.Duration, ns []float64) []float64 {
	y.Work() // warms the caches after other work
	start := clock()
	for n, now := 0, start; n < yardstickLeast || now-start < yardstickTime; n++ {
		calls, before := 0, now
		for calls == 0 || now-before < least {
			y.Work()
			calls++
			now = clock()
		}
		ns = append(ns, float64(now-before)/float64(calls))
	}
	return ns
}

// rulerClock returns the clock for a case, and the least time that it measures
// at once. While a profile is taken the clock of cputime.Process does not serve.
func rulerClock(c Case) (clock func() time.Duration, least time.Duration) {
	if taken := flag.Lookup("test.cpuprofile"); c.Options().Profile || taken != nil &&
		taken.Value.String() != "" {
		return cputime.Usage, lapTime
	}
	return cputime.Process, 0
}

// ruler measures the operations of a benchmark in yardsticks. Both are timed in
// processor time of the process: it includes goroutines that an operation
// starts, and excludes the time when other programs had the processor. In
// wall time a busy machine would interrupt most long operations and few short
// yardsticks.
//
// The figure is the ratio of the first deciles. Other programs and collections
// of garbage only add to a time, since they take the caches away, and a long
// operation meets them more often than a short yardstick.
type ruler struct {
	b     *testing.B
	stick Yardstick
	clock func() time.Duration
	least time.Duration // that the clock measures at once
	cpu   processorTime

	n, due  int           // operations in the current lap, and operations per lap
	resumed time.Duration // time when the clock of the lap last started
	ran     time.Duration // time of the lap before then
	laps    []float64     // ns per operation in the current section
	length  time.Duration // of the section so far
	sticks  []float64     // ns of the yardstick
	ops     []float64     // ns per operation in the sections before
}

// newRuler times the yardstick. Without a yardstick, the ruler
// measures processor time only. workers is the number of goroutines that call
// op, or 0 for the calling one.
func newRuler(b *testing.B, op Op, c Case, workers int) (*ruler, error) {
	r := &ruler{b: b, due: 1, laps: make([]float64, 0, sectionTime/lapTime+1),
		cpu: newProcessorTime(op, c, workers)}
	r.clock, r.least = rulerClock(c)
	if op.Yardstick == nil {
		return r, nil
	}
	var err error
	r.stick, err = op.Yardstick(c)
	if err == nil {
		r.sticks = r.stick.time(r.clock, r.least, nil)
	}
	return r, err
}

// start starts the timer of the benchmark, and the clocks of the lap and of
// processor time.
func (r *ruler) start() {
	r.b.StartTimer()
	r.cpu.Start()
	r.resumed = r.clock()
}

// stop stops all three.
func (r *ruler) stop() {
	r.ran += r.clock() - r.resumed
	r.cpu.Stop()
	r.b.StopTimer()
}

// begin starts the first lap, with the timer running.
func (r *ruler) begin() {
	r.cpu.Start()
	r.ran, r.resumed = 0, r.clock()
}

// step records that an operation finished, with the timer running. It does not
// allocate while the timer runs.
func (r *ruler) step() {
	r.n++
	if r.n < r.due || r.stick.Work == nil {
		return
	}
	now := r.clock()
	time := r.ran + now - r.resumed
	if time < lapTime {
		r.due *= 2
		return
	}
	r.lap(time)
	r.ran, r.resumed = 0, now
	if r.length >= sectionTime {
		r.cpu.Stop()
		r.b.StopTimer()
		r.section()
		r.start()
	}
}

// lap ends a lap that took the given time.
func (r *ruler) lap(time time.Duration) {
	r.laps = append(r.laps, float64(time)/float64(r.n))
	r.length += time
	r.n = 0
}

// section ends a section, with the timer stopped.
func (r *ruler) section() {
	r.sticks = r.stick.time(r.clock, r.least, r.sticks)
	r.ops = append(r.ops, r.laps...)
	r.laps, r.length = r.laps[:0], 0
}

// end ends the measurement after the last operation. If the last lap is shorter than the
// others, it counts only without others.
func (r *ruler) end() {
	r.cpu.Stop()
	if r.n > 0 && len(r.laps)+len(r.ops) == 0 {
		r.lap(r.ran + r.clock() - r.resumed)
	}
}

// report ends the last section, with the timer of the benchmark stopped, and
// reports the figures.
func (r *ruler) report() {
	r.cpu.report(r.b, r.b.N)
	if r.stick.Work == nil {
		return
	}
	if len(r.laps) > 0 {
		r.section()
	}
	parts := float64(max(1, r.stick.Parts))
	r.b.ReportMetric(firstDecile(r.ops)/firstDecile(r.sticks)/parts, r.stick.Unit)
}

func firstDecile(ns []float64) float64 {
	slices.Sort(ns)
	return ns[len(ns)/10]
}

// The units of processor time. threadsUnit goes with figures of several threads:
// their processor time is not the time that a user waits.
const (
	cpuUnit     = "cpu-ns/op"
	threadsUnit = "cpu-threads"
)

// processorTime is the processor time of the operations of a benchmark: of the thread if
// the operation stays on one, and otherwise of the process, less its time when idle.
type processorTime struct {
	*cputime.Meter
	threads int // 0 if the operation stays on one thread
}

// newProcessorTime returns a meter for op, which workers goroutines call; 0
// means the calling one.
func newProcessorTime(op Op, c Case, workers int) processorTime {
	switch concurrent := op.Concurrent != nil && op.Concurrent(c); {
	case workers > 0 && !concurrent:
		return processorTime{cputime.ProcessMeter(cputime.IdleOnce()), workers}
	case workers > 0 || concurrent:
		return processorTime{cputime.ProcessMeter(cputime.IdleOnce()), runtime.GOMAXPROCS(0)}
	}
	return processorTime{Meter: cputime.ThreadMeter()}
}

// report ends the measurement of n operations.
func (p processorTime) report(b *testing.B, n int) {
	p.Stop()
	p.Close()
	if n == 0 || !cputime.Available() || p.Sum() == 0 { // 0 is hidden by the idle share
		return
	}
	b.ReportMetric(float64(p.Sum())/float64(n), cpuUnit)
	if p.threads > 0 {
		b.ReportMetric(float64(p.threads), threadsUnit)
	}
}

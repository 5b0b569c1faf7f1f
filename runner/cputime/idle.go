package cputime

import (
	"math"
	"slices"
	"sync"
	"time"
)

// A short sleep shows the cost of falling asleep and waking up, which does not depend on
// the length from some 10 ms on. A long sleep takes gap longer than the longest short one, and
// also shows the work of others.
const (
	shortSleeps, longSleeps = 4, 3
	shortSleep, gap         = 10 * time.Millisecond, 40 * time.Millisecond
)

// Idle returns the processor time that this process takes in a second when
// its caller sleeps, in seconds: the work of other goroutines, without the cost of
// the sleep itself. It takes 100 ms on an idle machine, and up to
// 500 ms if others work.
func Idle() float64 {
	return idle(func(d time.Duration) (cpu, wall time.Duration) {
		begun, before := time.Now(), Process()
		time.Sleep(d)
		return Process() - before, time.Since(begun)
	})
}

// idle is Idle with a function that sleeps at least a time, and returns the processor
// time of the process and the time that have passed. It is the least of the rates by which
// a long sleep takes more than a short one: without work, all three long sleeps take more
// than all four short ones in 1 of 35 measurements, by chance.
func idle(sleep func(time.Duration) (cpu, wall time.Duration)) float64 {
	var cpus, walls [shortSleeps]time.Duration
	for i := range cpus {
		cpus[i], walls[i] = sleep(shortSleep)
	}
	least := math.Inf(1)
	for n := 0; n < longSleeps && least > 0; n++ {
		cpu, wall := sleep(slices.Max(walls[:]) + gap)
		for i := range cpus {
			least = min(least, max(0, cpu-cpus[i]).Seconds()/(wall-walls[i]).Seconds())
		}
	}
	return least
}

// IdleOnce is Idle, measured by the first call only.
var IdleOnce = sync.OnceValue(Idle)

// maxIdle is the greatest share of a processor time that may be subtracted as the work
// of others: a rate that was sampled while the collector ran does not last, and with a
// large share the rest is too uncertain.
const maxIdle = 0.05

// Without returns a processor time less the idle time of a program: idle seconds for
// each second of wall. known is false if the idle time is over a twentieth of spent.
func Without(idle float64, spent, wall time.Duration) (own time.Duration, known bool) {
	off := time.Duration(idle * float64(wall))
	return max(0, spent-off), float64(off) <= maxIdle*float64(spent)
}

// A Meter adds up the processor time of sections of a program. The zero Meter is
// not usable.
type Meter struct {
	now  func() time.Duration
	done func()
	idle float64 // subtracted, in seconds a second

	running bool
	from    time.Duration
	begun   time.Time
	sum     time.Duration
	wall    time.Duration
}

// ThreadMeter measures the calling goroutine, which stays on its thread until
// Close.
func ThreadMeter() *Meter {
	now, done := Thread()
	return &Meter{now: now, done: done}
}

// ProcessMeter measures the process, less its idle cost (Idle).
func ProcessMeter(idle float64) *Meter {
	return &Meter{now: Process, done: func() {}, idle: idle}
}

// Start begins a section.
func (m *Meter) Start() {
	m.running, m.begun, m.from = true, time.Now(), m.now()
}

// Stop ends the section that Start began, if it did not end yet.
func (m *Meter) Stop() {
	if !m.running {
		return
	}
	m.running = false
	m.sum, m.wall = m.sum+m.now()-m.from, m.wall+time.Since(m.begun)
}

// Close releases the thread.
func (m *Meter) Close() { m.done() }

// Wall returns the time of all sections that have ended.
func (m *Meter) Wall() time.Duration { return m.wall }

// Sum returns the processor time of all sections that have ended; 0 if it is not
// known, see Without.
func (m *Meter) Sum() time.Duration {
	if own, known := Without(m.idle, m.sum, m.wall); known {
		return own
	}
	return 0
}

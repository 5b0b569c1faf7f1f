package cputime

import (
	"sync"
	"time"
)

const (
	idleSamples = 4
	idleSample  = 5 * time.Millisecond
)

// Idle returns the processor time that this process takes in a second when
// its caller sleeps, in seconds: the work of other goroutines. It is the least
// of several samples and takes 20 ms.
func Idle() float64 {
	least := 0.0
	for i := range idleSamples {
		wall, cpu := time.Now(), Process()
		time.Sleep(idleSample)
		rate := (Process() - cpu).Seconds() / time.Since(wall).Seconds()
		if i == 0 || rate < least {
			least = rate
		}
	}
	return least
}

// IdleOnce is Idle, measured by the first call only.
var IdleOnce = sync.OnceValue(Idle)

// maxIdle is the greatest share of a processor time that is taken off as the work of
// others: a rate that was sampled while the collector ran does not last, and a large
// share leaves nothing that is known of the rest.
const maxIdle = 0.05

// Without returns a processor time less that of an idle program: idle seconds for
// each second of wall. known is false if that is over a twentieth.
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

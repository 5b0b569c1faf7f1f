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

// A Meter adds up the processor time of sections of a program. The zero Meter is
// not usable.
type Meter struct {
	now  func() time.Duration
	done func()
	idle float64 // subtracted, in seconds a second

	running bool
	from    time.Duration
	wall    time.Time
	sum     time.Duration
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
	m.running, m.wall, m.from = true, time.Now(), m.now()
}

// Stop ends the section that Start began, if it did not end yet.
func (m *Meter) Stop() {
	if !m.running {
		return
	}
	m.running = false
	spent := m.now() - m.from
	if m.idle > 0 {
		spent -= time.Duration(m.idle * float64(time.Since(m.wall)))
	}
	m.sum += max(0, spent)
}

// Close releases the thread.
func (m *Meter) Close() { m.done() }

// Sum returns the processor time of all sections that have ended.
func (m *Meter) Sum() time.Duration { return m.sum }

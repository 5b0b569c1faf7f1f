package runner

import (
	"context"
	"time"
)

// Clock is what measuring itself costs on this machine.
type Clock struct {
	// Step is the least difference seen between two readings that differ; 0 if
	// there was none, as in the virtual time of testing/synctest.
	Step time.Duration
	// Record is the usual (median) time from one operation to the next if the
	// operation does nothing: reading the clock, the call, and recording.
	Record time.Duration
}

const (
	stepReadings   = 1000
	recordReadings = 2000
	// batchSteps is how many steps of the clock an operation must take to be
	// timed alone: its time is known to 0.1 % then.
	batchSteps = 1000
	mostBatch  = 1 << 20
)

func calibrate() Clock {
	start := time.Now()
	step, last := time.Duration(0), time.Duration(0)
	for range stepReadings {
		now := time.Since(start)
		if d := now - last; d > 0 && (step == 0 || d < step) {
			step = d
		}
		last = now
	}
	c := Config{Workers: 1, Stall: defaultStall}
	p := newPhase(c, nil, 0, recordReadings)
	nothing := bound{work: func(context.Context) error { return nil }}
	p.origin, p.ctx = time.Now(), context.Background()
	w := newWorker(0, p, nothing)
	w.loop()
	return Clock{Step: step, Record: time.Duration(w.response.hist.Quantile(0.5))}
}

// batch is how many operations of ns nanoseconds to time as one.
func (c Clock) batch(ns float64) int {
	least := float64(batchSteps * c.Step)
	if least == 0 || ns >= least {
		return 1
	}
	return int(min(mostBatch, least/max(ns, 1)+1))
}

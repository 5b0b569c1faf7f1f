package runner

import (
	"context"
	"time"
)

// Clock is the cost of measuring on this machine.
type Clock struct {
	// Step is the least difference between two successive distinct readings; 0
	// if all readings were equal, as in the virtual time of testing/synctest.
	Step time.Duration
	// Record is the median time per iteration for an operation that does
	// nothing: reading the clock, the call, and recording.
	Record time.Duration
}

const (
	stepReadings   = 1000
	recordReadings = 2000
	// batchSteps is the number of clock steps that let an operation be timed
	// alone; its time is then known to 0.1 %.
	batchSteps = 1000
	maxBatch   = 1 << 20
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
	noop := bound{work: func(context.Context) error { return nil }}
	p.origin, p.ctx = time.Now(), context.Background()
	w := newWorker(0, p, noop)
	w.loop()
	return Clock{Step: step, Record: time.Duration(w.response.hist.Quantile(0.5))}
}

// batch returns the number of operations of ns nanoseconds to time as one.
func (c Clock) batch(ns float64) int {
	least := float64(batchSteps * c.Step)
	if least == 0 || ns >= least {
		return 1
	}
	return int(min(maxBatch, least/max(ns, 1)+1))
}

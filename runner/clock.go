package runner

import (
	"context"
	"time"

	"github.com/zkatbench/zkatbench/runner/result"
)

// A moment is a time since the start of the phase. Its range is 292 years.
type moment = time.Duration

const (
	stepReadings   = 1000
	recordReadings = 2000
)

func calibrate() result.Clock {
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
	return result.Clock{Step: step, Record: time.Duration(w.Response.Hist.Quantile(0.5))}
}

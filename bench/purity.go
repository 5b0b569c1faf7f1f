package bench

import (
	"sync"
	"testing"
	"time"

	"github.com/zkatbench/zkatbench/bench/metric"
)

// examinedFrom is the first seed of environments for examination, distinct from
// the seeds of timed environments.
const examinedFrom = 1 << 32

// Examine looks for reasons to doubt the time of op in a case, in new
// environments that are not timed, by the clock now.
func (op Op) Examine(c Case, now func() time.Duration) (metric.Report, error) {
	seed := uint64(examinedFrom)
	return metric.Examine(func() (metric.Instance, error) {
		in, err := op.New(c, seed)
		seed++
		return in, err
	}, now)
}

// examination is the outcome of -purity in a case; nil without the flag.
type examination struct {
	metric.Report
	once sync.Once // guards the log
}

func examine(op Op, c Case) (*examination, error) {
	if !c.Options().Purity {
		return nil, nil
	}
	start := time.Now()
	r, err := op.Examine(c, func() time.Duration { return time.Since(start) })
	return &examination{Report: r}, err
}

// report adds the cost of a first use to the figures of b, and logs the
// findings once.
func (e *examination) report(b *testing.B) {
	if e != nil {
		b.ReportMetric(e.Ratio(), "first/steady")
		e.logOnce(func(line string) { b.Log(line) })
	}
}

// logOnce logs each finding on its first call.
func (e *examination) logOnce(log func(line string)) {
	if e == nil {
		return
	}
	e.once.Do(func() {
		for _, f := range e.Findings {
			log("doubtful: " + f)
		}
	})
}

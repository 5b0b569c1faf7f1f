package bench

import (
	"fmt"
	"sync"
	"testing"

	"github.com/zkatbench/zkatbench/bench/metric"
)

// examinedFrom is the first seed of environments that are only examined, out of
// the way of those that are timed.
const examinedFrom = 1 << 32

// Examine looks for what makes the time of op in a case doubtful, with new
// environments that nothing else uses.
func (op Op) Examine(c Case, p metric.Purity) (metric.Report, error) {
	seed := uint64(examinedFrom)
	return p.Examine(func() (metric.Instance, error) {
		in, err := op.New(c, seed)
		seed++
		return in.pure(), err
	})
}

// examination is what -purity found in a case; nil where nobody asked.
type examination struct {
	metric.Report
	once sync.Once // it is told
}

func examine(op Op, c Case) (*examination, error) {
	if !Purity.Of(c) {
		return nil, nil
	}
	r, err := op.Examine(c, metric.Purity{})
	return &examination{Report: r}, err
}

// report adds the cost of a first use to the figures of b, and says once what
// is doubtful.
func (e *examination) report(b *testing.B) {
	if e != nil {
		b.ReportMetric(e.Ratio(), "first/steady")
		e.tell(func(line string) { b.Log(line) })
	}
}

// tell says each line of what was found, the first time that it is called.
func (e *examination) tell(say func(line string)) {
	if e == nil {
		return
	}
	e.once.Do(func() {
		for _, f := range e.Findings {
			say(fmt.Sprintf("doubtful: %v", f))
		}
	})
}

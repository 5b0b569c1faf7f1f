package bench

import (
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

// examine examines the operation of s, if its case asks for it.
func (s *samples) examine() error {
	if !s.c.Options().Purity {
		return nil
	}
	start := time.Now()
	r, err := s.op.Examine(s.c, func() time.Duration { return time.Since(start) })
	s.examined = &r
	return err
}

// reportDoubts adds the cost of a first use to the figures of b, and logs the findings.
func (s *samples) reportDoubts(b *testing.B) {
	if s.examined != nil {
		b.ReportMetric(s.examined.Ratio(), "first/steady")
		s.logDoubts(func(line string) { b.Log(line) })
	}
}

// logDoubts logs each finding, on its first call.
func (s *samples) logDoubts(log func(line string)) {
	if s.examined != nil {
		for _, f := range s.examined.Findings {
			log("doubtful: " + f)
		}
		s.examined.Findings = nil
	}
}

package bench

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkatbench/zkatbench/bench/metric"
)

// samples are the environments of one case: n prepared ones used in turn or, if
// n is 0, a new one for each operation.
type samples struct {
	op       Op
	c        Case
	prepared []Instance
	exact    []Metric
	examined *metric.Report // nil without -purity
	seed     atomic.Uint64  // seed of the next environment
}

// prepare sets up the environments of a case, unless ctx ends first, and tries
// the first one.
func (s *Suite) prepare(ctx context.Context, op Op, c Case, n int) (*samples, error) {
	env := &samples{op: op, c: c}
	for range max(1, n) {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("set-up of %s: %w", op.Name, err)
		}
		in, err := env.setup()
		if err != nil {
			return nil, err
		}
		env.prepared = append(env.prepared, in)
	}
	exact, err := env.prepared[0].Try()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, err)
	}
	counted, err := s.counted(op, c)
	if err != nil {
		return nil, err
	}
	env.exact = append(exact, counted...)
	if n == 0 {
		env.prepared = nil
	}
	if err := env.examine(); err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, err)
	}
	return env, nil
}

// at returns the i-th environment of the endless cycle.
func (s *samples) at(i int) Instance { return s.prepared[i%len(s.prepared)] }

// reused reports whether operations share the prepared environments.
func (s *samples) reused() bool { return len(s.prepared) > 0 && InputUse.Of(s.c) != freshInputs }

// withNewInputs returns an environment with unused inputs: the inputs of the
// i-th prepared one, decoded again, or a new set-up if they cannot be decoded.
func (s *samples) withNewInputs(i int) (in Instance, err error) {
	if len(s.prepared) > 0 && s.at(i).Fresh != nil {
		return s.at(i).Fresh()
	}
	return s.setup()
}

// setup makes an environment with a new seed.
func (s *samples) setup() (Instance, error) {
	return s.op.New(s.c, s.seed.Add(1)-1)
}

// fresh makes n environments in addition to the prepared ones.
func (s *samples) fresh(n int) (*samples, error) {
	more := &samples{op: s.op, c: s.c, exact: s.exact, examined: s.examined}
	for i := range n {
		in, err := s.withNewInputs(i)
		if err != nil {
			return nil, err
		}
		more.prepared = append(more.prepared, in)
	}
	return more, nil
}

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

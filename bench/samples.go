package bench

import (
	"context"
	"fmt"
	"sync/atomic"
)

// samples are the environments of one case: n prepared ones that are cycled
// through, or, if n is 0, a fresh one each time.
type samples struct {
	op       Op
	c        Case
	prepared []Instance
	exact    []Metric
	examined *examination
	seed     atomic.Uint64 // of the next environment
}

// prepare sets up the environments of a case, unless ctx ends meanwhile, and
// tries the first one.
func prepare(ctx context.Context, op Op, c Case, n int) (*samples, error) {
	s := &samples{op: op, c: c}
	for range max(1, n) {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("set-up of %s: %w", op.Name, err)
		}
		in, err := s.setup()
		if err != nil {
			return nil, err
		}
		s.prepared = append(s.prepared, in)
	}
	exact, err := s.prepared[0].try()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, err)
	}
	s.exact = exact
	if op.Extra != nil {
		extra, err := op.Extra(c)
		if err != nil {
			return nil, fmt.Errorf("counting of %s: %w", op.Name, err)
		}
		s.exact = append(s.exact, extra...)
	}
	if n == 0 {
		s.prepared = nil
	}
	if s.examined, err = examine(op, c); err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, err)
	}
	return s, nil
}

// at returns the i-th environment of a cycle that never ends.
func (s *samples) at(i int) Instance { return s.prepared[i%len(s.prepared)] }

// reused says that operations share the prepared environments.
func (s *samples) reused() bool { return len(s.prepared) > 0 && InputUse.Of(s.c) != fresh }

// anew returns an environment whose inputs nobody has used: those of the i-th
// prepared one, decoded again if it can, and else of another set-up.
func (s *samples) anew(i int) (in Instance, err error) {
	if len(s.prepared) > 0 && s.at(i).Fresh != nil {
		in, err = s.at(i).Fresh()
	} else {
		in, err = s.setup()
	}
	return in, err
}

// setup makes an environment with a seed of its own.
func (s *samples) setup() (Instance, error) {
	return s.op.New(s.c, s.seed.Add(1)-1)
}

// fresh makes n environments beside the prepared ones.
func (s *samples) fresh(n int) (*samples, error) {
	more := &samples{op: s.op, c: s.c, exact: s.exact, examined: s.examined}
	for i := range n {
		in, err := s.anew(i)
		if err != nil {
			return nil, err
		}
		more.prepared = append(more.prepared, in)
	}
	return more, nil
}

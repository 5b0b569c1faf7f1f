package bench

import (
	"context"
	"sync"
	"testing"
)

// Serial runs op as one sub-benchmark for each case.
func (s *Suite) Serial(b *testing.B, op Op) {
	defer s.begin(b)()
	for _, c := range s.Selection.Cases(Serial, op.Without...) {
		set := s.preparedOnce(op, c)
		s.inCase(b, c, func(b *testing.B) {
			env, err := set()
			if err != nil {
				b.Fatal(err)
			}
			s.serial(b, env)
		})
	}
}

// inCase runs f as the sub-benchmark of c. A case without axes is unnamed: f
// runs as the benchmark itself, since testing would name the case "#00".
func (s *Suite) inCase(b *testing.B, c Case, f func(*testing.B)) {
	if c.Name() == "" {
		s.ran = true
		f(b)
		return
	}
	b.Run(c.Name(), func(b *testing.B) {
		s.ran = true
		f(b)
	})
}

// preparedOnce returns a function that sets a case up on its first call: never
// if -bench excludes the case, and once for all repetitions of -count.
func (s *Suite) preparedOnce(op Op, c Case) func() (*samples, error) {
	return sync.OnceValues(func() (*samples, error) { return s.prepare(context.Background(), op, c, s.Selection.Options.Samples) })
}

func (s *Suite) serial(b *testing.B, env *samples) {
	r, err := newRuler(b, env.op, env.c, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	profiled(b, env.c, func() { cycle(b, env, r) })
	s.report(b, r, env.exact)
	env.reportDoubts(b)
}

// cycle times the prepared environments in turn, or a new one for each operation, made
// with the timer stopped. It then checks the last result; the first one has been checked
// before.
func cycle(b *testing.B, env *samples, r *ruler) {
	var last Instance
	var out []byte
	remade := !env.reused()
	for i := 0; b.Loop(); i++ {
		if i == 0 {
			r.begin()
		}
		var err error
		if !remade {
			last = env.at(i)
		} else {
			r.stop()
			if last, err = env.withNewInputs(i); err != nil {
				b.Fatal(err)
			}
			r.start()
		}
		if out, err = last.Work(); err != nil {
			b.Fatal(err)
		}
		r.step()
	}
	r.end()
	if err := last.Check(out); err != nil {
		b.Fatalf("the result of the last iteration: %v", err)
	}
}

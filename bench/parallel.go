package bench

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// Parallel runs op as one sub-benchmark for each case and number of workers.
// The time of an operation is wall time divided by the number of operations, so
// N workers on N cores take 1/N of the time of one.
func (s *Suite) Parallel(b *testing.B, op Op) {
	defer s.begin(b)()
	for _, c := range s.Selection.Cases(Parallel, op.Without...) {
		set := s.preparedOnce(op, c)
		s.inCase(b, c, func(b *testing.B) {
			env, err := set()
			if err == nil && !env.reused() {
				env, err = env.fresh(b.N)
			}
			if err != nil {
				b.Fatal(err)
			}
			s.parallel(b, env)
		})
	}
}

func (s *Suite) parallel(b *testing.B, env *samples) {
	r, err := newRuler(b, env.op, env.c, WorkerCounts.Of(env.c))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	profiled(b, env.c, func() {
		b.ResetTimer()
		r.begin()
		share(b, WorkerCounts.Of(env.c), env)
		r.n = b.N // a single lap
		r.end()
	})
	s.report(b, r, env.exact)
	env.reportDoubts(b)
}

// share runs exactly n goroutines. RunParallel starts a multiple of GOMAXPROCS;
// the goroutines beyond n return immediately.
func share(b *testing.B, n int, env *samples) {
	procs := runtime.GOMAXPROCS(0)
	b.SetParallelism((n + procs - 1) / procs)
	var started, next atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		if started.Add(1) > int64(n) {
			return
		}
		for pb.Next() {
			out, err := env.at(int(next.Add(1) - 1)).Work()
			if err != nil {
				b.Error(err)
				return
			}
			runtime.KeepAlive(out)
		}
	})
}

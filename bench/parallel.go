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
	s.each(b, op, Parallel, func(b *testing.B, env *samples) {
		if !env.reused() {
			var err error
			if env, err = env.fresh(b.N); err != nil {
				b.Fatal(err)
			}
		}
		workers := WorkerCounts.Of(env.c)
		s.measured(b, env, workers, func(r *ruler) {
			b.ResetTimer()
			r.begin()
			share(b, workers, env)
			r.n = b.N // a single lap
			r.end()
		})
	})
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

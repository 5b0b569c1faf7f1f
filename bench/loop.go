package bench

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// Serial runs op as one sub-benchmark for each case.
func (s *Suite) Serial(b *testing.B, op Op) {
	s.each(b, op, Serial, func(b *testing.B, env *samples) {
		s.measured(b, env, 0, func(r *ruler) { cycle(b, env, r) })
	})
}

// each runs f as the sub-benchmark of each case, which is set up on the first call: never
// if -bench excludes the case, and once for all repetitions of -count. A case without axes
// is unnamed: f runs as the benchmark itself, since testing would name the case "#00".
func (s *Suite) each(b *testing.B, op Op, d Drive, f func(*testing.B, *samples)) {
	defer s.begin(b)()
	for _, c := range s.Selection.Cases(d, op.Without...) {
		set := sync.OnceValues(func() (*samples, error) {
			return s.prepare(context.Background(), op, c, s.Selection.Options.Samples)
		})
		run := func(b *testing.B) {
			s.ran = true
			env, err := set()
			if err != nil {
				b.Fatal(err)
			}
			f(b, env)
		}
		if c.Name() == "" {
			run(b)
		} else {
			b.Run(c.Name(), run)
		}
	}
}

// measured measures the operations of a loop, which workers goroutines call; 0 means the
// calling one.
func (s *Suite) measured(b *testing.B, env *samples, workers int, loop func(*ruler)) {
	r, err := newRuler(b, env.op, env.c, workers)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	profiled(b, env.c, func() { loop(r) })
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
			last, err = env.withNewInputs(i)
			if err != nil {
				b.Fatal(err)
			}
			r.start()
		}
		out, err = last.Work()
		if err != nil {
			b.Fatal(err)
		}
		r.step()
	}
	r.end()
	if err := last.Check(out); err != nil {
		b.Fatalf("the result of the last iteration: %v", err)
	}
}

// Parallel runs op as one sub-benchmark for each case and number of workers.
// The time of an operation is wall time divided by the number of operations, so
// N workers on N cores take 1/N of the time of one.
func (s *Suite) Parallel(b *testing.B, op Op) {
	s.each(b, op, Parallel, func(b *testing.B, env *samples) {
		if !env.reused() {
			var err error
			env, err = env.fresh(b.N)
			if err != nil {
				b.Fatal(err)
			}
		}
		workers := workerCounts.Of(env.c)
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

// profiled calls loop, under a profiler if the case requests it, and then also writes an
// allocation profile. The files go to the directory of -test.outputdir, or of the package.
func profiled(b *testing.B, c Case, loop func()) {
	if !c.Options().Profile {
		loop()
		return
	}
	base := profileBase(b.Name())
	err := outfile.Write(base+".cpu.pprof", func(w io.Writer) error {
		defer pprof.StopCPUProfile()
		if err := pprof.StartCPUProfile(w); err != nil {
			return fmt.Errorf("profile of %s: %w", b.Name(), err)
		}
		loop()
		return nil
	})
	if err == nil {
		runtime.GC() // the profile covers the last completed collection
		err = outfile.Write(base+".allocs.pprof", func(w io.Writer) error {
			return pprof.Lookup("allocs").WriteTo(w, 0)
		})
	}
	if err != nil {
		b.Fatal(err)
	}
}

func profileBase(name string) string {
	dir := ""
	if f := flag.Lookup("test.outputdir"); f != nil {
		dir = f.Value.String()
	}
	return filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
}

package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/schedule"
)

// varied takes a random time, and fails, panics or ends its goroutine at times.
func varied(seed uint64, median float64) func(context.Context) error {
	random := rand.New(rand.NewPCG(seed, 2))
	return func(context.Context) error {
		time.Sleep(lognormal(random, median, 0.3))
		switch random.IntN(60) {
		case 0:
			return errors.New("refused")
		case 1:
			panic("broken")
		case 2:
			runtime.Goexit()
		}
		return nil
	}
}

// TestWholeRuns runs operations of each kind in virtual time, to each end.
func TestWholeRuns(t *testing.T) {
	var b bytes.Buffer
	hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	never := func(context.Context) error { time.Sleep(100 * time.Hour); return nil }
	inputs := func(fails int) func(context.Context, int) (int, error) {
		n := 0
		return func(_ context.Context, worker int) (int, error) {
			time.Sleep(700 * time.Microsecond)
			if n++; fails > 0 && n%fails == 0 {
				return 0, errors.New("no input")
			}
			return n, nil
		}
	}
	slower := 0
	calls := func(n int, then func(context.Context) error, take time.Duration) Operation {
		i := 0
		return Func(func(ctx context.Context) error {
			if i++; i >= n {
				return then(ctx)
			}
			time.Sleep(take)
			return nil
		})
	}
	for _, c := range []struct {
		name   string
		c      Config
		op     func() Operation
		cancel time.Duration // 0: never
		dead   bool          // by a deadline
	}{
		{"varied", Config{Workers: 1, Duration: 2 * time.Second}, func() Operation { return Func(varied(1, 3e6)) }, 0, false},
		{"limited", Config{Workers: 1, Ops: 333, WarmUp: -1}, func() Operation { return Func(varied(2, 3e6)) }, 0, false},
		{"batches", Config{Workers: 1, Ops: 333, Batch: 7}, func() Operation { return Func(varied(3, 3e6)) }, 0, false},
		{"batches with a timeout", Config{Workers: 1, Ops: 200, Batch: 7, Timeout: 5 * time.Millisecond}, func() Operation { return Func(varied(3, 3e6)) }, 0, false},
		{"planned", Config{Workers: 1, Duration: 3 * time.Second, Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 150, Seed: 4}}, func() Operation { return Func(varied(4, 3e6)) }, 0, false},
		{"planned and limited", Config{Workers: 1, Ops: 200, Duration: 10 * time.Second, Plan: &schedule.Plan{Rate: 150}}, func() Operation { return Func(varied(4, 3e6)) }, 0, false},
		{"inputs", Config{Workers: 1, Duration: time.Second}, func() Operation {
			work := varied(5, 2e6)
			return Each(inputs(10), func(ctx context.Context, n int) error { return work(ctx) })
		}, 0, false},
		{"inputs of a plan", Config{Workers: 1, Duration: 2 * time.Second, Plan: &schedule.Plan{Rate: 200}}, func() Operation {
			work := varied(5, 2e6)
			return Each(inputs(10), func(ctx context.Context, n int) error { return work(ctx) })
		}, 0, false},
		{"broken inputs", Config{Workers: 1, Ops: 30, WarmUp: -1}, func() Operation {
			n := 0
			return Each(func(context.Context, int) (int, error) {
				if n++; n%4 == 0 {
					panic("input")
				}
				return n, nil
			}, func(context.Context, int) error { time.Sleep(time.Millisecond); return nil })
		}, 0, false},
		{"mix", Config{Workers: 1, Duration: 2 * time.Second, Seed: 6}, func() Operation {
			return Mix(Share{"read", 3, Func(varied(6, 1e6))}, Share{"write", 1, Func(varied(7, 5e6))}, Share{"rare", 0.1, Func(varied(8, 9e6))})
		}, 0, false},
		{"mix of a plan", Config{Workers: 1, Duration: 2 * time.Second, Seed: 6, Batch: 1, Plan: &schedule.Plan{Rate: 100}}, func() Operation {
			work := varied(9, 4e6)
			return Mix(Share{"read", 3, Func(varied(6, 1e6))}, Share{"write", 1, Each(inputs(5), func(ctx context.Context, n int) error { return work(ctx) })})
		}, 0, false},
		{"pool", Config{Workers: 1, Ops: 4, WarmUp: 25 * time.Millisecond, Seed: 3}, func() Operation {
			return Pool([]int{1, 2, 3, 4, 5, 6, 7}, func(_ context.Context, n int) error { time.Sleep(time.Duration(n) * time.Millisecond); return nil })
		}, 0, false},
		{"steady", Config{Workers: 1, Duration: 2 * time.Second, Steady: true}, func() Operation {
			n := 0
			return Func(func(context.Context) error {
				n++
				time.Sleep(time.Duration(1000+n*37%11)*time.Microsecond + 7)
				return nil
			})
		}, 0, false},
		{"never steady", Config{Workers: 1, Duration: 2 * time.Second, Steady: true, WarmUp: time.Second}, func() Operation {
			n := 0
			return Func(func(context.Context) error { n++; time.Sleep(time.Duration(1000003 + n*10007)); return nil })
		}, 0, false},
		{"precise", Config{Workers: 1, Duration: time.Minute, Precision: 0.02}, func() Operation { return Func(varied(10, 3e6)) }, 0, false},
		{"precise, planned", Config{Workers: 1, Duration: time.Minute, Precision: 0.05, PrecisionOf: "p90", Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 60}}, func() Operation { return Func(varied(10, 3e6)) }, 0, false},
		{"interrupted", Config{Workers: 1, Duration: 2 * time.Second, WarmUp: -1}, func() Operation { return calls(100, hang, 3001003) }, time.Second, false},
		{"interrupted in the warm-up", Config{Workers: 1, Duration: 2 * time.Second, WarmUp: time.Second}, func() Operation { return Func(varied(1, 3e6)) }, 400 * time.Millisecond, false},
		{"interrupted and abandoned", Config{Workers: 1, Duration: 2 * time.Second, WarmUp: -1}, func() Operation { return calls(100, never, 3001003) }, time.Second, false},
		{"interrupted in the plan", Config{Workers: 1, Duration: time.Hour, WarmUp: -1, Plan: &schedule.Plan{Rate: 0.1}}, func() Operation { return Func(varied(1, 3e6)) }, 25 * time.Second, false},
		{"deadline", Config{Workers: 1, Duration: 2 * time.Second, WarmUp: -1}, func() Operation { return Func(varied(1, 3e6)) }, time.Second, true},
		{"stalled", Config{Workers: 1, Duration: time.Minute, WarmUp: -1, Stall: 2 * time.Second}, func() Operation { return calls(100, hang, 3001003) }, 0, false},
		{"stalled at once", Config{Workers: 2, Duration: time.Minute, WarmUp: time.Second, Stall: 300 * time.Millisecond}, func() Operation { return Func(hang) }, 0, false},
		{"waiting", Config{Workers: 1, Duration: 50 * time.Second, WarmUp: -1, Stall: time.Second, Plan: &schedule.Plan{Rate: 0.1}}, func() Operation { return Func(varied(1, 3e6)) }, 0, false},
		{"failing", Config{Workers: 1, Duration: time.Minute}, func() Operation {
			return Func(func(context.Context) error { time.Sleep(5003001); return errors.New("always") })
		}, 0, false},
		{"failing slowly", Config{Workers: 1, Duration: 10 * time.Second, WarmUp: -1}, func() Operation {
			return Func(func(context.Context) error { time.Sleep(130007001); return errors.New("always") })
		}, 0, false},
		{"grown", Config{Workers: 1, MaxWorkers: 9, Duration: 2 * time.Second, Plan: &schedule.Plan{Rate: 100}}, func() Operation {
			return PerWorker(func(_ context.Context, worker int) (int, error) { return worker, nil }, func(context.Context, int) error { time.Sleep(25003701); return nil })
		}, 0, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			fmt.Fprintf(&b, "\n----- %s\n", c.name)
			ctx := t.Context()
			if c.cancel > 0 {
				var cancel context.CancelFunc
				if c.dead {
					ctx, cancel = context.WithTimeout(ctx, c.cancel+1)
				} else {
					ctx, cancel = context.WithCancel(ctx)
					time.AfterFunc(c.cancel+1, cancel)
				}
				defer cancel()
			}
			reports, slowest := 0, 0
			var mu sync.Mutex // workers and the progress report at any time
			c.c.Progress = func(p Progress) {
				mu.Lock()
				defer mu.Unlock()
				if reports++; reports < 15 {
					fmt.Fprintf(&b, "%s %v of %v: %d; ", p.Phase, p.Elapsed, p.Limit, p.Done)
				}
			}
			c.c.Slower = func(s Slow) {
				mu.Lock()
				defer mu.Unlock()
				if slowest++; c.c.Workers == 1 && c.c.MaxWorkers == 0 && slowest < 6 {
					fmt.Fprintf(&b, "slower %v at %v; ", s.Latency, s.From)
				}
			}
			begun := time.Now()
			r, err := Run(ctx, c.c, c.op())
			require.NoError(t, err)
			require.NoError(t, r.Check(), c.name)
			fmt.Fprintf(&b, "\nreports %d slower %v took %v set-up %s workers %d batch %d apart %v\n", reports, slowest > 0, time.Since(begun), r.SetUp, r.Config.Workers, r.Config.Batch, r.Apart)
			if len(r.Stack) > 0 {
				require.Contains(t, r.Stack, "panic")
				r.Stack = "a stack"
			}
			if len(r.Dump) > 0 {
				require.Contains(t, r.Dump, "goroutine")
				r.Dump = "a dump"
			}
			r.Begun = r.Begun.Add(-946684800 * time.Second) // virtual time begins in 2000
			if c.c.MaxWorkers > 0 || c.c.Workers > 1 {      // the order of workers at one time is open
				r.Slowest = nil
				r.Moments.Jitter = 0
			}
			r.Before, r.After, r.Usage = quiet().Before, quiet().After, Usage{} // not virtual
			var all bytes.Buffer
			describe(&all, r)
			for line := range strings.Lines(all.String()) {
				if !strings.HasPrefix(line, "beyond") && !strings.HasPrefix(line, "quantile") && !strings.HasPrefix(line, "me") && !strings.HasPrefix(line, "cell 1") {
					b.WriteString(line)
				}
			}
			for _, p := range r.Parts {
				fmt.Fprintf(&b, "part %s %v\n", p.Name, p.Weight)
				one := p.Result
				fmt.Fprintln(&b, one.Done, digits(one.Weighted), one.Failed, one.Errors, one.Records, digits(one.Moments.Mean, one.Moments.Max), one.Busy, one.Elapsed, one.Abandoned, one.SetUp, one.End, one.Interrupted)
			}
			slower += slowest
			time.Sleep(101 * time.Hour) // until operations that were given up end
		})
	}
	require.Positive(t, slower)
	whole(t, "runs.txt", b.Bytes())
}

// TestSetUpsOfAMix run once each, and an error has the name of its operation.
func TestSetUpsOfAMix(t *testing.T) {
	for fails := range 11 {
		var shares []Share
		made := 0
		for i := range 10 {
			one := Once(func(context.Context) (int, error) {
				if made++; i+1 == fails {
					return 0, errors.New("bad")
				}
				return i, nil
			}, func(_ context.Context, in int) error {
				if in != i {
					return errors.New("wrong input")
				}
				return nil
			})
			shares = append(shares, Share{fmt.Sprint("n", i), 1, one}, Share{fmt.Sprint("m", i), 1, Func(func(context.Context) error { return nil })})
		}
		r, err := Run(t.Context(), Config{Workers: 2, Ops: 100, WarmUp: -1}, Mix(shares...))
		if fails > 0 {
			require.EqualError(t, err, fmt.Sprintf("set-up: n%d: bad", fails-1))
			require.Equal(t, fails, made)
			continue
		}
		require.NoError(t, err)
		require.Empty(t, r.Errors)
		require.Equal(t, 10, made)
	}
}

// TestMostOperationsOfAMix are 64.
func TestMostOperationsOfAMix(t *testing.T) {
	var shares []Share
	for i := range 65 {
		shares = append(shares, Share{fmt.Sprint(i), 1, Func(func(context.Context) error { return nil })})
	}
	require.NoError(t, checkMix(shares[:64]))
	require.ErrorContains(t, checkMix(shares), "a mix of 65 operations, which are not 1 to 64")
	require.ErrorContains(t, checkMix(nil), "a mix of 0 operations")
	shares[63].Weight = 0
	require.ErrorContains(t, checkMix(shares[:64]), "the weight of 63 is 0")
}

// TestOrderOfOperations draws the operations of a mix and the inputs of a pool by seed
// and worker.
func TestOrderOfOperations(t *testing.T) {
	var order []string
	named := func(name string) Operation {
		return Func(func(context.Context) error { order = append(order, name); return nil })
	}
	shares := []Share{{"a", 1, named("a")}, {"b", 2, named("b")}, {"c", 0.5, named("c")}, {"d", 0.5, named("d")}}
	var b bytes.Buffer
	for _, at := range []binding{{worker: 0, seed: 1}, {worker: 3, seed: 1}, {worker: 0, seed: 2}} {
		order = nil
		m, err := bindMix(t.Context(), at, shares)
		require.NoError(t, err)
		require.Equal(t, 4, m.parts)
		require.Nil(t, m.before)
		for k := range 20 {
			require.NoError(t, m.work(t.Context()))
			require.Equal(t, shares[*m.part].Name, order[k])
		}
		fmt.Fprintf(&b, "%+v: %s\n", at, strings.Join(order, " "))
	}
	for _, at := range []binding{{worker: 0, workers: 3, seed: 1}, {worker: 1, workers: 3, seed: 1}, {worker: 2, workers: 3, seed: 1}, {worker: 0, workers: 1, seed: 2}} {
		order = nil
		inputs := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
		p, err := Pool(inputs, func(_ context.Context, in string) error { order = append(order, in); return nil }).bind(t.Context(), at)
		require.NoError(t, err)
		for range 13 {
			require.NoError(t, p.work(t.Context()))
		}
		fmt.Fprintf(&b, "%+v: %s\n", at, strings.Join(order, " "))
	}
	whole(t, "order.txt", b.Bytes())
}

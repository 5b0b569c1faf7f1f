package runner_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// together runs generators at once in virtual time, the later ones delay apart.
func together(t *testing.T, delay time.Duration, op func(i int) runner.Operation,
	cs ...runner.Config) (rs []*result.Result) {
	t.Helper()
	rs = make([]*result.Result, len(cs))
	synctest.Test(t, func(t *testing.T) {
		var all sync.WaitGroup
		for i, c := range cs {
			all.Go(func() {
				time.Sleep(delay * time.Duration(i))
				r, err := runner.Run(t.Context(), c, op(i))
				if err != nil {
					t.Error(err)
				}
				rs[i] = r
			})
		}
		all.Wait()
	})
	return rs
}

// random takes a random time, and fails at times.
func random(seed uint64, mean float64) runner.Operation {
	random := rand.New(rand.NewPCG(seed, 9))
	var mu sync.Mutex
	return runner.Func(func(context.Context) error {
		mu.Lock()
		d, fails := mean*random.ExpFloat64(), random.IntN(50) == 0
		mu.Unlock()
		time.Sleep(time.Duration(d))
		if fails {
			return errors.New("refused")
		}
		return nil
	})
}

// TestMergeAddsBucketForBucket merges generators of a closed loop: the
// histogram is the sum of all, and the result obeys the laws.
func TestMergeAddsBucketForBucket(t *testing.T) {
	c := runner.Config{Workers: 2, Duration: 10 * time.Second, WarmUp: -1}
	rs := together(t, 1300*ms, func(i int) runner.Operation {
		return runner.Mix(share("read", 3, random(uint64(i), 1e6)), share("write", 1, random(uint64(i), 5e6)))
	}, c, c, c)
	m, err := result.Merge(rs...)
	require.NoError(t, err)
	require.NoError(t, judge.Check(m))
	want, done := hist.New(), uint64(0)
	for _, r := range rs {
		want.Merge(r.Latency)
		done += r.Done
	}
	require.Equal(t, want, m.Latency)
	require.Equal(t, done, m.Done)
	require.Equal(t, 3*c.Workers, m.Config.Workers)
	require.Equal(t, rs[2].Begun.Sub(rs[0].Begun)+rs[2].Elapsed, m.Elapsed)
	require.Equal(t, rs[0].Begun, m.Begun)
	require.Len(t, m.Slowest, 64)
	require.Equal(t, m.Moments.Max, float64(m.Slowest[0].Latency))
	require.Len(t, m.Parts, 2)
	later, err := result.Merge(rs[1], rs[2])
	require.NoError(t, err)
	nested, err := result.Merge(rs[0], later)
	require.NoError(t, err)
	require.Equal(t, m.Windows, nested.Windows, "a merged result keeps its windows")
	alone, err := result.Merge(rs[0])
	require.NoError(t, err)
	require.Equal(t, rs[0].Moments.Max, alone.Moments.Max)
	require.InEpsilon(t, rs[0].Moments.StdDev, alone.Moments.StdDev, 1e-9)
}

// setUsage sets the fields of a usage to multiples of a number, by their position.
func setUsage(u *result.Usage, own float64) {
	fields := reflect.ValueOf(u).Elem()
	for k := range fields.NumField() {
		f := fields.Field(k)
		f.Set(reflect.ValueOf(own * float64(1+k)).Convert(f.Type()))
	}
}

// TestMergedUsage gives each generator other figures, with the greatest at every place: a figure of
// all is their sum, their mean by operations, or the greatest.
func TestMergedUsage(t *testing.T) {
	greatest := map[string]bool{"GCPauseMax": true, "GCShare": true, "AssistShare": true,
		"ProcessorUse": true, "SchedP50": true, "SchedP99": true}
	means := map[string]bool{"BytesPerOp": true, "AllocsPerOp": true, "CPUPerOp": true}
	rs := generators(t)
	for first := range rs {
		sum, weighted, operations := 0.0, 0.0, 0.0
		for i, r := range rs {
			own := []float64{3, 5, 4}[(i+first)%len(rs)]
			setUsage(&r.Usage, own)
			ran := float64(r.Done + r.Failed)
			sum, weighted, operations = sum+own, weighted+ran*own, operations+ran
		}
		m, err := result.Merge(rs...)
		require.NoError(t, err)
		u := reflect.ValueOf(m.Usage)
		for k := range u.NumField() {
			name, want := u.Type().Field(k).Name, sum
			switch {
			case greatest[name]:
				want = 5
			case means[name]:
				want = weighted / operations
			}
			require.InEpsilon(t, want*float64(1+k), u.Field(k).Convert(reflect.TypeFor[float64]()).Float(),
				1e-9, name)
		}
	}
}

// generators returns results of three generators of an open loop.
func generators(t *testing.T) []*result.Result {
	c := runner.Config{Workers: 2, Duration: time.Second, WarmUp: -1, Plan: constant(200)}
	return together(t, 0, func(i int) runner.Operation { return random(uint64(i), 1e6) }, c, c, c)
}

// TestMergedReasonsToDoubt: a result of several generators has the worst of each, which is at every
// place.
func TestMergedReasonsToDoubt(t *testing.T) {
	rs := generators(t)
	for first := range rs {
		lag, records := 0.0, 0.0
		for i, r := range rs {
			own := []float64{3, 5, 4}[(i+first)%len(rs)]
			r.Inputs = 10 + i
			r.Open.LagMean, r.Open.LagMax = time.Duration(1000*own), time.Duration(9000*own)
			lag, records = lag+float64(r.Records)*1000*own, records+float64(r.Records)
			r.WarmUp = result.WarmUp{Took: time.Duration(own), Operations: uint64(own), Wanted: true,
				Steady: own != 4}
			r.Clock = result.Clock{Step: time.Duration(10 * own), Record: time.Duration(20 * own)}
			r.Looks, r.Confidence = int(own), own/10
			r.Failures = &result.Failures{Took: hist.New(), Sum: own, Most: own, Cut: 1 << i}
			r.Failures.Took.Add(uint64(own))
			r.Control = result.Control{N: 50, Median: 1000, Spread: own / 100}
			r.Interrupted, r.End, r.Stack, r.Dump = own == 4, fmt.Sprint(own), "", ""
			if own != 3 {
				r.Stack, r.Dump = fmt.Sprint("stack ", i), fmt.Sprint("dump ", i)
			}
		}
		m, err := result.Merge(rs...)
		require.NoError(t, err)
		require.InDelta(t, lag/records, float64(m.Open.LagMean), 2)
		require.EqualValues(t, 45000, m.Open.LagMax)
		require.Equal(t, result.WarmUp{Took: 5, Operations: 12, Wanted: true}, m.WarmUp)
		require.Equal(t, result.Clock{Step: 50, Record: 100}, m.Clock)
		require.Equal(t, 10+11+12, m.Inputs)
		require.Equal(t, 5, m.Looks)
		require.Equal(t, 0.5, m.Confidence)
		failures := &result.Failures{Took: hist.New(), Sum: 3 + 4 + 5, Most: 5, Cut: 1 + 2 + 4}
		for took := uint64(3); took <= 5; took++ {
			failures.Took.Add(took)
		}
		require.Equal(t, failures, m.Failures)
		require.True(t, m.Interrupted)
		require.Equal(t, "4", m.End)
		filled := 0
		if first == 0 { // own is 3 for the first one
			filled = 1
		}
		require.Equal(t, fmt.Sprint("stack ", filled), m.Stack)
		require.Equal(t, fmt.Sprint("dump ", filled), m.Dump)
		require.Equal(t, 0.05, m.Control.Spread)
	}
}

// TestGeneratorsEqualOneProcess divides an open loop among generators, in virtual time:
// the merged result has exactly the histogram, the counts and the plan of one process.
func TestGeneratorsEqualOneProcess(t *testing.T) {
	op := func(int) runner.Operation {
		return runner.Func(func(context.Context) error {
			time.Sleep(ms + time.Duration(time.Now().UnixMicro()%4999)*time.Microsecond)
			return nil
		})
	}
	c := runner.Config{Workers: 8, Duration: 8 * time.Second, WarmUp: -1}
	for _, plan := range []schedule.Plan{
		{Rate: 300}, {Rate: 300, Arrival: schedule.Poisson, Seed: 3},
		{Rate: 100, Arrival: schedule.Ramp, To: 500, Over: 4 * time.Second,
			Then: []schedule.Stage{{Kind: schedule.Jump, To: 50}}},
	} {
		c.Plan = &plan
		whole := together(t, 0, op, c)[0]
		for _, n := range nightly.Pick([]int{3}, []int{2, 7}, []int{2, 3, 7}) {
			t.Run(fmt.Sprintf("%v, %d generators", plan, n), func(t *testing.T) {
				var cs []runner.Config
				for i := range n {
					part := plan
					part.Generator, part.Generators = i+1, n
					one := c
					one.Plan = &part
					cs = append(cs, one)
				}
				rs := together(t, 0, op, cs...)
				joint, err := result.Merge(rs...)
				require.NoError(t, err)
				require.Equal(t, whole.Latency, joint.Latency)
				require.Equal(t, whole.Done, joint.Done)
				require.Equal(t, whole.Records, joint.Records)
				require.Equal(t, whole.Open.Offered, joint.Open.Offered)
				require.Equal(t, whole.Open.Started, joint.Open.Started)
				require.Equal(t, whole.Open.Backlog, joint.Open.Backlog)
				require.Equal(t, whole.Open.Present, joint.Open.Present)
				require.Equal(t, plan, *joint.Config.Plan)
				require.Equal(t, whole.Moments.Min, joint.Moments.Min)
				require.Equal(t, whole.Moments.Max, joint.Moments.Max)
				lost, err := result.Merge(rs[1:]...) // without the first generator
				require.NoError(t, err)
				require.InDelta(t, plan.Expected(c.Duration)*float64(n-1)/float64(n),
					lost.Config.Plan.Expected(c.Duration), 1e-6)
			})
		}
	}
}

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

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// generators runs the same operation in n generators at once, the later ones
// delay apart, in virtual time.
func generators(t *testing.T, n int, delay time.Duration, c runner.Config) (rs []*result.Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rs = make([]*result.Result, n)
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				time.Sleep(delay * time.Duration(i))
				random := rand.New(rand.NewPCG(uint64(i), 9))
				var mu sync.Mutex
				call := func(mean float64) func(context.Context) error {
					return func(context.Context) error {
						mu.Lock()
						d, fails := mean*random.ExpFloat64(), random.IntN(50) == 0
						mu.Unlock()
						time.Sleep(time.Duration(d))
						if fails {
							return errors.New("refused")
						}
						return nil
					}
				}
				op := runner.Mix(runner.Share{Name: "read", Weight: 3, Op: runner.Func(call(1e6))},
					runner.Share{Name: "write", Weight: 1, Op: runner.Func(call(5e6))})
				r, err := runner.Run(t.Context(), c, op)
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

// TestMergeAddsBucketForBucket merges generators of closed and open loops: the
// histogram is the sum of all, and the result obeys the laws.
func TestMergeAddsBucketForBucket(t *testing.T) {
	for _, c := range []runner.Config{
		{Workers: 2, Duration: 10 * time.Second, WarmUp: -1},
		{Workers: 8, Duration: 10 * time.Second, Plan: &schedule.Plan{Rate: 200}},
	} {
		rs := generators(t, 3, 1300*time.Millisecond, c)
		m, err := result.Merge(rs...)
		require.NoError(t, err)
		require.NoError(t, judge.Check(m))
		want := map[int]uint64{}
		var done uint64
		for _, r := range rs {
			r.Latency.Each(func(i int, n uint64) { want[i] += n })
			done += r.Done
		}
		got := map[int]uint64{}
		m.Latency.Each(func(i int, n uint64) { got[i] = n })
		require.Equal(t, want, got)
		require.Equal(t, done, m.Done)
		require.Equal(t, 3*c.Workers, m.Config.Workers)
		require.Equal(t, rs[2].Begun.Sub(rs[0].Begun)+rs[2].Elapsed, m.Elapsed)
		require.Equal(t, rs[0].Begun, m.Begun)
		require.Len(t, m.Slowest, 64)
		require.Equal(t, m.Moments.Max, float64(m.Slowest[0].Latency))
		require.Len(t, m.Parts, 2)
		if c.Plan != nil {
			require.Equal(t, 600.0, m.Config.Plan.Rate)
			require.Equal(t, rs[0].Open.Offered+rs[1].Open.Offered+rs[2].Open.Offered, m.Open.Offered)
		}
		alone, err := result.Merge(rs[0])
		require.NoError(t, err)
		require.Equal(t, rs[0].Moments.Max, alone.Moments.Max)
		require.InEpsilon(t, rs[0].Moments.StdDev, alone.Moments.StdDev, 1e-9)
	}
}

// TestMergedFiguresAreOfAllGenerators gives each generator other figures, with the
// greatest at every place, and merges them.
func TestMergedFiguresAreOfAllGenerators(t *testing.T) {
	const n = 3
	greatest := map[string]bool{"GCPauseMax": true, "GCShare": true, "AssistShare": true,
		"ProcessorUse": true, "SchedP50": true, "SchedP99": true}
	means := map[string]bool{"BytesPerOp": true, "AllocsPerOp": true, "CPUPerOp": true}
	rs := generators(t, n, 0,
		runner.Config{Workers: 8, Duration: 5 * time.Second, WarmUp: -1, Plan: &schedule.Plan{Rate: 200}})
	inputs := 0
	for i, r := range rs {
		r.Inputs = 10 + i
		inputs += r.Inputs
	}
	for first := range n {
		operations, lag, records := 0.0, 0.0, 0.0
		want := map[string]float64{}
		for i, r := range rs {
			own := []float64{3, 5, 4}[(i+first)%n]
			ran := float64(r.Done + r.Failed)
			u := reflect.ValueOf(&r.Usage).Elem()
			for k := range u.NumField() {
				name, v := u.Type().Field(k).Name, own*float64(1+k)
				u.Field(k).Set(reflect.ValueOf(v).Convert(u.Field(k).Type()))
				switch {
				case greatest[name]:
					want[name] = max(want[name], v)
				case means[name]:
					want[name] += ran * v
				default:
					want[name] += v
				}
			}
			operations += ran
			r.Open.LagMean, r.Open.LagMax = time.Duration(1000*own), time.Duration(9000*own)
			lag, records = lag+float64(r.Records)*1000*own, records+float64(r.Records)
			r.WarmUp = result.WarmUp{Took: time.Duration(own), Operations: uint64(own), Wanted: true,
				Steady: own != 4}
			r.Clock = result.Clock{Step: time.Duration(10 * own), Record: time.Duration(20 * own)}
			r.Looks, r.Confidence = int(own), own/10
			r.Stack, r.Dump, r.Control = "", "", result.Control{N: 50, Median: 1000, Spread: own / 100}
			if r.Interrupted, r.End = own == 4, fmt.Sprint(own); own != 3 {
				r.Stack, r.Dump = fmt.Sprint("stack ", i), fmt.Sprint("dump ", i)
			}
		}
		m, err := result.Merge(rs...)
		require.NoError(t, err)
		u := reflect.ValueOf(m.Usage)
		for k := range u.NumField() {
			name := u.Type().Field(k).Name
			if means[name] {
				want[name] /= operations
			}
			require.InEpsilon(t, want[name], u.Field(k).Convert(reflect.TypeFor[float64]()).Float(), 1e-9,
				name)
		}
		require.InDelta(t, lag/records, float64(m.Open.LagMean), 2)
		require.EqualValues(t, 45000, m.Open.LagMax)
		require.Equal(t, result.WarmUp{Took: 5, Operations: 12, Wanted: true}, m.WarmUp)
		require.Equal(t, result.Clock{Step: 50, Record: 100}, m.Clock)
		require.Equal(t, inputs, m.Inputs)
		require.Equal(t, 5, m.Looks)
		require.Equal(t, 0.5, m.Confidence)
		require.True(t, m.Interrupted)
		require.Equal(t, "4", m.End)
		filled := 0
		if first == 0 { // own is 3 for the first one
			filled = 1
		}
		require.Equal(t, [2]string{fmt.Sprint("stack ", filled), fmt.Sprint("dump ", filled)},
			[2]string{m.Stack, m.Dump})
		require.Equal(t, 0.05, m.Control.Spread)
	}
}

// TestGeneratorsEqualOneProcess divides an open loop among generators, in virtual time:
// the merged result has exactly the histogram, the counts and the plan of one process.
func TestGeneratorsEqualOneProcess(t *testing.T) {
	op := runner.Func(func(context.Context) error {
		time.Sleep(time.Millisecond + time.Duration(time.Now().UnixMicro()%4999)*time.Microsecond)
		return nil
	})
	run := func(plans ...schedule.Plan) (rs []*result.Result) {
		rs = make([]*result.Result, len(plans))
		synctest.Test(t, func(t *testing.T) {
			var all sync.WaitGroup
			for i, plan := range plans {
				all.Go(func() {
					r, err := runner.Run(t.Context(),
						runner.Config{Workers: 8, Duration: 20 * time.Second, WarmUp: -1, Plan: &plan}, op)
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
	for _, plan := range []schedule.Plan{
		{Rate: 300}, {Rate: 300, Arrival: schedule.Poisson, Seed: 3},
		{Rate: 100, Arrival: schedule.Ramp, To: 500, Over: 10 * time.Second,
			Then: []schedule.Stage{{Kind: schedule.Jump, To: 50}}},
	} {
		whole := run(plan)[0]
		for _, n := range []int{2, 3, 7} {
			parts := make([]schedule.Plan, n)
			for i := range parts {
				parts[i] = plan
				parts[i].Generator, parts[i].Generators = i+1, n
			}
			rs := run(parts...)
			joint, err := result.Merge(rs...)
			require.NoError(t, err)
			require.Equal(t, whole.Latency, joint.Latency, "%v, %d generators", plan, n)
			require.Equal(t, [3]uint64{whole.Done, whole.Failed, whole.Records},
				[3]uint64{joint.Done, joint.Failed, joint.Records})
			require.Equal(t, [3]int64{whole.Open.Offered, whole.Open.Started, whole.Open.Backlog},
				[3]int64{joint.Open.Offered, joint.Open.Started, joint.Open.Backlog})
			require.Equal(t, whole.Open.Present, joint.Open.Present)
			require.Equal(t, plan, *joint.Config.Plan)
			require.Equal(t, [2]float64{whole.Moments.Min, whole.Moments.Max},
				[2]float64{joint.Moments.Min, joint.Moments.Max})
			lost, err := result.Merge(rs[1:]...) // without the first generator
			require.NoError(t, err)
			require.InDelta(t, plan.Expected(20*time.Second)*float64(n-1)/float64(n),
				lost.Config.Plan.Expected(20*time.Second), 1e-6)
		}
	}
}

package runner_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

func share(name string, weight float64, op runner.Operation) runner.Share {
	return runner.Share{Name: name, Weight: weight, Op: op}
}

// nothing takes no time.
var nothing = runner.Func(func(context.Context) error { return nil })

// TestMixReportsApartAndTogether mixes reads of 1 ms, writes of 5 ms, and pings
// that fail, in closed and busy open loops in virtual time: the parts have their own
// latencies, weights and failures, and sum to the whole.
func TestMixReportsApartAndTogether(t *testing.T) {
	var written atomic.Int64
	mix := runner.Mix(
		share("read", 6, sleeper(ms)),
		share("write", 3, runner.Each(
			func(context.Context, int) (int64, error) { return written.Add(1), nil },
			func(_ context.Context, n int64) error {
				if n == 0 {
					return errors.New("an input of another operation")
				}
				time.Sleep(5 * ms)
				return nil
			})),
		share("ping", 1, runner.Func(func(context.Context) error {
			time.Sleep(ms)
			return errors.New("lost")
		})))
	for loop, plan := range map[string]*schedule.Plan{"closed": nil, "open": constant(1500)} {
		t.Run(loop, func(t *testing.T) {
			r := virtual(t, runner.Config{Workers: 4, Duration: 20 * time.Second, Plan: plan, Seed: 1}, mix)
			require.Len(t, r.Parts, 3)
			read, write, ping := r.Parts[0].Result, r.Parts[1].Result, r.Parts[2].Result
			require.Equal(t, 1e6, read.ServiceMean())
			require.Equal(t, 5e6, write.ServiceMean())
			require.Zero(t, ping.Done)
			require.Equal(t, r.Failed, ping.Failed)
			all := float64(r.Done + r.Failed)
			require.InDelta(t, 0.6, float64(read.Done)/all, 0.02)
			require.InDelta(t, 0.3, float64(write.Done)/all, 0.02)
			require.InDelta(t, r.Throughput(), read.Throughput()+write.Throughput(), 1e-6)
			require.Equal(t, map[string]uint64{"lost": r.Failed}, ping.Errors)
			total := func(r *result.Result) float64 { return r.Moments.Mean * float64(r.Records) }
			require.InEpsilon(t, total(r), total(read)+total(write), 1e-9)
			require.Equal(t, plan != nil, total(read) > 1.01e6*float64(read.Done),
				"a planned operation waits")
			if plan != nil {
				require.EqualValues(t, read.Done, read.Open.Offered)
				require.EqualValues(t, read.Done, read.Open.Started)
			}
		})
	}
}

// TestSetUpsOfAMix run once each, and an error has the name of its operation.
func TestSetUpsOfAMix(t *testing.T) {
	for fails := range 11 {
		var shares []runner.Share
		made := 0
		for i := range 10 {
			one := runner.Once(func(context.Context) (int, error) {
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
			shares = append(shares, share(fmt.Sprint("n", i), 1, one), share(fmt.Sprint("m", i), 1, nothing))
		}
		r, err := runner.Run(t.Context(), runner.Config{Workers: 2, Ops: 100, WarmUp: -1},
			runner.Mix(shares...))
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

// TestMixIsChecked: a mix has 1 to 64 operations with names and weights, which are no mixes.
func TestMixIsChecked(t *testing.T) {
	var many []runner.Share
	for i := range 65 {
		many = append(many, share(fmt.Sprint(i), 1, nothing))
	}
	for want, shares := range map[string][]runner.Share{
		"":                      many[:64],
		"a mix of 0 operations": nil,
		"a mix of 65 operations, which are not 1 to 64": many,
		`"" names no operation, or two`:                 {share("", 1, nothing)},
		`"0" names no operation, or two`:                append(many[:9:9], many[0]),
		"the weight of a is 0":                          append(many[:9:9], share("a", 0, nothing)),
		"a is the zero Operation":                       {share("a", 1, runner.Operation{})},
		"b is the zero Operation or a mix itself":       {share("b", 1, runner.Mix(many[0]))},
	} {
		t.Run("error "+want, func(t *testing.T) {
			_, err := runner.Run(t.Context(), runner.Config{Workers: 1, Ops: 1}, runner.Mix(shares...))
			if want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, runner.ErrConfig)
			require.ErrorContains(t, err, want)
		})
	}
}

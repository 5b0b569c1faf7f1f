package history_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

// of returns a series with one value for each revision.
func of(name, unit string, exact bool, better int, ys ...float64) history.Series {
	s := history.Series{Key: result.Key{Package: "p", Name: name}, Unit: unit, Exact: exact, Better: better}
	for i, y := range ys {
		s.Points = append(s.Points,
			history.Point{Revision: strings.Repeat(string(rune('a'+i%26)), []int{3, 40, 64}[i%3]),
				Values: []float64{y}})
	}
	return s
}

// TestSmallestChanges: a step of a young history and a drift are at least one per cent of
// the level.
func TestSmallestChanges(t *testing.T) {
	for _, c := range []struct {
		first, then float64
		want        []history.Change
	}{
		{100.5, 102.5, []history.Change{{At: 10, Alarm: 15, Before: 100.5, After: 102.5}}},
		{-100.5, -102.5, []history.Change{{At: 10, Alarm: 15, Before: -100.5, After: -102.5}}},
		{100.5, 100.6, nil},
		{61, 61, nil},
	} {
		t.Run(fmt.Sprint(c.first, " to ", c.then), func(t *testing.T) {
			ys := slices.Concat(slices.Repeat([]float64{c.first}, 10), slices.Repeat([]float64{c.then}, 10))
			require.Equal(t, c.want, of("A", "sec/op", false, -1, ys...).Changes(), ys)
		})
	}
	exact := of("A", "size", true, -1, 7, 7, 8, 8, 7)
	require.Equal(t,
		[]history.Change{{At: 2, Alarm: 2, Before: 7, After: 8}, {At: 4, Alarm: 4, Before: 8, After: 7}},
		exact.Changes())
	require.True(t, exact.Worse(exact.Changes()[0]))
	require.False(t, exact.Worse(exact.Changes()[1]))
	require.False(t, exact.Worse(history.Change{}))
	ramp := func(rise float64) history.Series {
		var ys []float64
		for i := range 60 {
			ys = append(ys, 100+rise*float64(min(max(i-12, 0)/4, 9))/9+[]float64{0, 0.5, -0.5}[i%3])
		}
		return of("A", "sec/op", false, -1, ys...)
	}
	_, drifts := ramp(1).Drift()
	require.True(t, drifts || len(ramp(1).Changes()) > 0, "a slow rise is a drift or a change")
	_, drifts = ramp(0.2).Drift()
	require.False(t, drifts || len(ramp(0.2).Changes()) > 0)
}

// TestCancelled: nothing is read or written after the end of the context, also while
// another program writes.
func TestCancelled(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.db")
	s := create(t, name)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.NoError(t, s.Add(ctx, results(1, 1, 1000), "", epoch))
	_, err := s.Runs(cancelled)
	require.EqualError(t, err, name+": context canceled")
	_, err = s.Series(cancelled, everything, "")
	require.EqualError(t, err, name+": context canceled")
	_, err = history.Open(cancelled, name)
	require.EqualError(t, err, name+": context canceled")
	require.EqualError(t, s.Add(cancelled, results(2, 1, 1000), "", epoch), name+": context canceled")
}

// TestMix: revisions of machines that differ in the host are one series in the order of their
// starts. Only any machines mix with another processor, and with a machine without a host.
func TestMix(t *testing.T) {
	var all []history.Series
	for _, machine := range []string{"h2, cpu, 2, linux, amd64", "h1, cpu, 2, linux, amd64",
		"h1, other, 2, linux, amd64", "cpu, linux, amd64"} {
		s := of("A", "sec/op", false, -1, 1, 2)
		s.Machine = machine
		for i := range s.Points {
			s.Points[i].Started = epoch.Add(time.Duration(len(all) + 10*i))
		}
		all = append(all, s)
	}
	of := func(mixed []history.Series) (values [][]float64) {
		for _, s := range mixed {
			require.Len(t, s.Points, 2)
			values = append(values, s.Points[1].Values)
		}
		return values
	}
	require.Equal(t, [][]float64{{2, 2}, {2}, {2}}, of(history.Mix(all, false)))
	require.Equal(t, [][]float64{{2, 2, 2, 2}}, of(history.Mix(all, true)))
	require.Len(t, all[0].Points, 2)
}

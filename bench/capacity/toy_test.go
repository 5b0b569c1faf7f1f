package capacity // record, measure and turns are private: a whole measurement takes seconds

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/flags"
)

var (
	toyKind = &bench.Axis[string]{Name: "kind", Flag: "kind", Default: "fast", Show: bench.IfChosen,
		Values: flags.Names("fast", "slow")}
	toyBatch = &bench.Axis[int]{Name: "batch", Flag: "batch", Default: "64", Show: bench.IfChosen,
		Values: flags.Numbers(1, 64)}
)

// toy is a subject with operations that compute a sum.
func toy() Subject {
	op := func(name string, work int, without ...bench.Param) bench.Op {
		return bench.Op{Name: name, Without: without,
			Setup: func(c bench.Case, _ uint64) (bench.Instance, error) {
				n := work * max(1, toyBatch.Of(c))
				if toyKind.Of(c) == "slow" {
					n *= 2
				}
				return bench.Instance{
					Work:  func() ([]byte, error) { return []byte{byte(sum(n))}, nil },
					Check: func([]byte) error { return nil },
					Exact: func([]byte) []bench.Metric {
						return []bench.Metric{{Value: 1000, Unit: "request-B"},
							{Value: 100, Unit: "written-B"},
							{Value: 90, Unit: "removed-B"}}
					},
				}, nil
			}}
	}
	alone := bench.Axes(toyBatch)
	return Subject{
		Of: bench.Subject{Name: "toy", Axes: bench.Axes(toyKind, toyBatch), Ops: []bench.Op{
			op("ToyMake", 20_000, alone...), op("ToyValidate", 10_000, alone...), op("ToyBatch", 5000),
			op("ToyAudit", 1000, alone...),
		}},
		Axes: bench.Axes(toyKind), Defaults: map[string]string{"kind": "fast,slow"}, Actions: []string{"pay"},
		Mix: "pay=1", Shape: bench.Axes(toyKind),
		Roles: []Role{
			{Name: "wallet", Does: "makes", Parties: Many, Ops: []string{"ToyMake"}},
			{Name: "endorser", Does: "validates", Parties: Endorsers, Waits: true,
				Ops: []string{"ToyValidate"}, Batch: "ToyBatch"},
			{Name: "auditor", Does: "opens", Parties: Auditors, Ops: []string{"ToyAudit"}},
		},
		Collected: toyBatch,
		Choices: func(sel *bench.Selection) (all []Choice) {
			for _, c := range sel.Cases(bench.Serial) {
				one := Choice{Name: toyKind.Of(c), Case: c, Protects: true}
				if one.Name == "fast" {
					one.Warning = "fast: no outside review yet"
				}
				all = append(all, one)
			}
			return all
		},
		Changes: []Change{{Name: "fast instead of slow", Flag: "kind", From: "slow", To: "fast"},
			{Name: "batches of 16", Batch: 16}},
	}
}

func sum(n int) (total int) {
	for i := range n {
		total += i ^ total
	}
	return total
}

// toyChoices are the choices of the flags.
func toyChoices(t *testing.T, args ...string) []Choice {
	t.Helper()
	var set flags.Set
	sel := toy().Register(&set)
	_, _, err := set.Parse(args)
	require.NoError(t, errors.Join(err, set.Resolve(nil)))
	return toy().Choices(sel)
}

func results(t *testing.T, text string) *result.Data {
	t.Helper()
	d := result.NewData()
	require.NoError(t, d.Read(strings.NewReader(text), "results.txt"))
	return d
}

func toySettings() Settings {
	s := usual()
	s.Mix = []Share{{"pay", 1}}
	return s
}

// kept are results of all operations of the toy: 1 ms to validate fast, 4 slow.
func kept() string {
	var b strings.Builder
	b.WriteString("cpu: Toy\ncpus: 2\ngo: go1\nrevision: abc\nstarted: 2026-11-22T10:00:00Z\nnoise: load " +
		"is 3\n")
	for kind, factor := range map[string]int{"": 1, "/kind=slow": 4} {
		for i := range 120 {
			for op, us := range map[string]int{"Make": 3000, "Validate": 1000, "Audit": 100} {
				fmt.Fprintf(&b,
					"BenchmarkToy%s%s-2 1 9 ns/op %d cpu-ns/op %d round 1000 request-B 100 written-B 90 "+
						"removed-B\n", op, kind, us*factor*(981+2*(i%20)), i%rounds)
			}
			for _, n := range batchSizes {
				suffix := fmt.Sprintf("/batch=%d", n)
				if n == 64 {
					suffix = ""
				}
				fmt.Fprintf(&b, "BenchmarkToyBatch%s%s 1 %d cpu-ns/op\n", kind, suffix,
					1_000_000*factor*(n+1)/2)
			}
		}
	}
	return b.String() +
		"BenchmarkCapacitySpeedUp/workers=1 1 1000 cpu-ns/op\nBenchmarkCapacitySpeedUp/workers=2 1 1000 " +
		"cpu-ns/op\nresults: 282\n"
}

// toyPlan is the plan of the choices of flags.
func toyPlan(t *testing.T, s Settings, args ...string) *Plan {
	t.Helper()
	d := results(t, kept())
	costs, err := toy().FromResults(d, toyChoices(t, args...))
	require.NoError(t, err)
	return toy().NewPlan(s, SourceOf(d, "results.txt"), SpeedUpOf(d), costs, func(int, int) {})
}

func TestPlanFromResults(t *testing.T) {
	p := toyPlan(t, toySettings())
	require.Equal(t, 0, p.Cheapest)
	require.Equal(t, 1, p.Unwarned)
	fast := p.Choices[0]
	require.True(t, fast.Meets)
	require.InDelta(t, 0.001, fast.Roles[1].Seconds, 1e-5)
	require.Equal(t, 4, fast.Roles[1].Peak.total(), "3000 · 2/3 · 1 ms / 0.6 = 3.3")
	require.Equal(t, 1, fast.Roles[1].Average.total())
	require.Equal(t, 3*4+1, fast.Cores.Whole)
	require.InDelta(t, 11.27, fast.Cores.Fractional, 0.05,
		"3 · 3.33 and 0.5, of which σ takes 3 % for each core more")
	require.True(t, fast.Cores.Interval.Holds(13), "%v", fast.Cores)
	require.Equal(t, rounds, fast.Measured[0].Seconds.Rounds)
	require.NotNil(t, fast.Measured[0].Seconds.Interval)
	require.Greater(t, fast.EndToEnd.P50, 0.0041, "3 ms to make, 0.1 to audit, 1 to validate")
	require.True(t, fast.Roles[1].Wait.Interval.Holds(fast.Roles[1].Wait.Slowest))
	require.Equal(t, []any{"fast instead of slow", p.Choices[1].Cores.Whole, fast.Cores.Whole},
		[]any{p.Sensitivity[0].Change, p.Sensitivity[0].Before.Whole, p.Sensitivity[0].After.Whole})
	require.Less(t, p.Sensitivity[1].After.Whole, p.Sensitivity[1].Before.Whole, "batches of 16 cost half")
	require.Equal(t, []string{"load is 3"}, p.Source.Noise)
	require.Nil(t, p.Finality, "without validators")
	require.Len(t, p.Arrivals, 4)
	require.Greater(t, p.Arrivals[3].P99, p.Arrivals[0].P99, "one endorser down")
	require.Greater(t, p.Arrivals[1].P99, p.Arrivals[0].P99, "bursts")
	require.Greater(t, p.Arrivals[2].P99, p.Arrivals[0].P99, "blocks")

	var b bytes.Buffer
	require.NoError(t, p.Text(&b, 80))
	for _, want := range []string{
		"Plan for 800 requests/s, 3000 at peak: pay=1",
		"measured, from results.txt: Toy, 2 processors", "noise: load is 3",
		"speed-up in processor time: 2 on 2 cores", "* fast", "+ slow", "fast: no outside review yet",
		" of 2", "fast instead of slow", "end to end", "blocks of 64 requests:",
	} {
		require.Contains(t, strings.Join(strings.Fields(b.String()), " "), want)
	}
	for line := range strings.Lines(b.String()) {
		require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), 80, line)
	}
	s := toySettings()
	s.P99 = time.Microsecond
	p = toyPlan(t, s, "-kind=fast")
	require.Equal(t, -1, p.Cheapest)
	b.Reset()
	require.NoError(t, p.Text(&b, 80))
	require.Contains(t, b.String(), "no choice meets the limits")
	require.Contains(t, b.String(), "! more cores do not bring P99 below 1µs")
}

func TestMissingCasesAreNamed(t *testing.T) {
	d := results(t, "BenchmarkToyMake-2 1 5 cpu-ns/op\n")
	_, err := toy().FromResults(d, toyChoices(t, "-kind=fast"))
	require.EqualError(t, err, "6 of 7 needed cases are missing, the first is ToyValidate/")
}

// TestRecord measures the toy. The results that go to a file are those that are returned, and
// the file is whole.
func TestRecord(t *testing.T) {
	name := filepath.Join(t.TempDir(), "costs.txt")
	choices := toyChoices(t)
	d, err := record(t.Context(), "toy", name, func([]string) {}, func() ([]string, error) {
		return toy().measure(t.Context(), choices, time.Millisecond, 10*time.Millisecond, func(int, int) {})
	})
	require.NoError(t, err)
	kept, err := result.ReadFiles(name)
	require.NoError(t, err)
	require.Empty(t, kept.Partial)
	require.Equal(t, d.Cases, kept.Cases)
	require.Equal(t, d.Values, kept.Values)
	require.Equal(t, []string{"toy"}, kept.Config["command"])

	costs, err := toy().FromResults(d, choices)
	require.NoError(t, err)
	require.Len(t, costs, 2)
	for _, c := range costs {
		require.Len(t, c.Measured, 3+len(batchSizes))
		for k, m := range c.Measured {
			require.Equal(t,
				[]string{"wallet", "endorser", "endorser", "endorser", "endorser", "endorser", "auditor"}[k],
				m.Role)
			require.Equal(t, []int{0, 0, 1, 4, 16, 64, 0}[k], m.Batch)
			require.Equal(t, "pay", m.Action)
			require.Equal(t, 1000., m.Figures["request-B"])
			require.Len(t, m.Rounds, rounds)
			for _, round := range m.Rounds {
				require.NotEmpty(t, round)
				require.Greater(t, slices.Min(round), 0.)
				require.Less(t, slices.Max(round), 1.)
			}
		}
	}
	require.NotEmpty(t, SpeedUpOf(d).Gains)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = toy().Record(ended, choices, time.Hour, "toy", "", func([]string) {}, func(int, int) {})
	require.ErrorIs(t, err, context.Canceled)
}

// TestFirstUseOfARoundIsNotCounted: there is one use more than results, and a failure of
// the first use ends the round.
func TestFirstUseOfARoundIsNotCounted(t *testing.T) {
	used := 0
	in := bench.Instance{Work: func() ([]byte, error) {
		used++
		return nil, errors.New("first")
	}}
	_, err := turns(t.Context(), []*job{{every: 1, in: []bench.Instance{in}}}, 0, time.Hour)
	require.ErrorContains(t, err, "first")
	require.Equal(t, 1, used)
	uses := 0
	in.Work = func() ([]byte, error) {
		uses++
		for from := cputime.Process(); cputime.Process() == from; {
		}
		return nil, nil
	}
	lines, err := turns(t.Context(), []*job{{every: 1, in: []bench.Instance{in}}}, 0, 0)
	require.NoError(t, err)
	require.Len(t, lines, minTurns)
	require.Equal(t, minTurns+1, uses)
}

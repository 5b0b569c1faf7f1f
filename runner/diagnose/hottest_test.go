package diagnose // hottest, save, since and snapshots are private: profiles of a run are not known

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
)

// sampled makes a profile of stacks, each the innermost function first.
func sampled(types []string, stacks map[string][]int64) *profile.Profile {
	p := &profile.Profile{PeriodType: &profile.ValueType{Type: "period"}}
	for _, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t, Unit: "unit of " + t})
	}
	functions := map[string]*profile.Location{}
	for stack, values := range stacks {
		s := &profile.Sample{Value: values}
		for _, names := range strings.Split(stack, " < ") {
			if functions[names] == nil {
				l := &profile.Location{ID: uint64(len(functions) + 1)}
				for _, name := range strings.Split(names, "+") { // inlined into the next
					f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
					p.Function = append(p.Function, f)
					l.Line = append(l.Line, profile.Line{Function: f})
				}
				functions[names], p.Location = l, append(p.Location, l)
			}
			s.Location = append(s.Location, functions[names])
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

// TestHottest sums samples by function, with the callers of the most expensive stack.
func TestHottest(t *testing.T) {
	p := sampled([]string{"samples", "cpu"}, map[string][]int64{
		"x/y.leaf < x.Mid[go.shape.int] < main.a < main.b < main.c":    {1, 40},
		"x/y.leaf < x.Mid[go.shape.int] < main.a < main.b < main.d":    {1, 2},
		"x/y.leaf < x.Other < " + ours + ".(*worker).call < main.main": {9, 45},
		"x/y.leaf": {1, 3}, "inner+outer < main.a": {1, 20}, "zero < main.a": {0, 0}, "even2": {1, 7},
		"even1": {1, 7},
		"f1":    {1, 6}, "f2": {1, 5}, "f3": {1, 4}, "f4": {1, 3}, "f5": {1, 2}, "negative": {0, -1},
	})
	h, err := measures[0].hottest(p)
	require.NoError(t, err)
	require.Equal(t,
		Hot{Measure: "cpu", Title: "Processor time", Unit: "unit of cpu", Total: 143, Top: []Function{
			{"x/y.leaf", 90, 90.0 / 143, "x.Other"},
			{"inner", 20, 20.0 / 143, "outer < main.a"},
			{"even1", 7, 7.0 / 143, ""},
			{"even2", 7, 7.0 / 143, ""},
			{"f1", 6, 6.0 / 143, ""},
			{"f2", 5, 5.0 / 143, ""},
			{"f3", 4, 4.0 / 143, ""},
			{"f4", 3, 3.0 / 143, ""},
		}}, h)
	for _, sample := range p.Sample {
		if sample.Value[1] == 40 {
			p.Sample = append(p.Sample, &profile.Sample{Location: sample.Location, Value: []int64{1, 10}})
		}
	}
	more, err := measures[0].hottest(p)
	require.NoError(t, err)
	require.EqualValues(t, 153, more.Total)
	require.Equal(t, Function{"x/y.leaf", 100, 100.0 / 153, "x.Mid < main.a < main.b < main.c"}, more.Top[0])
	_, err = measures[3].hottest(p)
	require.EqualError(t, err, "it has no alloc_space")

	worker := ours + ".(*worker).call"
	h, err = measures[3].hottest(sampled([]string{"alloc_space"}, map[string][]int64{
		"runtime.mallocgc < bytes.Clone < main.op < " + worker: {5},
		"runtime.mallocgc < " + ours + ".newTally":             {6},
		"runtime.mallocgc < " + ours + "/hist.New":             {7},
		"runtime.mallocgc < runtime/pprof.StartCPUProfile":     {8}, "main.zero": {0},
		"main.negative < main.a": {-2}, "main.negative < main.b": {2}, "main.other": {9},
		"main.other < main.a": {9},
	}))
	require.NoError(t, err)
	require.Equal(t, []Function{{"main.other", 18, 18.0 / 23, ""}, {"bytes.Clone", 5, 5.0 / 23, "main.op"}},
		h.Top)
	h, err = measures[0].hottest(sampled([]string{"cpu"}, map[string][]int64{"a+b+c+d+e+f+g+h+i+j+k": {1}}))
	require.NoError(t, err)
	require.Equal(t, []Function{{"a", 1, 1, "b < c < d < e"}}, h.Top)
	require.Equal(t, []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"},
		stack(sampled(nil, map[string][]int64{"a+b+c+d+e+f+g+h+i+j+k": nil}).Sample[0]))
	h, err = measures[1].hottest(sampled([]string{"delay"},
		map[string][]int64{strings.Repeat("runtime.x < ", 9) + "main.a < main.b": {1}}))
	require.NoError(t, err)
	require.Equal(t, []Function{{"main.a", 1, 1, "main.b"}}, h.Top)
	h, err = measures[2].hottest(sampled([]string{"delay"},
		map[string][]int64{"runtime.chanrecv < testing.tRunner": {5}}))
	require.NoError(t, err)
	require.Zero(t, h.Total)
	require.Empty(t, h.Top)
}

// TestTextOfAReport reads a whole report.
func TestTextOfAReport(t *testing.T) {
	r := &Report{Result: &result.Result{Interrupted: true, End: "deadline"},
		Files: []string{"a/cpu.pprof", "a/worst.trace"}}
	r.Hot = []Hot{
		{Title: "Processor time", Unit: "nanoseconds", Total: 1500,
			Top: []Function{{"f", 1000, 0.6667, "a < b"}, {"g", 500, 0.3333, ""}}},
		{Title: "Nothing", Total: 0, Top: []Function{{"f", 1, 1, ""}}},
		{Title: "Bytes", Unit: "bytes", Total: 2048, Top: []Function{{"h", 2048, 1, ""}}},
		{Title: "One", Unit: "nanoseconds", Total: 1},
	}
	r.Slow = result.Slow{Worker: 3, From: 2 * time.Second, Latency: 5 * time.Millisecond}
	const head = "Diagnosis from a separate pass; profiling disturbs its figures\n"
	const middle = "INTERRUPTED (deadline): the report covers the time until then\n"
	const files = `
Files, for go tool pprof and go tool trace:
  a/cpu.pprof
  a/worst.trace
`
	const hot = `
Processor time: 1.50 µs
   66.7 %  f
           < a < b
   33.3 %  g

Bytes: 2 KiB
  100.0 %  h

One: 1 ns
`
	written := func() string {
		var b bytes.Buffer
		require.NoError(t, r.Text(&b))
		return b.String()
	}
	require.Equal(t,
		head+middle+hot+
			"\nSlowest operation: 5 ms, 2 s into the window, worker 3; worst.trace ends with it\n"+files,
		written())
	r.Result.Interrupted, r.Slow.Latency = false, 1
	require.Equal(t,
		head+hot+"\nSlowest operation: 1 ns, 2 s into the window, worker 3; worst.trace ends with it\n"+files,
		written())
	r.Slow.Latency, r.Hot = 0, nil
	require.Equal(t, head+files, written())
	require.ErrorIs(t, r.Text(broken{}), io.ErrClosedPipe)
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestSave writes the profiles and the trace, or tells which is missing.
func TestSave(t *testing.T) {
	profiles := func() map[string]*profile.Profile {
		return map[string]*profile.Profile{
			"cpu":   sampled([]string{"cpu"}, map[string][]int64{"a": {1}}),
			"mutex": sampled([]string{"delay"}, map[string][]int64{"b": {2}}),
			"block": sampled([]string{"delay"}, map[string][]int64{"c": {3}}),
			"heap":  sampled([]string{"alloc_space"}, map[string][]int64{"d": {4}}),
		}
	}
	dir := t.TempDir()
	slow := result.Slow{Worker: 2, Latency: 7}
	r := &Report{}
	require.NoError(t, r.save(dir, profiles(), &snapshots{slow: slow, dump: []byte("trace")}))
	require.Equal(t, slow, r.Slow)
	var names []string
	for _, m := range measures {
		names = append(names, filepath.Join(dir, m.name+".pprof"))
	}
	require.Equal(t, append(names, filepath.Join(dir, "worst.trace")), r.Files)
	content, err := os.ReadFile(r.Files[4])
	require.NoError(t, err)
	require.Equal(t, "trace", string(content))
	for i, name := range []string{"a", "b", "c", "d"} {
		content, err := os.ReadFile(r.Files[i])
		require.NoError(t, err)
		p, err := profile.ParseData(content)
		require.NoError(t, err)
		require.Equal(t, name, p.Function[0].Name)
		require.Equal(t, []Function{{name, int64(i + 1), 1, ""}}, r.Hot[i].Top)
	}
	r = &Report{}
	require.NoError(t, r.save(t.TempDir(), profiles(), &snapshots{slow: slow}))
	require.Len(t, r.Files, 4)
	require.Equal(t, slow, r.Slow)
	without := profiles()
	without["heap"].SampleType[0].Type = "other"
	require.EqualError(t, new(Report).save(t.TempDir(), without, &snapshots{}),
		"heap profile: it has no alloc_space")
	require.Error(t, new(Report).save(filepath.Join(t.TempDir(), "none"), profiles(), &snapshots{}))
}

// TestSince subtracts the counts before a pass.
func TestSince(t *testing.T) {
	before := sampled([]string{"delay"}, map[string][]int64{"a": {10}})
	after := sampled([]string{"delay"}, map[string][]int64{"a": {15}, "b": {2}})
	p, err := since(before, after)
	require.NoError(t, err)
	total := map[string]int64{}
	for _, s := range p.Sample {
		total[s.Location[0].Line[0].Function.Name] += s.Value[0]
	}
	require.Equal(t, map[string]int64{"a": 5, "b": 2}, total)
	_, err = since(sampled([]string{"other"}, nil), after)
	require.Error(t, err)
	all, err := counts()
	require.NoError(t, err)
	require.Len(t, all, 3)
	for _, name := range []string{"mutex", "block", "heap"} {
		require.NotNil(t, all[name], name)
	}
}

// TestSnapshotsAreOfTheSlowest keeps the recording of the slowest operation.
func TestSnapshotsAreOfTheSlowest(t *testing.T) {
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Second, MaxBytes: 1 << 20})
	require.NoError(t, recorder.Start())
	defer recorder.Stop()
	s := &snapshots{recorder: recorder}
	first := result.Slow{Worker: 1, Latency: 123456789}
	s.slower(first)
	require.Equal(t, first, s.slow)
	require.Contains(t, string(s.dump), "123.456789ms")
	s.slower(result.Slow{Worker: 2, Latency: 123456789})
	require.Equal(t, first, s.slow, "as slow is not slower")
	s.slower(result.Slow{Worker: 2, Latency: 1})
	require.Equal(t, first, s.slow)
	next := result.Slow{Worker: 3, Latency: 987654321}
	s.slower(next)
	require.Equal(t, next, s.slow)
	require.Contains(t, string(s.dump), "987.654321ms")
	recorder.Stop()
	s.slower(result.Slow{Latency: 1e15})
	require.Equal(t, next, s.slow, "without a recording the last one stays")
}

// TestPassesAreSetUp: the profiles record while operations run, and no other one does.
func TestPassesAreSetUp(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(77))
	wait := make(chan struct{})
	op := runner.Func(func(context.Context) error {
		if got := runtime.SetMutexProfileFraction(-1); got != mutexEvery {
			return fmt.Errorf("one of %d locks", got)
		}
		time.AfterFunc(5*time.Millisecond, func() { wait <- struct{}{} })
		<-wait
		return nil
	})
	r, err := Run(t.Context(), runner.Config{Workers: 1, Ops: 3, Batch: 3, WarmUp: -1}, op, dir)
	require.NoError(t, err)
	require.Empty(t, r.Result.Errors)
	require.Equal(t, 1, r.Result.Config.Batch)
	require.Equal(t, 77, runtime.SetMutexProfileFraction(-1))
	content, err := os.ReadFile(r.Files[2])
	require.NoError(t, err)
	p, err := profile.ParseData(content)
	require.NoError(t, err)
	blocked := int64(0)
	for _, s := range p.Sample {
		blocked += s.Value[1]
	}
	require.Positive(t, blocked, "of the receiver or of the sender")
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm()&0o700)
	require.Equal(t, filepath.Join(dir, "worst.trace"), r.Files[4])

	require.NoError(t, pprof.StartCPUProfile(io.Discard))
	_, err = Run(t.Context(), runner.Config{Workers: 1, Ops: 1}, op, dir)
	pprof.StopCPUProfile()
	require.ErrorContains(t, err, "processor profile: ")
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{})
	require.NoError(t, recorder.Start())
	_, err = Run(t.Context(), runner.Config{Workers: 1, Ops: 1}, op, dir)
	recorder.Stop()
	require.ErrorContains(t, err, "flight recorder: ")
	_, err = Run(t.Context(), runner.Config{}, op, dir)
	require.ErrorIs(t, err, runner.ErrConfig)
	require.NoError(t, pprof.StartCPUProfile(io.Discard), "no profile is left")
	pprof.StopCPUProfile()
}

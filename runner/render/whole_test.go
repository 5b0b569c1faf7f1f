package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/scale"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// whole compares text with a golden file, which RUNNER_UPDATE_GOLDEN=1 rewrites.
func whole(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "whole", name)
	if os.Getenv("RUNNER_UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "RUNNER_UPDATE_GOLDEN=1 rewrites it")
}

func seconds(v float64) *float64 { return &v }

// simulated replays operations of the given latencies, one after another.
func simulated(t *testing.T, c runner.Config, latency func(i int) time.Duration) *runner.Result {
	t.Helper()
	r, err := runner.Replay(c, func(i int, _ time.Duration) time.Duration { return latency(i) })
	require.NoError(t, err)
	r.Started = time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))
	r.Begun = r.Started
	r.Clock = runner.Clock{Step: 21 * time.Nanosecond, Record: 640 * time.Nanosecond}
	return r
}

// described has another value in each field that a report shows.
func described(r *runner.Result) *runner.Result {
	r.SetUp, r.Inputs = "pool", 12345
	r.WarmUp = runner.WarmUp{Took: 1700 * time.Millisecond, Operations: 1801, Wanted: true}
	r.Before = host.State{
		Go: "go1.99", OS: "plan9", Arch: "mips", GOMAXPROCS: 3, GOGC: "123", GOMEMLIMIT: "4 GiB", CPUs: 1,
		CPU: "Some  CPU\t@ 1 GHz", Governor: "powersave", Turbo: "off", SMT: "", Quota: "1.5", ClockSource: "hpet", Revision: "abcdef",
		Load: seconds(1.25), Steal: seconds(1), Pressure: seconds(2), Throttled: seconds(3),
	}
	r.After, r.Apart = r.Before, 20*time.Second
	r.After.Load, r.After.Steal, r.After.Pressure, r.After.Throttled = seconds(2.5), seconds(1.5), seconds(5), seconds(3.25)
	r.Usage = runner.Usage{
		BytesPerOp: 1023.5, AllocsPerOp: 1001.5, CPUPerOp: 123456, GCCycles: 1017, GCShare: 0.071, AssistShare: 0.0123,
		GCPauses: 17 * time.Millisecond, GCPauseMax: 1900 * time.Microsecond, HeapBytes: 3<<20 + 1<<19, MutexWait: 18 * time.Second,
		SchedP50: 21 * time.Microsecond, SchedP99: 22 * time.Millisecond, Scheduled: 1 << 20, Goroutines: 1 << 20, ProcessorUse: 0.9,
	}
	r.Control = runner.Control{N: 23, Median: 45000, Spread: 0.02, Disturbed: 0.13}
	return r
}

// failing adds failures, panics and what was left in progress.
func failing(r *runner.Result) *runner.Result {
	r.Errors = map[string]uint64{"once\nin two lines": 1, "often \x1b[1mred": 1300, "seldom": 2, "rare": 2}
	for i := range 7 {
		r.Errors[fmt.Sprint("one of ", i)] = 1
	}
	r.Failed, r.Abandoned = 1312, 3
	r.Stack = "\ngoroutine\x1b 1:\n" + strings.Repeat("\tmain.f()\n", 29) + "\n"
	r.Dump = "goroutine 2:\n" + strings.Repeat("\tmain.g()\n", 32)
	r.Interrupted, r.End = true, "failing"
	return r
}

// mixed has latencies of a fast and a slow kind, a few stalls and a drift.
func mixed(i int) time.Duration {
	switch {
	case i%1000 == 999:
		return 700 * time.Millisecond
	case i%10 == 3:
		return 40*time.Millisecond + time.Duration(i%977)*7*time.Microsecond
	}
	return 1500*time.Microsecond + time.Duration(i%89)*11*time.Microsecond + time.Duration(i)*100*time.Nanosecond
}

func parsed(t *testing.T, rate float64, text string) *schedule.Plan {
	t.Helper()
	p, err := schedule.Parse(rate, text)
	require.NoError(t, err)
	return &p
}

// samples are results that together reach every line of the reports.
func samples(t *testing.T) map[string]*runner.Result {
	t.Helper()
	all := map[string]*runner.Result{}

	r := failing(described(simulated(t, runner.Config{Workers: 7, Ops: 12000}, mixed)))
	r.Config.Requirements = "p50<1s, p99<1us, errors<1%, throughput>1, p99.9<200ms"
	r.Slowest = nil
	for i := range 5 {
		r.Slowest = append(r.Slowest, runner.Slow{Worker: i + 1, From: time.Duration(i) * time.Second, Latency: time.Duration(700-i) * time.Millisecond, GCPause: time.Duration(i * i * i)})
	}
	all["rich"] = r

	r = described(simulated(t, runner.Config{Workers: 2, Duration: 40 * time.Second, Plan: parsed(t, 40, "poisson,constant:9s,ramp:100/8s,rate:60,constant:3s")}, func(i int) time.Duration {
		return 20*time.Millisecond + time.Duration(i%13)*3*time.Millisecond
	}))
	r.SetUp, r.WarmUp.Steady, r.Before.Go = "per worker", true, ""
	r.Open.LagMean, r.Open.LagMax, r.Open.Late = 1234*time.Microsecond, 5678*time.Microsecond, 4321
	r.Config.Requirements = "p50<1s, p99>1us, mean<30ms"
	r.Config.Plan.Seed = 7
	all["overloaded"] = r

	r = simulated(t, runner.Config{Workers: 1, Duration: 31 * time.Second, Plan: &schedule.Plan{Rate: 100}}, func(i int) time.Duration {
		return 3*time.Millisecond + time.Duration(i%17)*10*time.Microsecond
	})
	r.SetUp, r.Config.Requirements = "once", "p50<1s, nonsense"
	r.Control = runner.Control{N: 9, Median: 45000, Spread: 0.001}
	all["quiet"] = r

	r = described(simulated(t, runner.Config{Workers: 1, Ops: 40}, func(i int) time.Duration { return time.Duration(400+i*i) * time.Microsecond }))
	for i, n := range []int64{16, 9, 5, 3, 2, 2, 2, 1, 0} {
		part := &runner.Result{Version: runner.Version, Config: runner.Config{Workers: 1, Batch: 1}, Latency: hist.New(), Timeline: runner.Timeline{Tick: 1}}
		if n > 0 {
			part = simulated(t, runner.Config{Workers: 1, Ops: n}, func(k int) time.Duration { return time.Duration(1+i+k) * time.Millisecond })
		}
		part.Usage.CPUPerOp = float64(1000 * (i + 1))
		r.Parts = append(r.Parts, runner.Part{Name: fmt.Sprintf("read/%d\nitem", i), Weight: float64(i*i + 1), Result: part})
	}
	r.Parts[1].Result.Failed, r.Parts[1].Result.Errors = 2, map[string]uint64{"no": 2}
	r.Failed, r.Errors, r.SetUp, r.Control.N = 2, map[string]uint64{"no": 2}, "mix", 10
	r.Control.Spread, r.Control.Disturbed = 0.005, 0.02
	r.Before.GOMAXPROCS, r.Before.CPUs = 8, 16
	r.Before.Load, r.After.Steal, r.Before.Pressure = nil, nil, nil
	r.Usage.CPUPerOp, r.Usage.HeapBytes = 0, 0
	r.Before.Governor, r.Before.Turbo, r.Before.Quota, r.Before.ClockSource, r.Before.CPU, r.Before.Revision = "", "", "", "", "", ""
	r.Config.Requirements = "p50<1s, p99>1us, mean<30ms, max<1h"
	all["few"] = r

	r = simulated(t, runner.Config{Workers: 3, Ops: 3000}, func(i int) time.Duration { return time.Duration(2000+i%7) * time.Nanosecond })
	r.Config.Batch, r.Done, r.Weighted = 64, 64*r.Records, 64*r.Weighted
	for i := range r.Timeline.Cells {
		r.Timeline.Cells[i].Ops *= 64
	}
	r.SetUp, r.WarmUp = "per operation", runner.WarmUp{Took: time.Second, Operations: 5}
	r.Control = runner.Control{N: 12, Median: 45000, Spread: 0.012}
	r.Usage.CPUPerOp, r.Usage.HeapBytes = 1, 1
	all["batches"] = r

	none := &runner.Result{Version: runner.Version, Config: runner.Config{Workers: 3, Batch: 1}, Latency: hist.New(), End: "interrupted", Interrupted: true, SetUp: "none"}
	none.Timeline.Tick, none.Elapsed = time.Second, 2*time.Second
	none.Failed, none.Errors = 2, map[string]uint64{"refused": 2}
	all["nothing"] = none

	r = simulated(t, runner.Config{Workers: 1, Duration: time.Second, Plan: &schedule.Plan{Rate: 2}}, func(i int) time.Duration { return 100 * time.Millisecond })
	part := *r
	all["planned"] = r
	r.Parts = []runner.Part{{Name: "only", Weight: 5, Result: &part}}
	return all
}

// TestWholeOutputs writes every report of every sample.
func TestWholeOutputs(t *testing.T) {
	for name, r := range samples(t) {
		require.NoError(t, r.Check(), name)
		var b bytes.Buffer
		write := func(how string, f func(io.Writer, *runner.Result, Options) error, o Options) {
			fmt.Fprintf(&b, "\n----- %s\n", how)
			require.NoError(t, f(&b, r, o), "%s %s", name, how)
		}
		o := Options{Name: name + "\nof two lines"}
		for _, format := range []string{"txt", "bench", "csv", "md", "prom"} {
			if format == "csv" && r.Records > 100 {
				continue // a long list of buckets
			}
			write(format, func(w io.Writer, r *runner.Result, o Options) error { return Write(w, format, r, o) }, o)
		}
		write("text of 30 columns", Text, Options{Width: 29})
		write("text of a file", Text, Options{Name: "x", Width: 300, Colour: true})
		write("text in ASCII", Text, Options{Width: 100, ASCII: true})
		write("summary", Summary, Options{Name: " of\nlines\x1b ", Colour: true})
		write("summary without a name", Summary, Options{Width: 200})
		write("markdown without a name", writeMarkdown, Options{ASCII: true})
		fmt.Fprintln(&b, "\n----- parts")
		parts, err := Parts(r, o)
		require.NoError(t, err)
		lines := json.NewEncoder(&b)
		lines.SetEscapeHTML(false)
		for _, part := range parts {
			require.NoError(t, lines.Encode(part))
		}
		whole(t, name+".txt", b.Bytes())

		var first, again bytes.Buffer
		require.NoError(t, writeJSON(&first, r, o))
		got, back, err := ReadJSON(bytes.NewReader(first.Bytes()))
		require.NoError(t, err)
		require.Equal(t, o.Name, got)
		require.NoError(t, writeJSON(&again, back, o))
		require.Equal(t, first.String(), again.String())
		require.Contains(t, first.String(), `"Findings":`)
		for _, more := range []string{"{}", "x", "]"} {
			_, _, err = ReadJSON(strings.NewReader(first.String() + more))
			require.ErrorIs(t, err, ErrFormat)
		}
		_, back, err = ReadJSON(strings.NewReader(strings.Replace(first.String(), `"Elapsed":`, `"Elapsed":-`, 1)))
		require.ErrorIs(t, err, runner.ErrLaw)
		require.Nil(t, back)
	}
	for _, text := range []string{"", "{}", "x", `{"Result":null}`} {
		_, _, err := ReadJSON(strings.NewReader(text))
		require.ErrorIs(t, err, ErrFormat)
	}
	wrong := &runner.Result{Version: runner.Version}
	for _, f := range []func(io.Writer, *runner.Result, Options) error{Text, Summary} {
		require.ErrorIs(t, f(io.Discard, wrong, Options{}), runner.ErrLaw)
	}
	require.Equal(t, []string{"txt", "json", "bench", "csv", "md", "prom"}, Formats())
	require.Len(t, formats, len(Formats()))
	require.EqualError(t, Write(nil, "xml", wrong, Options{}), `format: "xml" is not one of txt, json, bench, csv, md, prom`)
}

// drawn returns what f prints on a page.
func drawn(o Options, f func(p *page)) string {
	var b bytes.Buffer
	f(newPage(&b, o))
	return b.String()
}

// TestWholePictures draws pictures at the borders of their columns and rows.
func TestWholePictures(t *testing.T) {
	var b bytes.Buffer
	draw := func(how string, o Options, f func(p *page)) { fmt.Fprintf(&b, "----- %s\n%s", how, drawn(o, f)) }
	counted := func(values ...uint64) *runner.Result {
		r := &runner.Result{Latency: hist.New()}
		for i := 0; i < len(values); i += 2 {
			r.Latency.AddN(values[i], values[i+1])
			r.Records += values[i+1]
		}
		return r
	}
	for how, r := range map[string]*runner.Result{
		"from 1": counted(1000, 5, 1099, 1, 1100, 2, 1999, 3, 2000, 1, 90000, 1),
		"from 2": counted(2000, 4, 2249, 1, 2250, 3, 4999, 9, 5000, 1), "from 5": counted(5000, 4, 5499, 1, 5500, 3, 9999, 9),
		"half": counted(5000, 4, 100, 4), "over half": counted(5000, 5, 100, 4), "ten wide": counted(10, 3, 19, 1), "five wide": counted(5, 3, 9, 1), "one": counted(1, 1),
		"none": counted(), "far apart": counted(0, 100, 40000, 1, 1<<40, 1),
	} {
		rows := rows(r)
		fmt.Fprintf(&b, "----- rows %s: %v\n", how, len(rows))
		if how == "far apart" || how == "from 1" || how == "half" {
			for _, width := range []int{34, 35, 36, 80} {
				draw(how, Options{Width: width, Colour: width == 80}, func(p *page) { p.heatmap(r) })
			}
			draw(how, Options{ASCII: true}, func(p *page) { p.heatmap(r) })
		}
		for _, row := range rows {
			fmt.Fprintln(&b, row)
		}
	}
	for _, n := range []int{0, 1, 2, 68, 69, 70, 78, 79, 128} {
		r := &runner.Result{Elapsed: time.Duration(n)*time.Second - 899*time.Millisecond}
		r.Timeline.Tick = time.Second
		for i := range n {
			c := runner.Cell{Ops: float64(1 + i%9), N: uint64(i % 3), Rows: make([]uint64, 12)}
			c.Rows[3+i%5] = uint64(i) * uint64(i%3)
			r.Timeline.Cells = append(r.Timeline.Cells, c)
		}
		for _, ascii := range []bool{true, false} {
			how := fmt.Sprintf("%d ticks", n)
			draw(how, Options{ASCII: ascii}, func(p *page) { p.timemap(r); p.sparkline(r) })
		}
		r.Elapsed -= time.Millisecond
		draw("a tenth of a tick", Options{}, func(p *page) { p.sparkline(r) })
		r.Elapsed -= time.Millisecond
		draw("shorter", Options{}, func(p *page) { p.sparkline(r) })
	}
	for _, cell := range []runner.Cell{{Rows: make([]uint64, hist.Rows)}, {Rows: []uint64{0, 7, 0, 9, 0}}, {Rows: append(make([]uint64, hist.Rows-1), 3)}, {Rows: []uint64{5}}} {
		r := &runner.Result{Elapsed: time.Second, Timeline: runner.Timeline{Tick: time.Second, Cells: []runner.Cell{cell, {}}}}
		draw("without operations", Options{}, func(p *page) { p.timemap(r); p.sparkline(r) })
	}
	// The last stage begins in the middle of a tick, and nothing ends in the second.
	r := &runner.Result{Elapsed: 5600 * time.Millisecond, Config: runner.Config{Plan: parsed(t, 100, "constant,constant:1s,ramp:300/500ms,constant:500ms,rate:50")}}
	r.Timeline.Tick = time.Second
	for i, n := range []uint64{200, 0, 99, 1, 100, 50} {
		r.Timeline.Cells = append(r.Timeline.Cells, runner.Cell{N: n, Sum: float64(i) * 1e8, Ops: float64(2 * n), Rows: []uint64{0, n - n/100, 0, n / 100}})
	}
	draw("stages", Options{Width: 200}, func(p *page) { p.stages(r) })
	r.Elapsed = 1900 * time.Millisecond
	draw("two stages", Options{Width: 200}, func(p *page) { p.stages(r) })
	r.Config.Plan = parsed(t, 100, "constant,constant:400ms,rate:50")
	r.Timeline.Cells[1] = runner.Cell{N: 2, Sum: 3e13, Ops: 2, Rows: append(make([]uint64, hist.Rows-1), 2)}
	draw("more ticks than time", Options{Width: 200}, func(p *page) { p.stages(r) })
	r.Config.Plan = parsed(t, 100, "constant,constant:100ms,rate:50,constant:100ms,rate:60,constant:200ms,rate:70,constant:200ms,rate:80,constant:200ms,rate:90,constant:200ms,rate:91,constant:200ms,rate:92,constant:200ms,rate:93")
	draw("nine stages", Options{Width: 200}, func(p *page) { p.stages(r) })
	r.Config.Plan = parsed(t, 100, "constant")
	draw("one stage", Options{}, func(p *page) { p.stages(r) })
	whole(t, "pictures.txt", sorted(b.String()))
}

// sorted brings the blocks of a text in order, since maps have none.
func sorted(text string) []byte {
	blocks := strings.Split(text, "----- ")
	for i := range blocks {
		for k := i; k > 0 && blocks[k] < blocks[k-1]; k-- {
			blocks[k], blocks[k-1] = blocks[k-1], blocks[k]
		}
	}
	return []byte(strings.Join(blocks, "----- "))
}

// TestWholeScaling writes tables of laws and repeated runs at the borders of the width.
func TestWholeScaling(t *testing.T) {
	var b bytes.Buffer
	var runs []*runner.Result
	for i, n := range []int{1, 2, 5, 12} {
		r := simulated(t, runner.Config{Workers: n, Ops: int64(800 * n)}, func(k int) time.Duration {
			return time.Duration(1000+40*i*i)*time.Microsecond + time.Duration(k%31)*time.Microsecond
		})
		r.Before.GOMAXPROCS = 16
		runs = append(runs, r)
	}
	var nine []*runner.Result
	for i := range 8 {
		r := simulated(t, runner.Config{Workers: i + 1, Ops: 4000}, func(k int) time.Duration { return time.Duration(1000+i) * time.Microsecond })
		nine = append(nine, r)
	}
	runs[3].Usage.MutexWait = 3 * time.Second
	runs[2].Interrupted = true
	s := &scale.Result{Runs: runs}
	for i, law := range []*stats.Scalability{
		nil, {Misfit: true, Residual: 0.3, Sigma: 1},
		{Sigma: 0.05, Kappa: 0.002, Residual: 0.0001, Bounds: &stats.ScalabilityBounds{}},
		{Sigma: 0.05, Kappa: 0.002, Peak: 21.5, Residual: 0.00009, Bounds: &stats.ScalabilityBounds{
			Sigma: stats.Interval{Low: 0.04, High: 0.06}, Kappa: stats.Interval{Low: 0.001, High: 0.003}, Peak: stats.Interval{Low: 20}}},
		{Kappa: 0.002, Peak: 2, Residual: 0.01, Bounds: &stats.ScalabilityBounds{
			Sigma: stats.Interval{Low: 0.04, High: 0.03}, Kappa: stats.Interval{Low: 0.001, High: 0.001}, Peak: stats.Interval{Low: 19, High: 23}}},
	} {
		s.Amdahl, s.Universal = law, law
		fmt.Fprintf(&b, "----- law %d\n", i)
		require.NoError(t, Scaling(&b, s, Options{Name: "two\nlines", Width: 120, Colour: true}))
		for _, f := range s.Findings() {
			fmt.Fprintf(&b, "%+v\n", f)
		}
	}
	s.Amdahl, s.Universal = nil, nil
	for _, width := range []int{32, 44, 45, 46, 54, 55, 56} {
		fmt.Fprintf(&b, "----- %d columns\n", width)
		require.NoError(t, Scaling(&b, s, Options{Width: width, ASCII: width == 56}))
	}
	fmt.Fprintln(&b, "----- nine")
	require.NoError(t, Scaling(&b, &scale.Result{Runs: append(nine, runs[3])}, Options{}))
	short := simulated(t, runner.Config{Workers: 1, Ops: 30}, func(int) time.Duration { return time.Second })
	zero := simulated(t, runner.Config{Workers: 1, Ops: 400}, func(int) time.Duration { return 0 })
	for how, rs := range map[string][]*runner.Result{"one": runs[:1], "four": runs, "nine": append(nine, runs[3]), "a short one last": {runs[0], short}, "a short one first": {short, runs[0]}, "of no time": {zero, zero}} {
		fmt.Fprintf(&b, "----- %s\n", how)
		require.NoError(t, Repeats(&b, rs, Options{Width: 100}))
	}
	whole(t, "scaling.txt", sorted(b.String()))
	require.ErrorIs(t, Scaling(io.Discard, &scale.Result{Runs: []*runner.Result{runs[0], {}}}, Options{}), runner.ErrLaw)
	require.NoError(t, Scaling(io.Discard, &scale.Result{}, Options{}))
}

// TestBordersOfWords has values on both sides of every border.
func TestBordersOfWords(t *testing.T) {
	var b bytes.Buffer
	for _, v := range []float64{0, 9.5, 9999, 1e4 - 1e-9, 1e4, 999999, 1e6 - 1e-6, 1e6, 2.5e6} {
		fmt.Fprintln(&b, "rate", v, perSecond(v))
	}
	for _, v := range []float64{0, 0.0499, 0.05, 0.0999, 0.1, 0.1999, 0.2, 3} {
		fmt.Fprintln(&b, "rating", v, rating(v))
	}
	for _, v := range []time.Duration{0, time.Second - 1, time.Second, 5*time.Second - 1, 5 * time.Second, 30*time.Second - 1, 30 * time.Second, time.Hour} {
		fmt.Fprintln(&b, "duration", int64(v), durationRemark(v))
	}
	for _, n := range []uint64{0, 99, 100, 999, 1000, 9999, 10000} {
		for _, batch := range []int{0, 1, 2, 3} {
			fmt.Fprintln(&b, "records", n, batch, sampleRemark(&runner.Result{Records: n, Config: runner.Config{Batch: batch}}))
		}
	}
	for _, v := range []float64{0, 0.33, 0.3301, 0.66, 0.6601, 1} {
		fmt.Fprintf(&b, "heat %v %q\n", v, heat(v))
		for _, ascii := range []bool{false, true} {
			p := &page{o: Options{ASCII: ascii}}
			fmt.Fprintf(&b, "bar %v %q %q\n", v, p.bar(v, 7), p.bar(v/60, 7))
		}
	}
	for eighths := range 18 {
		fmt.Fprintf(&b, "bar of %d eighths %q\n", eighths, (&page{}).bar(float64(eighths)/16, 2))
	}
	for _, n := range []float64{0, 1, 2, 5, 10, 30, 99, 100} {
		fmt.Fprintf(&b, "shade %v %c %c\n", n, shade([]rune(" .:*#"), n, 100), shade([]rune(" .:"), n, 100))
	}
	for _, q := range percentiles {
		fmt.Fprintln(&b, "least sample", q, minSample(q.q), minSample(1-q.q))
	}
	for _, v := range []float64{0, 1, 1.5, 12345678.4, 123456784, 123456785, 1e-9, 1.23456789e20} {
		fmt.Fprintln(&b, "plain", plain(v))
	}
	for _, name := range []string{"", "x", "X/y=1", "9a", "ünder a\tb\x00c", "\u00a0x", "/workers=3", "a/workers=3", "a/workers=33"} {
		fmt.Fprintf(&b, "name %q %q %q %q\n", name, benchmarkName(name), key(name), withWorkers(name, 3))
	}
	for _, c := range []runner.Control{{N: 9}, {N: 10}, {N: 10, Spread: 0.01}, {N: 10, Spread: 0.0101}, {N: 11, Disturbed: 0.0202}} {
		fmt.Fprintln(&b, "noise", c, (&page{}).noise(c), "|", (&page{found: []runner.Finding{{Kind: "x"}, {Kind: "noisy machine"}}}).noise(c))
	}
	for _, w := range []runner.WarmUp{{}, {Took: 1}, {Took: 1, Wanted: true}, {Took: 1, Steady: true}, {Took: 1, Wanted: true, Steady: true, Operations: 1234}, {Wanted: true}} {
		fmt.Fprintln(&b, "warm-up", w, warmUpRemark(w))
	}
	for _, set := range []string{"none", "mix", "pool", "once", "per worker", "per operation"} {
		fmt.Fprintln(&b, "set-up", set, setUpRemark(&runner.Result{SetUp: set, Inputs: 1234, Parts: make([]runner.Part, 3)}))
	}
	for _, e := range []runner.Estimate{{}, {Interval: &stats.Interval{Low: 1, High: 2000}, Reason: "heavy tail", Needs: 1}, {Reason: "few latencies"}, {Reason: "short window", Needs: 5000}, {Reason: "growing queue"}, {Reason: "heavy tail"}} {
		fmt.Fprintln(&b, "remark", remark(e))
	}
	for _, started := range []int64{0, 1, 3} {
		for _, found := range []string{"overloaded", "drift"} {
			fmt.Fprintln(&b, "achieved", (&page{found: []runner.Finding{{Kind: found}}}).achieved(&runner.Open{Started: started, Offered: started + started/2}))
		}
		fmt.Fprintln(&b, "offered", offered(&runner.Result{Open: &runner.Open{Started: started, Offered: started * 2}}), offered(&runner.Result{}))
	}
	for _, v := range []*float64{nil, seconds(1), seconds(2.5)} {
		fmt.Fprintln(&b, "number", number(v), increase(v, seconds(3)), increase(seconds(0.5), v))
	}
	for i := range 9 {
		r := &runner.Result{Latency: hist.New(), Records: 100}
		r.Timeline.Tick = time.Second
		for k := range 100 {
			ns := uint64(1000 + 3*(k*k*37%101) + 100*(k/(i+2)%2))
			r.Latency.AddN(ns, 1)
			r.Timeline.Cells = append(r.Timeline.Cells, runner.Cell{N: 1, Ops: 1, Sum: float64(ns), Index: uint64(hist.Index(ns))})
		}
		fmt.Fprintln(&b, "memory", i, fmt.Sprintf("%.6g", r.Inflation()), strings.Contains(drawn(Options{}, func(p *page) { p.spread(r) }), "Effective samples"))
	}
	for _, max := range []float64{0, 1499, 1500, 4999, 5000, 1e6} {
		r := &runner.Result{Latency: hist.New(), Records: 1000, Moments: runner.Moments{Max: max}}
		r.Latency.AddN(1000, 1000)
		r.Timeline.Tick = 1
		fmt.Fprintln(&b, "tail", max, tailRemark(r))
	}
	empty := &runner.Result{Latency: hist.New(), Records: 1000}
	empty.Timeline.Tick = 1
	empty.Latency.AddN(0, 1000)
	fmt.Fprintf(&b, "tail of zeros %q, of none %q\n", tailRemark(empty), tailRemark(&runner.Result{}))
	for _, n := range []int{1, 29, 30, 31, 32} {
		fmt.Fprint(&b, drawn(Options{}, func(p *page) { p.stack("name", strings.Repeat("\tline\n", n)) }))
	}
	for _, width := range []int{0, 29, 30, 31, 43, 44, 45} {
		fmt.Fprint(&b, drawn(Options{Width: width, ASCII: width == 44}, func(p *page) {
			p.line("name", "1 µs – 2", "three words – here")
			p.line("name", "value", "")
			p.title(bold, "a long title of many words that needs two lines or more")
			p.title("", "a title … of wide characters…")
			p.line("name", "…………………", "remark to it")
			p.section("section")
			p.wrapped("    – ", "text\nof several lines and many words that fill them – or not")
		}))
	}
	for _, width := range []int{42, 43, 44} {
		fmt.Fprint(&b, drawn(Options{Width: width, ASCII: true}, func(p *page) { p.line("name", "v", "– remark") }))
	}
	p := &page{o: Options{Colour: true}}
	fmt.Fprintf(&b, "%q %q %q\n", p.paint(red, "x"), p.paint("", "x"), (&page{}).paint(red, "x"))
	for _, q := range []float64{0.1, 0.5, 0.51, 0.99, 1} {
		fmt.Fprintln(&b, "row of", q, rowOf(runner.Cell{N: 100, Rows: []uint64{0, 10, 40, 0, 49, 1}}, q))
	}
	cells := make([]runner.Cell, 10)
	for i := range cells {
		cells[i] = runner.Cell{N: uint64(i), Rows: []uint64{0, uint64(i)}}
	}
	for _, most := range []int{1, 2, 3, 4, 5, 9, 10, 11} {
		merged, per := columns(&runner.Result{Timeline: runner.Timeline{Cells: cells}}, most)
		first, last, fullest := span(merged)
		fmt.Fprintln(&b, "columns", most, len(merged), per, merged[0].N, merged[len(merged)-1].N, first, last, fullest)
	}
	fmt.Fprintln(&b, labelValue.Replace("a\\b\"c\nd"))
	for _, i := range []stats.Interval{{}, {Low: 1}, {Low: 1, High: 2}, {Low: 3, High: 2}, {Low: -1}} {
		fmt.Fprintln(&b, "bounds", bounds(i, 1), bounds(i, 100))
	}
	for _, v := range []float64{0, 0.99e-4, 1e-4, 0.02} {
		fmt.Fprintln(&b, "error", fitError(v))
	}
	whole(t, "words.txt", b.Bytes())
}

// full fails from the n-th call on, and counts calls.
type full struct{ n, calls int }

func (f *full) Write(b []byte) (int, error) {
	if f.calls++; f.calls > f.n {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

// TestNothingIsWrittenAfterAnError also tells that the error is returned, at each place.
func TestNothingIsWrittenAfterAnError(t *testing.T) {
	all := samples(t)
	s := &scale.Result{Runs: []*runner.Result{all["quiet"]}}
	for name, write := range map[string]func(io.Writer) error{
		"text":    func(w io.Writer) error { return Text(w, all["rich"], Options{}) },
		"prom":    func(w io.Writer) error { return writeOpenMetrics(w, all["rich"], Options{}) },
		"scaling": func(w io.Writer) error { return Scaling(w, s, Options{}) },
		"repeats": func(w io.Writer) error { return Repeats(w, s.Runs, Options{}) },
		"summary": func(w io.Writer) error { return Summary(w, all["rich"], Options{}) },
		"md":      func(w io.Writer) error { return writeMarkdown(w, all["rich"], Options{}) },
		"bench":   func(w io.Writer) error { return Bench(w, all["rich"], Options{}) },
	} {
		for n := range 5 {
			f := &full{n: n}
			require.ErrorIs(t, write(f), io.ErrShortWrite, name)
			require.Equal(t, n+1, f.calls, name)
		}
	}
	require.ErrorIs(t, writeCSV(&full{}, all["rich"], Options{}), io.ErrShortWrite)
	require.ErrorIs(t, writeJSON(&full{}, all["rich"], Options{}), io.ErrShortWrite)
}

package render_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/scale"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// update rewrites the golden files.
var update = os.Getenv("RUNNER_UPDATE_GOLDEN") != ""

var regenerated = map[string]bool{} // results that this process has regenerated

func known(v float64) *float64 { return &v }

// fixed replaces the values that differ from machine to machine and run to run.
func fixed(r *runner.Result) {
	r.Started = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r.Before = host.State{
		Go: "go1.26.0", OS: "linux", Arch: "amd64", GOMAXPROCS: 8, GOGC: "100", GOMEMLIMIT: "none", CPUs: 8,
		CPU: "Example CPU @ 3.00GHz", Governor: "powersave", Turbo: "on", SMT: "on", Quota: "none", ClockSource: "tsc",
		Revision: "0123456789ab", Command: []string{"example"}, Load: known(0.5), Steal: known(1), Pressure: known(2), Throttled: nil,
	}
	r.After, r.Apart = r.Before, r.WarmUp.Took+r.Elapsed
	r.After.Steal, r.After.Load = known(1.25), known(2.5)
	r.Clock = runner.Clock{Step: 20 * time.Nanosecond, Record: 60 * time.Nanosecond}
	r.Usage = runner.Usage{
		BytesPerOp: 1234.4, AllocsPerOp: 7.01, GCCycles: 12, GCShare: 0.061, AssistShare: 0.002, GCPauses: 1500 * time.Microsecond,
		GCPauseMax: 230 * time.Microsecond, HeapBytes: 5 << 20, MutexWait: 3 * time.Millisecond, SchedP50: 900, SchedP99: 31 * time.Microsecond, Goroutines: 40,
	}
	r.Control = runner.Control{N: 50, Median: 44100, Spread: 0.012, Disturbed: 0.02}
}

// load has two kinds of operations, a stall once a second, and a few failures.
func load(c runner.Config) (*runner.Result, error) {
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	return runner.Run(context.Background(), c, runner.Func(func(context.Context) error {
		d := 2e6 * (1 + 0.1*random.NormFloat64())
		if random.IntN(10) == 0 {
			d = 9e6 * (1 + 0.02*random.NormFloat64())
		}
		if since := time.Since(start) % time.Second; since < 4*time.Millisecond {
			d += 3e8
		}
		time.Sleep(time.Duration(max(1, d)))
		if random.IntN(300) == 0 {
			return errors.New("connection \x1b[31mreset\x1b[0m by a peer with a long name that needs more than one line")
		}
		return nil
	}))
}

// result returns a saved Result; it regenerates the file on request.
func result(t *testing.T, name string) *runner.Result {
	t.Helper()
	path := filepath.Join("testdata", name+".json")
	if update && !regenerated[name] {
		regenerated[name] = true
		c := runner.Config{Workers: 4, Duration: 10 * time.Second}
		if name == "small" { // for the fuzzer
			c = runner.Config{Workers: 1, Ops: 20, WarmUp: -1}
		}
		if name == "open" {
			c.Plan = &schedule.Plan{Arrival: schedule.Poisson, Rate: 900, Seed: 1}
		}
		synctest.Test(t, func(t *testing.T) {
			r, err := load(c)
			require.NoError(t, err)
			fixed(r)
			var b bytes.Buffer
			require.NoError(t, render.Write(&b, "json", r, render.Options{Name: "example/" + name}))
			require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
		})
	}
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	got, r, err := render.ReadJSON(f)
	require.NoError(t, err)
	require.Equal(t, "example/"+name, got)
	return r
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "RUNNER_UPDATE_GOLDEN=1 rewrites it")
}

func TestGoldenText(t *testing.T) {
	for _, name := range []string{"closed", "open"} {
		r := result(t, name)
		for _, width := range []int{40, 80, 200} {
			for _, ascii := range []bool{false, true} {
				var b bytes.Buffer
				require.NoError(t, render.Text(&b, r, render.Options{Name: name, Width: width, ASCII: ascii}))
				require.NotContains(t, b.String(), "\x1b")
				for line := range strings.Lines(b.String()) {
					require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, line)
				}
				if ascii {
					require.Equal(t, -1, strings.IndexFunc(b.String(), func(c rune) bool { return c > 126 }), b.String())
				} else {
					golden(t, fmt.Sprintf("%s-%d.txt", name, width), b.Bytes())
				}
			}
		}
	}
}

// TestGoldenScaling follows the Universal Scalability Law with σ = 5 % and κ =
// 0.01 in virtual time, and repeats three runs that differ.
func TestGoldenScaling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		workers, took := 1.0, time.Duration(0)
		op := runner.PerWorker(func(_ context.Context, worker int) (int, error) {
			workers = float64(worker + 1) // set-up runs from the first worker to the last
			return 0, nil
		}, func(context.Context, int) error {
			time.Sleep(time.Duration(1e7*(1+0.05*(workers-1)+0.01*workers*(workers-1))) + took)
			return nil
		})
		c := runner.Config{Duration: 5 * time.Second}
		r, err := scaled(context.Background(), c, op, []int{1, 2, 4, 8, 16})
		require.NoError(t, err)
		c.Workers = 1
		var again []*runner.Result
		for i := range 3 {
			took = time.Duration(i) * 100 * time.Microsecond
			once, err := scale.Repeat(context.Background(), c, op, 1)
			require.NoError(t, err)
			again = append(again, once...)
		}
		for _, r := range append(r.Runs, again...) {
			fixed(r)
			r.Before.GOMAXPROCS = 16
		}
		for _, width := range []int{40, 80, 200} {
			var b bytes.Buffer
			for _, ascii := range []bool{true, false} {
				b.Reset()
				o := render.Options{Name: "example", Width: width, ASCII: ascii}
				require.NoError(t, render.Scaling(&b, r, o))
				require.NoError(t, render.Repeats(&b, again, o))
				for line := range strings.Lines(b.String()) {
					require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, line)
				}
			}
			golden(t, fmt.Sprintf("scaling-%d.txt", width), b.Bytes())
		}
	})
}

func TestGoldenFormats(t *testing.T) {
	r := result(t, "closed")
	for _, format := range []string{"bench", "csv", "md"} {
		var b bytes.Buffer
		require.NoError(t, render.Write(&b, format, r, render.Options{Name: "closed"}))
		golden(t, "closed."+format, b.Bytes())
	}
	require.ErrorIs(t, render.Write(nil, "xml", r, render.Options{}), render.ErrFormat)
	require.Len(t, render.Formats(), 6)
}

func TestTextHasEveryPartInOrder(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, render.Text(&b, result(t, "closed"), render.Options{}))
	text, at := b.String(), 0
	for _, part := range []string{"Workers", "Total Ops", "Duration", "Real Throughput", "Pure Throughput", "Min", "P50",
		"Average", "P95", "P99", "P99.9", "Max", "Std Dev", "IQR", "Jitter", "CV", "Errors", "B/op", "allocs/op",
		"GC", "Latency heatmap", "Latency over time", "Throughput over time", "Analysis and recommendations"} {
		i := strings.Index(text[at:], part)
		require.GreaterOrEqual(t, i, 0, "%q is missing after %q", part, text[:at])
		at += i
	}
}

func TestColourIsOnlyOnRequest(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, render.Text(&b, result(t, "closed"), render.Options{Colour: true}))
	require.Contains(t, b.String(), "\x1b[1m")
}

// TestPeriodicStallIsVisible expects marks a second apart in the row of 200 ms.
func TestPeriodicStallIsVisible(t *testing.T) {
	var b bytes.Buffer
	r := result(t, "closed")
	require.NoError(t, render.Text(&b, r, render.Options{Width: 200}))
	_, rest, _ := strings.Cut(b.String(), "Latency over time")
	_, rest, _ = strings.Cut(rest, "200 ms ")
	row, _, _ := strings.Cut(rest, "\n")
	var marks []int
	for i, c := range []rune(row) {
		if c != ' ' && (len(marks) == 0 || i > marks[len(marks)-1]+1) {
			marks = append(marks, i)
		}
	}
	require.InDelta(t, 10, len(marks), 1, "%q", row)
	for i := range marks[1:] {
		require.InDelta(t, float64(time.Second/r.Timeline.Tick), marks[i+1]-marks[i], 2)
	}
}

// bounds returns the rows of the heatmap without their bars.
func bounds(t *testing.T, r *runner.Result) (rows []string) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.Text(&b, r, render.Options{}))
	_, rest, _ := strings.Cut(b.String(), "Latency heatmap\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	for line := range strings.Lines(table) {
		if strings.Contains(line, "⋮") {
			rows = append(rows, "gap")
		} else {
			rows = append(rows, line[:strings.Index(line, "s ")+2]+line[strings.Index(line, "–"):strings.LastIndex(line, "s ")+1])
		}
	}
	return rows
}

// TestOneOutlierMovesNoRow adds one latency a thousand times longer.
func TestOneOutlierMovesNoRow(t *testing.T) {
	r := result(t, "closed")
	before := bounds(t, r)
	require.Greater(t, len(before), 4)
	far := 1000 * r.Moments.Max
	n := float64(r.Records)
	r.Moments.Mean, r.Moments.Max = (r.Moments.Mean*n+far)/(n+1), far
	r.Latency.Add(uint64(far))
	r.Records, r.Done, r.Weighted = r.Records+1, r.Done+1, r.Weighted+1
	last := &r.Timeline.Cells[len(r.Timeline.Cells)-1]
	last.N, last.Ops = last.N+1, last.Ops+1
	require.NoError(t, r.Check())
	after := bounds(t, r)
	require.Equal(t, before, after[:len(before)])
	require.Equal(t, "gap", after[len(before)])
	require.Len(t, after, len(before)+2)
}

func TestBatchesAreLabelled(t *testing.T) {
	r := result(t, "closed")
	r.Config.Batch = 50
	r.Done, r.Weighted = 50*r.Records, 50*r.Weighted
	for i := range r.Timeline.Cells {
		r.Timeline.Cells[i].Ops *= 50
	}
	for _, format := range []string{"txt", "md"} {
		var b bytes.Buffer
		require.NoError(t, render.Write(&b, format, r, render.Options{Width: 200}))
		require.Contains(t, b.String(), "latencies are means of 50")
	}
}

// TestLastTickIsAsLongAsItIs ends a steady run in the middle of a tick.
func TestLastTickIsAsLongAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, d := range []time.Duration{time.Second, 1234 * time.Millisecond, 5050 * time.Millisecond} {
			r, err := runner.Run(context.Background(), runner.Config{Workers: 1, Ops: int64(d / time.Millisecond), WarmUp: -1}, runner.Func(func(context.Context) error {
				time.Sleep(time.Millisecond)
				return nil
			}))
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, render.Text(&b, r, render.Options{}))
			_, rest, _ := strings.Cut(b.String(), "Throughput over time")
			line := strings.Split(rest, "\n")[1]
			require.Empty(t, strings.Trim(line, " █"), "%v: no tick is lower than others: %q", d, line)
		}
	})
}

// TestOverloadIsSaidWhereItIsSeen expects OVERLOADED next to the achieved rate
// by the same limit as in the findings.
func TestOverloadIsSaidWhereItIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := &schedule.Plan{Arrival: schedule.Constant, Rate: 100}
		c := runner.Config{Workers: 1, Duration: 10 * time.Second, WarmUp: -1, Plan: plan}
		for nap, want := range map[time.Duration]string{9: `Achieved +1 000  100 %\n`, 20: `Achieved +500  50 %: OVERLOADED\n`} {
			r, err := runner.Run(context.Background(), c, runner.Func(func(context.Context) error {
				time.Sleep(nap * time.Millisecond)
				return nil
			}))
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, render.Text(&b, r, render.Options{}))
			require.Regexp(t, want, b.String())
		}
	})
}

func TestBenchFormatIsRead(t *testing.T) {
	r := result(t, "open")
	for _, name := range []string{"sender", "Sender/bits=32", "Sender/bits=32/workers=4", "a b\tc", "", "9lives", "Ünicode"} {
		var b bytes.Buffer
		require.NoError(t, render.Bench(&b, r, render.Options{Name: name}))
		reader, results, units := benchfmt.NewReader(&b, "test"), 0, 0
		for reader.Scan() {
			switch rec := reader.Result().(type) {
			case *benchfmt.Result:
				results++
				require.Equal(t, 1, strings.Count(string(rec.Name), "/workers="))
				require.True(t, strings.HasSuffix(string(rec.Name), "/workers=4"))
				for _, unit := range []string{"sec/op", "p50-sec/op", "ops/s", "p99-sec/op", "B/op"} {
					_, ok := rec.Value(unit)
					require.True(t, ok, "%s: %v", unit, rec.Values)
				}
			case *benchfmt.UnitMetadata:
				units++
			case *benchfmt.SyntaxError:
				t.Fatal(rec)
			}
		}
		require.NoError(t, reader.Err())
		require.Equal(t, 1, results, name)
		require.Positive(t, units)
	}
}

// TestSmallResult shows the seed of FuzzReadJSON in every format.
func TestSmallResult(t *testing.T) {
	r := result(t, "small")
	require.EqualValues(t, 20, r.Records)
	for _, format := range render.Formats() {
		require.NoError(t, render.Write(&bytes.Buffer{}, format, r, render.Options{}))
	}
}

func TestCSVSumsToTheLatencies(t *testing.T) {
	var b bytes.Buffer
	r := result(t, "closed")
	require.NoError(t, render.CSV(&b, r, render.Options{}))
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	var n, sum uint64
	for _, row := range rows[1:] {
		_, err := fmt.Sscan(row[2], &n)
		require.NoError(t, err)
		sum += n
	}
	require.Equal(t, r.Records, sum)
	require.Equal(t, "1", rows[len(rows)-1][3])
}

// broken fails after n bytes.
type broken struct{ n int }

var errFull = errors.New("no space left on device")

func (b *broken) Write(p []byte) (int, error) {
	if b.n -= len(p); b.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestEveryFormatSaysThatItsWriterFailed(t *testing.T) {
	r := result(t, "closed")
	for _, format := range render.Formats() {
		for _, n := range []int{0, 100} {
			require.ErrorIs(t, render.Write(&broken{n}, format, r, render.Options{}), errFull, format)
		}
		if full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
			require.ErrorContains(t, render.Write(full, format, r, render.Options{}), "no space left", format)
			require.NoError(t, full.Close())
		}
	}
}

func TestResultsThatBreakALawAreNotShown(t *testing.T) {
	r := result(t, "closed")
	r.Failed++
	for _, format := range render.Formats() {
		require.ErrorIs(t, render.Write(&bytes.Buffer{}, format, r, render.Options{}), runner.ErrLaw)
	}
}

func TestInterruptedAndEmptyResultsAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r, err := runner.Run(ctx, runner.Config{Workers: 1, Duration: time.Second}, runner.Func(func(context.Context) error { return nil }))
		require.NoError(t, err)
		for _, format := range render.Formats() {
			var b bytes.Buffer
			require.NoError(t, render.Write(&b, format, r, render.Options{}), format)
			if format == "txt" {
				require.Contains(t, b.String(), "INTERRUPTED (interrupted)")
			}
		}
	})
}

func FuzzReadJSON(f *testing.F) {
	b, err := os.ReadFile(filepath.Join("testdata", "small.json"))
	require.NoError(f, err)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		_, r, err := render.ReadJSON(bytes.NewReader(b))
		if err != nil {
			return
		}
		for _, format := range render.Formats() {
			_ = render.Write(&bytes.Buffer{}, format, r, render.Options{})
		}
	})
}

// scaled runs op with each number of workers.
func scaled(ctx context.Context, c runner.Config, op runner.Operation, workers []int) (*scale.Result, error) {
	s := &scale.Result{}
	for _, n := range workers {
		c.Workers = n
		r, err := runner.Run(ctx, c, op)
		if err != nil {
			return s, err
		}
		if s.Runs = append(s.Runs, r); r.Interrupted {
			break
		}
	}
	s.Fit()
	return s, nil
}

package render_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	words "github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/scale"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// saved returns a saved Result.
func saved(t *testing.T, name string) *result.Result {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".json"))
	require.NoError(t, err)
	defer f.Close()
	got, r, err := render.ReadJSON(f)
	require.NoError(t, err)
	require.Equal(t, "example/"+name, got)
	return r
}

// text returns the text report.
func text(t *testing.T, r *result.Result, o render.Options) string {
	t.Helper()
	return written(t, "txt", r, o)
}

// written returns a report in a format.
func written(t *testing.T, format string, r *result.Result, o render.Options) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.Write(&b, format, r, o))
	return b.String()
}

// TestColoursOfTheHeatmap: bars of up to one and two thirds of the longest, and longer ones, differ.
func TestColoursOfTheHeatmap(t *testing.T) {
	r := simulated(t, runner.Config{Workers: 1, Ops: 21}, func(i int) time.Duration {
		return []time.Duration{1, 100, 10, 1, 10, 1, 1}[i%7] * time.Millisecond
	})
	report := text(t, r, render.Options{Colour: true})
	for _, colour := range []string{"\x1b[31m", "\x1b[32m", "\x1b[33m"} {
		require.Equal(t, 1, strings.Count(report, colour+"█"), "%q", report)
	}
}

func TestColourIsOnlyOnRequest(t *testing.T) {
	require.Contains(t, text(t, saved(t, "closed"), render.Options{Colour: true}), "\x1b[1m")
}

// TestPeriodicStallIsVisible expects marks a second apart in the row of 300 ms.
func TestPeriodicStallIsVisible(t *testing.T) {
	r := saved(t, "closed")
	_, rest, _ := strings.Cut(text(t, r, render.Options{Width: 200}), "Latency over time")
	_, rest, _ = strings.Cut(rest, "300 ms ")
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
func bounds(t *testing.T, r *result.Result) (rows []string) {
	t.Helper()
	_, rest, _ := strings.Cut(text(t, r, render.Options{}), "Latency heatmap\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	for line := range strings.Lines(table) {
		if strings.Contains(line, "⋮") {
			rows = append(rows, "gap")
		} else {
			rows = append(rows,
				line[:strings.Index(line, "s ")+2]+
					line[strings.Index(line, "–"):strings.LastIndex(line, "s ")+1])
		}
	}
	return rows
}

// TestOneOutlierMovesNoRow adds one latency a thousand times longer.
func TestOneOutlierMovesNoRow(t *testing.T) {
	r := saved(t, "closed")
	before := bounds(t, r)
	require.Greater(t, len(before), 4)
	far := 1000 * r.Moments.Max
	n := float64(r.Records)
	r.Moments.Mean, r.Moments.Max = (r.Moments.Mean*n+far)/(n+1), far
	r.Latency.Add(uint64(far))
	r.Records, r.Done, r.Weighted = r.Records+1, r.Done+1, r.Weighted+1
	last := &r.Timeline.Cells[len(r.Timeline.Cells)-1]
	last.N, last.Ops = last.N+1, last.Ops+1
	require.NoError(t, judge.Check(r))
	after := bounds(t, r)
	require.Equal(t, before, after[:len(before)])
	require.Len(t, after, len(before)+1, "the tail is one row")
}

func TestBatchesAreLabelled(t *testing.T) {
	r := saved(t, "closed")
	r.Config.Batch = 2
	r.Done, r.Weighted = 2*r.Records, 2*r.Weighted
	for i := range r.Timeline.Cells {
		r.Timeline.Cells[i].Ops *= 2
	}
	for _, format := range []string{"txt", "md"} {
		t.Run(format, func(t *testing.T) {
			require.Contains(t, written(t, format, r, render.Options{Width: 200}), "latencies are means of 2")
		})
	}
	require.Contains(t, text(t, r, render.Options{}), "\nLatency (mean of 2), 95 % confidence\n")
}

// TestLastTickIsAsLongAsItIs ends a steady run in the middle of a tick.
func TestLastTickIsAsLongAsItIs(t *testing.T) {
	for _, ops := range []int64{1000, 1234, 5050} {
		r := simulated(t, runner.Config{Workers: 1, Ops: ops}, func(int) time.Duration {
			return time.Millisecond
		})
		_, rest, _ := strings.Cut(text(t, r, render.Options{}), "Throughput over time")
		line := strings.Split(rest, "\n")[1]
		require.Empty(t, strings.Trim(line, " █"), "%d ms: no tick is lower than others: %q", ops, line)
	}
}

// TestOverloadIsSaidWhereItIsSeen expects OVERLOADED next to the achieved rate
// by the same limit as in the findings.
func TestOverloadIsSaidWhereItIsSeen(t *testing.T) {
	for takes, want := range map[time.Duration]string{9: `Achieved +1 000  100 %\n`,
		20: `Achieved +500  50 %: OVERLOADED\n`} {
		r := simulated(t,
			runner.Config{Workers: 1, Duration: 10 * time.Second, Plan: &schedule.Plan{Rate: 100}},
			func(int) time.Duration { return takes * time.Millisecond })
		require.Regexp(t, want, text(t, r, render.Options{}))
		var b bytes.Buffer
		require.NoError(t, render.Summary(&b, r, render.Options{Width: 200}))
		share := map[bool]string{true: ", 50 % of the planned starts", false: ", 100 % of the planned starts"}
		require.Contains(t, b.String(), share[takes == 20])
	}
}

// TestProcessorTimeIsInTheGoFormat if it is known.
func TestProcessorTimeIsInTheGoFormat(t *testing.T) {
	r := saved(t, "closed")
	for cpu, want := range map[float64]bool{0: false, 123456: true} {
		r.Usage.CPUPerOp = cpu
		text := written(t, "bench", r, render.Options{Name: "x"})
		require.Equal(t, want, strings.Contains(text, "123456 cpu-ns/op"), "%v", cpu)
	}
}

// TestMarkdownAdvises: each finding has its advice.
func TestMarkdownAdvises(t *testing.T) {
	r := saved(t, "open")
	findings := judge.Findings(r)
	require.NotEmpty(t, findings)
	page := written(t, "md", r, render.Options{})
	require.Regexp(t, `\| mean \| \d`, page)
	for _, f := range findings {
		require.Contains(t, page, "- "+words.Markdown(f.Observed)+": "+words.Markdown(f.Advice)+"\n")
	}
}

// TestBenchFormatIsRead reads the format with the package of benchstat, for names of any form.
func TestBenchFormatIsRead(t *testing.T) {
	r := saved(t, "open")
	for _, name := range []string{"sender", "Sender/bits=32", "Sender/bits=32/workers=4", "a b\tc", "",
		"9lives", "Ünicode"} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, render.Bench(&b, r, render.Options{Name: name}))
			reader, results, units := benchfmt.NewReader(&b, "test"), 0, 0
			for reader.Scan() {
				switch rec := reader.Result().(type) {
				case *benchfmt.Result:
					results++
					require.Equal(t, 1, strings.Count(string(rec.Name), "/workers="))
					require.True(t, strings.HasSuffix(string(rec.Name), "/workers=4"))
					for _, unit := range []string{"sec/op", "p50-sec/op", "ops/s", "p99-sec/op", "B/op",
						"backlog-ops", "max-sec/op", "failed-ops", "allocs/op"} {
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
		})
	}
}

func TestCSVSumsToTheLatencies(t *testing.T) {
	var b bytes.Buffer
	r := saved(t, "closed")
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
	r := saved(t, "closed")
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
	r := saved(t, "closed")
	r.Failed++
	for _, format := range render.Formats() {
		require.ErrorIs(t, render.Write(&bytes.Buffer{}, format, r, render.Options{}), judge.ErrLaw)
	}
	require.ErrorIs(t, render.Text(io.Discard, r, render.Options{}), judge.ErrLaw)
	require.ErrorIs(t, render.Summary(io.Discard, r, render.Options{}), judge.ErrLaw)
	runs := &scale.Result{Runs: []*result.Result{saved(t, "closed"), r}}
	require.ErrorIs(t, render.Scaling(io.Discard, runs, render.Options{}), judge.ErrLaw)
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

func TestUnknownFormatIsAnError(t *testing.T) {
	require.ErrorIs(t, render.Write(nil, "xml", saved(t, "closed"), render.Options{}), render.ErrFormat)
	require.Len(t, render.Formats(), 6)
}

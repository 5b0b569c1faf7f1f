package result_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/bench/result"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// samples are n values with the given mean and standard deviation, half of them
// above the mean.
func samples(n int, mean, sd float64) []float64 {
	vs := make([]float64, n)
	d := sd * math.Sqrt(float64(n-1)/float64(n))
	for i := range vs {
		vs[i] = mean + d*float64(1-2*(i%2))
	}
	return vs
}

// published has the scores of a table that a Java harness printed: standard
// deviations of 1.30 and 3.04 ms make errors of 0.641 and 1.506.
func published() []result.Row {
	row := func(messages string, mean, sd float64) result.Row {
		return result.Row{
			Benchmark: "measureVerify", Mode: result.SingleShot, Warmup: 3, Samples: [][]float64{samples(50, mean, sd)},
			Params: []result.Param{{Name: "messages", Value: messages}, {Name: "inputs", Value: "decode"}},
		}
	}
	return []result.Row{row("1", 5.263, 1.2948), row("10", 8.157, 3.0422)}
}

// read reads rows from a file with a content.
func read(t testing.TB, content, mode string) ([]result.Row, error) {
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
	return result.ReadRows(mode, name)
}

func TestScore(t *testing.T) {
	mean, err := published()[0].Score()
	require.InDelta(t, 5.263, mean, 1e-9)
	require.InDelta(t, 3.5004*1.2948/math.Sqrt(50), err, 1e-4, "t(49) = 3.5004")
	_, err = result.Row{Samples: [][]float64{samples(15, 1, 1)}}.Score()
	require.InDelta(t, 4.1405/math.Sqrt(15), err, 0.01, "t(14) = 4.1405")
	mean, err = result.Row{Samples: [][]float64{{2}}}.Score()
	require.InDelta(t, 2, mean, 1e-9)
	require.True(t, math.IsInf(err, 1))
	mean, _ = result.Row{}.Score()
	require.True(t, math.IsNaN(mean))
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, result.WriteRows(&b, published()))
	require.Equal(t, `Benchmark      (messages)  (inputs)  Mode  Cnt  Score    Error  Units
measureVerify           1    decode    ss   50  5.263  ± 0.641  ms/op
measureVerify          10    decode    ss   50  8.157  ± 1.506  ms/op
ratio messages=10 / messages=1: 1.55 ± 0.34
`, b.String())
	single := published()
	for i := range single {
		single[i].Samples = [][]float64{{2}}
	}
	b.Reset()
	require.NoError(t, result.WriteRows(&b, single))
	require.True(t, strings.HasSuffix(b.String(), "\nratio messages=10 / messages=1: 1.00\n"), b.String())
	b.Reset()
	require.NoError(t, result.WriteRows(&b, []result.Row{
		{Benchmark: "A", Mode: result.Average, Samples: [][]float64{{0.0123456}}},
		{Benchmark: "A/sub", Mode: result.Throughput, Samples: [][]float64{{1, 1}}, Params: []result.Param{{Name: "k", Value: "v"}}},
	}))
	require.Equal(t, `Benchmark  (k)   Mode  Cnt   Score    Error   Units
A                avgt    1  0.0123            ms/op
A/sub        v  thrpt    2   1.000  ± 0.000  ops/ms
`, b.String())
}

func TestRatiosAreOfRowsThatDifferInOneParameter(t *testing.T) {
	row := func(name, a, b string, v float64) result.Row {
		return result.Row{Benchmark: name, Mode: result.Average, Samples: [][]float64{{v, v}}, Params: []result.Param{{Name: "a", Value: a}, {Name: "b", Value: b}}}
	}
	var b strings.Builder
	require.NoError(t, result.WriteRows(&b, []result.Row{row("X", "1", "1", 1), row("X", "2", "2", 5), row("Y", "1", "2", 7), row("X", "1", "2", 3)}))
	require.Equal(t, 1, strings.Count(b.String(), "ratio"), b.String())
	require.Contains(t, b.String(), "ratio b=2 / b=1: 3.00 ± 0.00\n")
}

func TestJSONKeepsRows(t *testing.T) {
	rows := append(published(), result.Row{Benchmark: "one", Mode: result.Throughput, Samples: [][]float64{{2}}})
	var b bytes.Buffer
	require.NoError(t, result.WriteJMH(&b, rows))
	for _, key := range []string{`"scoreError": null`, `"warmupIterations": 3`, `"measurementIterations": 50`, `"scoreUnit": "ops/ms"`, `"rawData"`} {
		require.Contains(t, b.String(), key)
	}
	back, err := read(t, b.String(), result.Average)
	require.NoError(t, err)
	require.Equal(t, rows, back)
}

func TestBenchLinesAreReadBack(t *testing.T) {
	var b bytes.Buffer
	rows := published()
	require.NoError(t, result.WriteRowLines(&b, rows))
	require.Equal(t, 100, strings.Count(b.String(), "\n"))
	r := benchfmt.NewReader(strings.NewReader(b.String()), "lines")
	for r.Scan() {
		require.IsType(t, &benchfmt.Result{}, r.Result())
	}
	back, err := read(t, b.String(), result.Average)
	require.NoError(t, err)
	require.Len(t, back, 2)
	require.Equal(t, rows[1].Params, back[1].Params)
	was, _ := rows[1].Score()
	is, _ := back[1].Score()
	require.InDelta(t, was, is, 1e-6)
}

func TestReadGoBenchmarks(t *testing.T) {
	const text = `goos: linux
BenchmarkSign/field=10x26/msglen=64-8 	 1000	 500000 ns/op	 96 sig-B
BenchmarkSign/field=10x26/msglen=64-8 	 1000	 1000000 ns/op
BenchmarkGen/plain 	 1	 2000000 ns/op
BenchmarkCounts 1 7 add/op
`
	rows, err := read(t, text, result.Throughput)
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.Equal(t, "Sign", rows[0].Benchmark)
	require.Equal(t, []result.Param{{Name: "field", Value: "10x26"}, {Name: "msglen", Value: "64"}}, rows[0].Params)
	require.Equal(t, [][]float64{{2, 1}}, rows[0].Samples)
	require.Equal(t, "Gen/plain", rows[1].Benchmark)
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":       "has no results",
		"[]":     "has no results",
		"[{":     "unexpected end",
		"PASS\n": "has no results",
		`[{"benchmark": "x", "mode": "ss", "primaryMetric": {"scoreUnit": "h/op"}}]`: `unit "h/op" of x is not ms/op`,
	} {
		_, err := read(t, text, result.Average)
		require.ErrorContains(t, err, want)
	}
}

// Both clocks of a file are read and written; a table shows one of them.
func TestClocks(t *testing.T) {
	text := "BenchmarkA/k=1 1 1000000 ns/op 500000 cpu-ns/op\nBenchmarkA/k=1 1 3000000 ns/op 700000 cpu-ns/op\n"
	rows, err := read(t, text, result.Average)
	require.NoError(t, err)
	require.Equal(t, [][]float64{{0.5, 0.7}}, rows[0].CPU)
	var b bytes.Buffer
	require.NoError(t, result.WriteRowLines(&b, rows))
	require.Equal(t, text, b.String())
	on, err := result.OnClock(rows, result.CPU)
	require.NoError(t, err)
	require.Equal(t, [][]float64{{0.5, 0.7}}, on[0].Samples)
	b.Reset()
	require.NoError(t, result.WriteJMH(&b, rows))
	again, err := read(t, b.String(), result.Average)
	require.NoError(t, err)
	require.Equal(t, rows, again)
	for _, other := range []string{"BenchmarkA 1 1 ns/op\n", "BenchmarkA 1 1 ns/op 1 cpu-ns/op 4 cpu-threads\n"} {
		rows, err := read(t, other, result.Average)
		require.NoError(t, err)
		_, err = result.OnClock(rows, result.CPU)
		require.ErrorIs(t, err, result.ErrClock)
	}
}

// TestNoProcessorTimeOfZero: a sample without processor time has a line without it.
func TestNoProcessorTimeOfZero(t *testing.T) {
	row := published()[0]
	row.Mode, row.Samples, row.CPU, row.Threads = result.Average, [][]float64{{1, 1, 1}}, [][]float64{{0, 1e-7, 0.5}}, 2
	var b strings.Builder
	require.NoError(t, result.WriteRowLines(&b, []result.Row{row}))
	require.NotContains(t, b.String(), " 0 cpu-ns/op")
	require.Equal(t, 1, strings.Count(b.String(), "500000 cpu-ns/op 2 cpu-threads\n"), b.String())
	require.Equal(t, 1, strings.Count(b.String(), "cpu-threads"))
}

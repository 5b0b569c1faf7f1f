package result_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// samples are n results in ms with the given mean and standard deviation, half of them
// above the mean.
func samples(name string, n int, mean, sd float64) string {
	var b strings.Builder
	d := sd * math.Sqrt(float64(n-1)/float64(n))
	for i := range n {
		fmt.Fprintf(&b, "Benchmark%s 1 %f ns/op\n", name, (mean+d*float64(1-2*(i%2)))*1e6)
	}
	return b.String()
}

// published has the scores of a table that a Java harness printed: standard
// deviations of 1.30 and 3.04 ms make errors of 0.641 and 1.506.
var published = samples("measureVerify/messages=1/inputs=decode", 50, 5.263, 1.2948) +
	samples("measureVerify/messages=10/inputs=decode", 50, 8.157, 3.0422)

// scores are the scores of a file with a content.
func scores(t testing.TB, content, mode, clock string) result.Scores {
	s := result.Scores{Data: result.NewData(), Mode: mode, Clock: clock, Forks: 1}
	require.NoError(t, s.Read(strings.NewReader(content), "file"))
	return s
}

// table is the table of scores.
func table(t testing.TB, content, mode string) string {
	var b strings.Builder
	require.NoError(t, scores(t, content, mode, result.Wall).Write(&b))
	return b.String()
}

func TestScoresAsText(t *testing.T) {
	require.Equal(t, `Benchmark      (messages)  (inputs)  Mode  Cnt  Score    Error  Units
measureVerify           1    decode    ss   50  5.263  ± 0.641  ms/op
measureVerify          10    decode    ss   50  8.157  ± 1.506  ms/op
ratio messages=10 / messages=1: 1.55 ± 0.34
`, table(t, published, result.SingleShot))
	single := "BenchmarkV/messages=1-8 1 2000000 ns/op\nBenchmarkV/messages=10-8 1 2000000 ns/op\n"
	require.True(t,
		strings.HasSuffix(table(t, single, result.Average), "\nratio messages=10 / messages=1: 1.00\n"))
	counted := "BenchmarkA 1 12345.6 ns/op\nBenchmarkCounts 1 7 add/op\n" +
		"BenchmarkA/sub/k=v-8 1 1000000 ns/op\nBenchmarkA/sub/k=v-8 1 1000000 ns/op\n"
	require.Equal(t, `Benchmark  (k)  Mode  Cnt   Score    Error  Units
A               avgt    1  0.0123           ms/op
A/sub        v  avgt    2   1.000  ± 0.000  ms/op
`, table(t, counted, result.Average))
	require.Contains(t,
		table(t, "BenchmarkA 1 500000 ns/op 9 B\nBenchmarkA 1 1000000 ns/op\n", result.Throughput),
		"thrpt    2  1.500  ± 318.310  ops/ms")
}

func TestRatiosAreOfRowsThatDifferInOneParameter(t *testing.T) {
	row := func(name, a, b string, ms float64) string {
		return strings.Repeat(fmt.Sprintf("Benchmark%s/a=%s/b=%s 1 %f ns/op\n", name, a, b, ms*1e6), 2)
	}
	text := table(t, row("X", "1", "1", 1)+row("X", "2", "2", 5)+row("Y", "1", "2", 7)+row("X", "1", "2", 3),
		result.Average)
	require.Equal(t, 1, strings.Count(text, "ratio"), text)
	require.Contains(t, text, "ratio b=2 / b=1: 3.00 ± 0.00\n")
}

func TestScoresAsJSON(t *testing.T) {
	s := scores(t, published+"BenchmarkOne 1 500000 ns/op\n", result.SingleShot, result.Wall)
	s.Forks, s.Warmup = 5, 3
	var b strings.Builder
	require.NoError(t, s.WriteJSON(&b))
	var rows []struct {
		Benchmark, Mode                                string
		Forks, WarmupIterations, MeasurementIterations int
		Params                                         map[string]string
		PrimaryMetric                                  struct {
			Score, ScoreError *float64
			ScoreConfidence   []*float64
			ScoreUnit         string
			RawData           [][]float64
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.String()), &rows))
	require.Len(t, rows, 3)
	first := rows[0]
	require.Equal(t, []any{"measureVerify", "ss", 5, 3, 10},
		[]any{first.Benchmark, first.Mode, first.Forks, first.WarmupIterations, first.MeasurementIterations})
	require.Equal(t, map[string]string{"messages": "1", "inputs": "decode"}, first.Params)
	metric := first.PrimaryMetric
	require.InDelta(t, 5.263, *metric.Score, 1e-6)
	require.InDelta(t, 3.5004*1.2948/math.Sqrt(50), *metric.ScoreError, 1e-4, "t(49) = 3.5004")
	require.InDelta(t, *metric.Score-*metric.ScoreError, *metric.ScoreConfidence[0], 1e-9)
	require.InDelta(t, *metric.Score+*metric.ScoreError, *metric.ScoreConfidence[1], 1e-9)
	require.Equal(t, "ms/op", metric.ScoreUnit)
	require.Len(t, metric.RawData, 5)
	require.Len(t, metric.RawData[4], 10)
	one := rows[2].PrimaryMetric
	require.Nil(t, one.ScoreError)
	require.Equal(t, []*float64{nil, nil}, one.ScoreConfidence)
	require.InDelta(t, 0.5, *one.Score, 1e-9)
}

func TestScoresNeedTimes(t *testing.T) {
	s := scores(t, "BenchmarkCounts 1 7 add/op\n", result.Average, result.Wall)
	require.ErrorIs(t, s.Write(&strings.Builder{}), result.ErrNoBenchmarks)
	require.ErrorIs(t, s.WriteJSON(&strings.Builder{}), result.ErrNoBenchmarks)
	require.ErrorIs(t, s.WriteChanges(&strings.Builder{}, s.Data), result.ErrNoBenchmarks)
	timed := scores(t, published, result.Average, result.Wall)
	require.ErrorIs(t, timed.WriteChanges(&strings.Builder{}, s.Data), result.ErrNoBenchmarks)
}

func TestClocks(t *testing.T) {
	text := "BenchmarkA/k=1 1 1000000 ns/op 500000 cpu-ns/op\nBenchmarkA/k=1 1 3000000 ns/op 700000 " +
		"cpu-ns/op\n"
	for clock, want := range map[string]string{result.Wall: "2.000", result.CPU: "0.600"} {
		t.Run(clock, func(t *testing.T) {
			var b strings.Builder
			require.NoError(t, scores(t, text, result.Average, clock).Write(&b))
			require.Contains(t, b.String(), "avgt    2  "+want)
		})
	}
	for _, other := range []string{"BenchmarkA 1 1 ns/op\n",
		"BenchmarkA 1 1 ns/op 1 cpu-ns/op 4 cpu-threads\n"} {
		require.ErrorIs(t, scores(t, other, result.Average, result.CPU).Write(&strings.Builder{}),
			result.ErrClock)
	}
}

// thrpt is a case of 15 results with a mean in operations a millisecond and an interval of
// half-width err: 7 results above the mean, 7 below, so that their standard deviation is d.
func thrpt(name string, mean, err float64) string {
	d := err * math.Sqrt(15) / 4.1405 // t(14)
	line := func(x float64) string { return fmt.Sprintf("Benchmark%s 1 %.4f ns/op\n", name, 1e6/x) }
	return line(mean) + strings.Repeat(line(mean+d)+line(mean-d), 7)
}

// TestChangesOfThePublishedTables has the tables of the review that asked for 9
// limbs of 29 bits, where benchmarks changed their names.
func TestChangesOfThePublishedTables(t *testing.T) {
	before := thrpt("Signatures.sign/msglen=64", 1.414, 0.022) +
		thrpt("Signatures.sign/msglen=512", 1.418, 0.004) +
		thrpt("Signatures.verify/msglen=64", 1.2, 0.1) + thrpt("KeyGenerators.keyPairGen", 1.475, 0.043)
	after := thrpt("ECSignature.sign/msglen=64", 1.719, 0.010) +
		thrpt("ECSignature.sign/msglen=512", 1.421, 0.012) +
		thrpt("ECKeyGen.keyPairGen", 1.881, 0.008) + thrpt("ECKeyGenerator.other", 2, 0.1)
	rs, err := result.ParseRenames("ECSignature.sign=Signatures.sign,ECKeyGen=KeyGenerators")
	require.NoError(t, err)
	s := scores(t, after, result.Throughput, result.Wall)
	require.NoError(t, s.Rename(rs))
	var b strings.Builder
	require.NoError(t, s.WriteChanges(&b, scores(t, before, "", "").Data))
	want := `Benchmark                 (msglen)   Mode         Before          After   Units         Change
Signatures.sign                 64  thrpt  1.414 ± 0.022  1.719 ± 0.010  ops/ms  +21.6 ± 2.0 %
Signatures.sign                512  thrpt  1.418 ± 0.004  1.421 ± 0.012  ops/ms   +0.2 ± 0.9 %  same
KeyGenerators.keyPairGen            thrpt  1.475 ± 0.043  1.881 ± 0.008  ops/ms  +27.5 ± 3.8 %
only before: Signatures.verify/msglen=64 1.200 ± 0.100
only after: ECKeyGenerator.other 2.000 ± 0.100
`
	require.Equal(t, want, b.String())
}

// TestChangeOfSingleSamples calls a change without an interval the same.
func TestChangeOfSingleSamples(t *testing.T) {
	var b strings.Builder
	require.NoError(t,
		scores(t, "BenchmarkA 1 2000000 ns/op\n", result.Average, result.Wall).WriteChanges(&b,
			scores(t, "BenchmarkA-4 1 1000000 ns/op\n", "", "").Data))
	require.Contains(t, b.String(), "+100.0 %  same")
}

// TestScoresSkipFirst drops the first results of each process, of every unit.
func TestScoresSkipFirst(t *testing.T) {
	var content strings.Builder
	for i := range 6 {
		fmt.Fprintf(&content, "BenchmarkA 1 %d ns/op %d B/op\n", i, 10*i)
	}
	s := scores(t, content.String(), result.Average, result.Wall)
	s.SkipFirst(1, 3) // two processes
	require.Equal(t, 1, s.Warmup)
	require.Equal(t, []float64{10, 20, 40, 50}, s.Values[s.Cases[0]]["B/op"])
}

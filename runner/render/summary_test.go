package render_test

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	words "github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/result"
)

// staged is a run at 100, then 300 operations a second, of 2 ms each.
func staged(t *testing.T) *result.Result {
	t.Helper()
	return simulated(t, runner.Config{Workers: 1, Duration: 20 * time.Second,
		Plan: parsed(t, 100, "constant,constant:10s,rate:300")},
		func(int) time.Duration { return 2 * time.Millisecond })
}

func TestSummaryHasTwelveLines(t *testing.T) {
	r := saved(t, "closed")
	r.Config.Requirements = "p50<1s, p99<1us, errors<1%, throughput>1, mean<1s"
	r.Failed, r.Errors = 5, map[string]uint64{}
	for i := range 5 {
		r.Errors[fmt.Sprintf("message %d\nof two lines", i)] = 1
	}
	summary := func(o render.Options) string {
		var b bytes.Buffer
		require.NoError(t, render.Summary(&b, r, o))
		return b.String()
	}
	text := summary(render.Options{Name: "server"})
	whole := summary(render.Options{Name: "server", Width: math.MaxInt})
	require.LessOrEqual(t, strings.Count(whole, "\n"), 12, "a pipe gets whole lines")
	require.Equal(t, strings.Fields(whole), strings.Fields(text), "a terminal wraps them")
	for _, want := range []string{"server\n", "MET p50<1s", "failed: 1 × message 0 of two lines", "ops/s: ",
		"latency mean ", "P99 ", "-v prints the whole report"} {
		require.Contains(t, whole, want)
	}
	require.Contains(t, whole, fmt.Sprintf("%s operations in 10 s by %d workers", words.Count(r.Done),
		r.Config.Workers))
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line)), 81, line)
	}
}

// TestColoursOfTheSummary: failures have a colour, figures have none.
func TestColoursOfTheSummary(t *testing.T) {
	r := saved(t, "closed")
	r.Failed, r.Errors = 1, map[string]uint64{"message": 1}
	var b bytes.Buffer
	require.NoError(t, render.Summary(&b, r, render.Options{Colour: true, Width: math.MaxInt}))
	for line := range strings.Lines(b.String()) {
		coloured := strings.HasPrefix(line, "\x1b[")
		require.Equal(t, coloured, strings.HasSuffix(line, "\x1b[0m\n"), "%q", line)
		switch {
		case strings.Contains(line, "failed: 1 × message"), strings.Contains(line, "-v prints"):
			require.True(t, coloured, "%q", line)
		case strings.Contains(line, "ops/s: "), strings.Contains(line, "latency mean"):
			require.False(t, coloured, "%q", line)
		}
	}
}

// TestVerdictOnTheMachine: the control operation has a verdict from ten runs on.
func TestVerdictOnTheMachine(t *testing.T) {
	for n, want := range map[int]string{9: "too few runs for a verdict", 10: "the machine is quiet"} {
		r := saved(t, "closed")
		r.Control = result.Control{N: n, Median: 44100, Spread: 0.001}
		require.Contains(t, text(t, r, render.Options{Width: 300}), want)
	}
}

func TestStagesHaveTheirFigures(t *testing.T) {
	require.Regexp(t, `Stages\n +100/s +100 ops/s  0 ns – 10 s: 1 000 latencies, `+
		`mean 2 ms, P50 in 2 ms – 5 ms, P99 in 2 ms – 5 ms
 +300/s +\d+ ops/s  10 s – 20 s: `, text(t, staged(t), render.Options{Width: 200}))
}

// TestOpenMetrics checks the rules of the text format of OpenMetrics 1.0.
func TestOpenMetrics(t *testing.T) {
	r := staged(t)
	lines := strings.Split(strings.TrimSuffix(
		written(t, "prom", r, render.Options{Name: "a \"b\"\n\\"}), "\n"), "\n")
	require.Equal(t, "# EOF", lines[len(lines)-1])
	sample := regexp.MustCompile(`^zkatbench_load_([a-z_]+)` +
		`\{name="a \\"b\\"\\n\\\\"(,le="([^"]+)")?\} (\S+)$`)
	values, last := map[string]string{}, -1.0
	for _, line := range lines[:len(lines)-1] {
		if strings.HasPrefix(line, "# ") {
			require.Regexp(t, `^# (TYPE|UNIT|HELP) zkatbench_load_`, line)
			continue
		}
		m := sample.FindStringSubmatch(line)
		require.NotNil(t, m, line)
		values[m[1]+m[3]] = m[4]
		if m[3] != "" {
			var v float64
			_, err := fmt.Sscan(m[4], &v)
			require.NoError(t, err)
			require.GreaterOrEqual(t, v, last, "buckets are cumulative")
			last = v
		}
	}
	require.Equal(t, fmt.Sprint(r.Done), values["operations_total"])
	require.Equal(t, "0", values["failures_total"])
	require.Equal(t, fmt.Sprint(r.Records), values["latency_seconds_bucket+Inf"])
	require.Equal(t, "0", values["latency_seconds_bucket0.001"])
	require.Equal(t, fmt.Sprint(r.Records), values["latency_seconds_bucket0.005"])
}

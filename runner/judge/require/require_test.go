package require_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	must "github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/result"
)

// TestParse: a requirement is read as it is written, and a malformed one is refused.
func TestParse(t *testing.T) {
	rs, err := must.Parse("p99<2ms, errors < 0.1%,throughput>400/s,read.p99.9<1s, a.b.mean>10us,c.max<3s")
	require.NoError(t, err)
	require.Equal(t, []must.Requirement{
		{"", "p99", true, 2e6}, {"", "errors", true, 0.001}, {"", "throughput", false, 400},
		{"read", "p99.9", true, 1e9},
		{"a.b", "mean", false, 1e4}, {"c", "max", true, 3e9},
	}, rs)
	var texts []string
	for _, r := range rs {
		texts = append(texts, r.String())
	}
	again, err := must.Parse(strings.Join(texts, ","))
	require.NoError(t, err)
	require.Equal(t, rs, again)
	for text, want := range map[string]string{"errors<12.345%": "errors<12.3%", "errors<0": "errors<0%",
		"errors>1": "errors>100%", "throughput>40/s": "throughput>40", "p50<1500us": "p50<1.5ms"} {
		t.Run(text, func(t *testing.T) {
			rs, err := must.Parse(text)
			require.NoError(t, err)
			require.Equal(t, want, rs[0].String())
		})
	}
	for _, bad := range []string{"", "p99", "p99<", "p99<2", "p99=2ms", "p100<2ms", "p0<2ms", "q99<2ms",
		"p<1s",
		"p99.9.9<1s", "p50x<1s", "p-5<1s", "p1e1<1s", ".p50<1s", "x.y<1s", "<1s", "p50<1s/s", "p99<-2ms",
		"mean<0s", "p99<NaN", "errors<1.0001", "errors<-1%", "errors<1%,", "throughput>x", "throughput>-1",
		"throughput>Inf"} {
		t.Run(bad, func(t *testing.T) {
			_, err := must.Parse(bad)
			require.ErrorIs(t, err, must.ErrSyntax, bad)
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("p99<2ms, errors<0.1%, throughput>400")
	f.Add("a.p99.9>1h")
	f.Fuzz(func(t *testing.T, text string) {
		rs, err := must.Parse(text)
		if err != nil {
			require.ErrorIs(t, err, must.ErrSyntax)
			return
		}
		for _, r := range rs {
			require.NotEmpty(t, r.String())
		}
	})
}

// measured runs an operation of 2 ms that fails every failing-th time, in
// virtual time.
func measured(t *testing.T, ops int64, failing int) (r *result.Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := 0
		op := runner.Func(func(context.Context) error {
			if n++; failing > 0 && n%failing == 0 {
				return errors.New("failed")
			}
			time.Sleep(2*time.Millisecond + time.Duration(n%7)*10*time.Microsecond)
			return nil
		})
		var err error
		r, err = runner.Run(t.Context(), runner.Config{Workers: 1, Ops: ops, Duration: time.Hour, WarmUp: -1},
			op)
		require.NoError(t, err)
	})
	return r
}

// TestVerdicts judges figures of known runs, and of operations of a mix.
func TestVerdicts(t *testing.T) {
	clean, failing := measured(t, 4000, 0), measured(t, 4000, 100)
	few := measured(t, 100, 0)
	mix := &result.Result{Parts: []result.Part{{Name: "read", Result: clean},
		{Name: "none", Result: &result.Result{}}, {Name: "fails", Result: &result.Result{Failed: 3}}}}
	for _, c := range []struct {
		r    *result.Result
		text string
		want must.Verdict
		says string
	}{
		{clean, "p99<3ms", must.Met,
			"MET p99<3ms: 2.06ms; over the limit: 0% of the operations (0% to 0.0749%), 1% allowed"},
		{clean, "p99<2ms", must.Broken, "BROKEN p99<2ms: 2.06ms"},
		{clean, "p50>1ms", must.Met, ""},
		{clean, "p50>3ms", must.Broken, ""},
		{clean, "mean<2.1ms", must.Met, ""},
		{clean, "mean>2.1ms", must.Broken, ""},
		{clean, "max<2.06ms", must.Broken, ""},
		{clean, "max>3ms", must.Broken, "max>3ms: 2"},
		{clean, "throughput>400", must.Met, ""},
		{clean, "throughput>600", must.Broken, ""},
		{clean, "errors<0.1%", must.Met, "errors<0.1%: 0% (0% to 0.0922%)"},
		{clean, "errors<0.01%", must.Undecided, "0% (0% to 0.0922%); needs"},
		{failing, "errors < 0.1%", must.Broken, "errors<0.1%: 1%"},
		{failing, "errors<1%", must.Undecided, "1% (0.7"},
		{failing, "errors<2%", must.Met, ""},
		{few, "p99<3.0ms", must.Undecided,
			"0% of the operations (0% to 2.95%), 1% allowed; needs about 3 times the length"},
		{mix, "read.p99<3ms", must.Met, "MET read.p99<3ms: 2.06ms"},
		{mix, "none.p99<3ms", must.Undecided, "unknown, no operation ended"},
		{mix, "fails.p99<3ms", must.Undecided, "unknown, no operation succeeded"},
		{mix, "write.p99<3ms", must.Undecided, "unknown, the run has no operation of this name"},
	} {
		t.Run(c.text, func(t *testing.T) {
			rs, err := must.Parse(c.text)
			require.NoError(t, err)
			got := must.Judge(c.r, rs)[0]
			require.Equal(t, c.want, got.Verdict, got.String())
			require.Contains(t, got.String(), c.says)
		})
	}
	require.True(t, must.Bounds([]must.Requirement{{"", "errors", true, 0.001}}, "errors"))
	require.False(t, must.Bounds([]must.Requirement{{"read", "errors", true, 0.001}}, "errors"))
	require.False(t, must.Bounds([]must.Requirement{{"", "errors", false, 0.001}}, "errors"))
}

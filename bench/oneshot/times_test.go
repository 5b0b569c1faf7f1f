package oneshot_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/oneshot"
)

func TestTimes(t *testing.T) {
	p := oneshot.Program{Op: toy, Records: oneshot.FewestTimes, Seed: 1}
	m, err := oneshot.Times(t.Context(), p)
	require.NoError(t, err)
	require.LessOrEqual(t, m.Low, m.Mid)
	require.LessOrEqual(t, m.Mid, m.High)

	p.Records--
	_, err = oneshot.Times(t.Context(), p)
	require.EqualError(t, err, "5 records are too few for an interval; 6 is the least")
}

func TestMedianAsText(t *testing.T) {
	for want, m := range map[string]oneshot.Median{
		"[12.0 ns 1.5000 µs 2.0000 µs]":  {Low: 12, Mid: 1500, High: 2 * time.Microsecond},
		"[1.2345 ms 1.0000 s 61.0000 s]": {Low: 1_234_500, Mid: time.Second, High: 61 * time.Second},
	} {
		t.Run(want, func(t *testing.T) {
			require.Equal(t, want, m.String())
		})
	}
}

// TestProfile: a profile can be written in each format that it names.
func TestProfile(t *testing.T) {
	p, err := oneshot.ProfileOf(t.Context(), oneshot.Program{Op: toy, Records: 3, Seed: 1}, true)
	require.NoError(t, err)
	begin := map[string]string{".svg": "<svg", oneshot.TraceEnding: "go 1."}
	for _, ending := range oneshot.ProfileEndings {
		var b bytes.Buffer
		require.NoError(t, p.Write(&b, ending))
		if ending == ".pprof" {
			_, err := profile.Parse(&b)
			require.NoError(t, err)
			continue
		}
		require.Contains(t, b.String(), begin[ending], ending)
	}
}

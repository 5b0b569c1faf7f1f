package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func TestRank(t *testing.T) {
	require.Empty(t, ranked(nil))
	find := func(kinds ...string) (fs []Finding) {
		for _, k := range kinds {
			fs = append(fs, Finding{Kind: k})
		}
		return fs
	}
	got := func(fs []Finding) (lines []string) {
		for _, f := range ranked(fs) {
			lines = append(lines, f.Kind+"<"+f.Cause)
		}
		return lines
	}
	require.Equal(t, []string{"failures<", "long tail<", "drift<"},
		got(find("failures", "long tail", "drift")))
	require.Equal(t,
		[]string{"stolen time<", "governor<", "failures<", "long tail<stolen time", "drift<stolen time"},
		got(find("failures", "long tail", "drift", "stolen time", "governor")))
	require.Equal(t, []string{"governor<", "long tail<", "drift<governor"},
		got(find("long tail", "drift", "governor")))
	require.Equal(t, []string{"throttled<", "overloaded<throttled"}, got(find("overloaded", "throttled")))
}

// TestRankKnowsTheKinds checks that no kind is misspelt or was renamed.
func TestRankKnowsTheKinds(t *testing.T) {
	for _, e := range explains {
		for _, kind := range append(e.effects, e.kind) {
			require.Contains(t, Thresholds(), kind)
		}
	}
}

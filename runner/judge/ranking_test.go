package judge // explains is private: a misspelt kind in it has no effect that shows

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestRank: findings about the machine come first, then others, then those that have a cause.
func TestRank(t *testing.T) {
	find := func(kinds ...string) (fs []Finding) {
		for _, k := range kinds {
			fs = append(fs, Finding{Kind: k})
		}
		return fs
	}
	for name, c := range map[string]struct {
		found []Finding
		want  []string
	}{
		"none":     {nil, nil},
		"no cause": {find("failures", "long tail", "drift"), []string{"failures<", "long tail<", "drift<"}},
		"stolen time": {find("failures", "long tail", "drift", "stolen time", "governor"),
			[]string{"stolen time<", "governor<", "failures<", "long tail<stolen time", "drift<stolen time"}},
		"governor": {find("long tail", "drift", "governor"),
			[]string{"governor<", "long tail<", "drift<governor"}},
		"throttled": {find("overloaded", "throttled"), []string{"throttled<", "overloaded<throttled"}},
	} {
		t.Run(name, func(t *testing.T) {
			var lines []string
			for _, f := range ranked(c.found) {
				lines = append(lines, f.Kind+"<"+f.Cause)
			}
			require.Equal(t, c.want, lines)
		})
	}
}

// TestRankKnowsTheKinds checks that no kind is misspelt or was renamed.
func TestRankKnowsTheKinds(t *testing.T) {
	for _, e := range explains {
		for _, kind := range append(e.effects, e.kind) {
			require.Contains(t, Thresholds(), kind)
		}
	}
}

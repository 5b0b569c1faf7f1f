package watch // suspects is private: a watch answers its suspicions at once

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

// TestAStepAtEachPlace puts a regression between each pair of neighbours in a line of
// revisions: this pair, and no other, is suspected.
func TestAStepAtEachPlace(t *testing.T) {
	store, err := history.Create(t.Context(), filepath.Join(t.TempDir(), "history.db"))
	require.NoError(t, err)
	line := []string{"e", "d", "c", "b", "a"} // the last one first
	for step := 1; step < len(line); step++ {
		s := &state{line: line, data: map[string]*result.Data{}, store: store}
		for i, commit := range line {
			bytes := map[bool]int{true: 200, false: 100}[i < step]
			text := strings.Repeat(fmt.Sprintf("BenchmarkX 1 %d proof-B\n", bytes), 4)
			s.data[commit] = result.NewData()
			require.NoError(t, s.data[commit].Read(
				strings.NewReader("Unit proof-B assume=exact better=lower\npkg: p\n"+text), commit))
		}
		found, err := (&Watch{}).suspects(t.Context(), s)
		require.NoError(t, err)
		require.Equal(t,
			[]finding{{Base: line[step], Head: line[step-1], Asked: keys("X"),
				Why: whyStep}}, found)
	}
}

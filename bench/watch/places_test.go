package watch

import (
	"fmt"
	"os"
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
			name := filepath.Join(t.TempDir(), commit)
			text := "pkg: p\n" + strings.Repeat(fmt.Sprintf("BenchmarkX 1 %d proof-B\n", bytes), 4)
			require.NoError(t,
				os.WriteFile(name, []byte("Unit proof-B assume=exact better=lower\n"+text), 0o600))
			s.data[commit], err = result.ReadFiles(name)
			require.NoError(t, err)
		}
		found, err := (&Watch{}).suspects(t.Context(), s)
		require.NoError(t, err)
		require.Equal(t,
			[]finding{{Base: line[step], Head: line[step-1], Asked: []result.Key{{Package: "p", Name: "X"}},
				Why: whyStep}}, found)
	}
}

package watch // suspects is private: a watch answers its suspicions at once

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

// exactly are results of sizes.
func exactly(t *testing.T, text string) *result.Data {
	t.Helper()
	d := result.NewData()
	const head = "Unit proof-B assume=exact better=lower\npkg: p\n"
	require.NoError(t, d.Read(strings.NewReader(head+text), "results"))
	return d
}

// TestAStepAtEachPlace puts a regression between each pair of neighbours in a line of
// revisions: this pair, and no other, is suspected, of its results and of the history.
func TestAStepAtEachPlace(t *testing.T) {
	line := []string{"e", "d", "c", "b", "a"} // the last one first
	many := keys("A", "B", "C", "D", "E", "F", "G", "H", "I", "J")
	for step := 1; step < len(line); step++ {
		t.Run(line[step], func(t *testing.T) {
			store, err := history.Create(t.Context(), filepath.Join(t.TempDir(), "history.db"))
			require.NoError(t, err)
			s := &state{line: line, data: map[string]*result.Data{}, store: store}
			suspects := func() []finding {
				found, err := (&Watch{}).suspects(t.Context(), s)
				require.NoError(t, err)
				return found
			}
			size := func(i int) int { return map[bool]int{true: 200, false: 100}[i < step] }
			for i, commit := range line {
				var text strings.Builder
				for _, k := range many {
					fmt.Fprintf(&text, "Benchmark%s 1 %d proof-B\n", k.Name, size(i))
				}
				s.data[commit] = exactly(t, strings.Repeat(text.String(), 4))
			}
			want := finding{Base: line[step], Head: line[step-1], Asked: many, Why: whyStep}
			require.Equal(t, []finding{want}, suspects())

			for i, commit := range line { // the last one is measured first
				text := fmt.Sprintf("BenchmarkA 1 %[1]d proof-B\nBenchmarkB 1 %[1]d proof-B\n", size(i))
				at := time.Unix(int64(i), 0)
				require.NoError(t, store.Add(t.Context(), exactly(t, text), commit, at))
			}
			clear(s.data)
			want.Asked, want.Why = keys("A", "B"), whyLevel
			require.Equal(t, []finding{want}, suspects())
			w := &Watch{Dir: t.TempDir(), Branch: "main"}
			require.NoError(t, w.writePage(t.Context(), s))
			page, err := os.ReadFile(filepath.Join(w.Dir, "page.html"))
			require.NoError(t, err)
			require.Contains(t, string(page), "2 cases over revisions")
		})
	}
}

//go:build unix

package result

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEachResultHasProcessorTime: of a plain benchmark, also the first result. It has more
// iterations than -benchtime makes, or as many as -benchtime says.
func TestEachResultHasProcessorTime(t *testing.T) {
	built, err := Source{Dir: "testdata/busy", Packages: []string{"."}}.Build(t.Context(), t.TempDir())
	require.NoError(t, err)
	b := scripted(t, built[0].Path+" $(echo \"$@\" | sed s/=1s/=3x/)\n")
	for _, flag := range []string{"1s", "10x"} {
		sink := &sinkOf{calls: 3}
		s := Suite{Binaries: []Binary{b}, Flags: Flags{Bench: "Busy", Run: []string{"-test.cpu=1", "-test.benchtime=" + flag}}, Count: 2}
		require.NoError(t, s.Run(t.Context(), sink, func(Progress) {}))
		d := NewData()
		require.NoError(t, d.Read(strings.NewReader(lined(sink.lines)), "results"))
		require.Len(t, d.Cases, 1)
		values := d.Values[d.Cases[0]]["process-cpu-sec/op"]
		require.Len(t, values, 2, sink.lines)
		for _, seconds := range values {
			require.InDelta(t, 0.02, seconds, 0.01)
		}
		require.Greater(t, d.Iters[d.Cases[0]], 3.0, sink.lines)
		require.True(t, flag == "1s" || d.Iters[d.Cases[0]] == 10, sink.lines)
	}
}

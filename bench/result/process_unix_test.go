//go:build unix

package result // scripted and sinkOf are helpers of tests inside the package

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// TestEachResultHasProcessorTime: each result of a plain benchmark has it, also the first.
// Results have more iterations than -benchtime makes, or the number in -benchtime.
func TestEachResultHasProcessorTime(t *testing.T) {
	built, err := Source{Dir: "testdata/busy", Packages: []string{"."}}.Build(t.Context(), t.TempDir())
	require.NoError(t, err)
	b := scripted(t, built[0].Path+" $(echo \"$@\" | sed s/=1s/=3x/)\n")
	for _, flag := range []string{"1s", "10x"} {
		t.Run(flag, func(t *testing.T) {
			sink := &sinkOf{calls: 3}
			s := Suite{Binaries: []Binary{b},
				Flags: Flags{Bench: "Busy", Run: []string{"-test.cpu=1", "-test.benchtime=" + flag}},
				Count: nightly.Pick(1, 2, 2)}
			require.NoError(t, s.Run(t.Context(), sink, func(Progress) {}))
			d := NewData()
			require.NoError(t, d.Read(strings.NewReader(lined(sink.lines)), "results"))
			require.Len(t, d.Cases, 1)
			values := d.Values[d.Cases[0]]["process-cpu-sec/op"]
			require.Len(t, values, s.Count, sink.lines)
			for _, seconds := range values {
				require.InDelta(t, 0.02, seconds, 0.01)
			}
			require.Greater(t, d.Iters[d.Cases[0]], 3.0, sink.lines)
			require.True(t, flag == "1s" || d.Iters[d.Cases[0]] == 10, sink.lines)
		})
	}
}

// TestBuildsAreCachedByContent: building the same sources again, and other layouts of them,
// does not compile; changed sources are compiled.
func TestBuildsAreCachedByContent(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and links for seconds")
	}
	dir := t.TempDir()
	log, spy := filepath.Join(dir, "log"), filepath.Join(dir, "spy")
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	write("spy", "#!/bin/sh\ncase \"$*\" in *V=full*) ;; *) echo \"$@\" >>"+log+";; esac\nexec \"$@\"\n")
	write("go.mod", "module example.com/m\n\ngo 1.24\n")
	s := Source{Dir: dir, Packages: []string{"."}, Flags: []string{"-toolexec=" + spy}, Layout: 1}
	for _, same := range []bool{false, true, false} {
		if !same {
			write("m_test.go", fmt.Sprintf("package m\n\nconst _ = %d\n", time.Now().UnixNano()))
		}
		write("log", "")
		bs, err := s.Build(t.Context(), t.TempDir())
		require.NoError(t, err)
		_, err = Relink(t.Context(), bs, nil, 1)
		require.NoError(t, err)
		tools, err := os.ReadFile(log)
		require.NoError(t, err)
		require.Equal(t, 2, strings.Count(string(tools), "/link "), "two layouts")
		require.Equal(t, same, !strings.Contains(string(tools), "/compile "), string(tools))
	}
}

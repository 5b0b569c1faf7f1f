package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/report"
)

// writeFile makes a file in a temporary folder.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestInside(t *testing.T) {
	in, err := report.Read(writeFile(t, "folded.txt", "step: op;x.F<y> 5\nstep: op;z.G 15\n"))
	require.NoError(t, err)
	var page strings.Builder
	require.NoError(t, report.Write(&page, in))
	for _, text := range []string{"Inside an operation", `data-hint="z.G: 15 samples, 75.00 %"`, "<td>75 %</td>"} {
		require.Contains(t, page.String(), text)
	}
	require.NotContains(t, page.String(), "x.F<y>")
}

// TestProfileIsAFlameGraph checks that a page draws a profile of the Go runtime.
func TestProfileIsAFlameGraph(t *testing.T) {
	f := &profile.Function{ID: 1, Name: "x.Work<y>"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}, Function: []*profile.Function{f}, Location: []*profile.Location{l},
		Sample: []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{20}}},
	}
	var file, page strings.Builder
	require.NoError(t, p.Write(&file))
	in, err := report.Read(writeFile(t, "cpu.pprof", file.String()))
	require.NoError(t, err)
	require.NoError(t, report.Write(&page, in))
	require.Contains(t, page.String(), "Flame graph: cpu.pprof")
	require.Contains(t, page.String(), `data-hint="x.Work&lt;y&gt;: 20 samples, 100.00 %"`)
}

func TestDamagedFilesOfInsidesNameTheFile(t *testing.T) {
	for name, text := range map[string]string{
		"folded.txt": "step: op;x\n", "cpu.pprof": "\x1f\x8bnot a profile",
	} {
		_, err := report.Read(writeFile(t, name, text))
		require.ErrorContains(t, err, name)
	}
}

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

const heapProfile = `{"dhatFileVersion":2,"mode":"heap","cmd":"zkatbench heap X",` +
	`"zkatbenchLooks":[[0,0],[1000,5000],[2000,40]],` +
	`"pps":[{"tb":9000,"tbk":3,"gb":5000,"gbk":1,"eb":40,"ebk":1,"fs":[1]}],` +
	`"ftbl":["[root]","0x1: x.leak<b> (x.go:5)"]}`

const stepTable = "Step,Calls,Time_ns,Allocs\nop,1,10,0\nop/prove,0,90,3\n"

func TestInside(t *testing.T) {
	in, err := report.Read(
		writeFile(t, "steps.csv", stepTable),
		writeFile(t, "timed.csv", "benchmark complete after 1s\n"+stepTable),
		writeFile(t, "heap.json", heapProfile),
		writeFile(t, "folded.txt", "step: op;x.F<y> 5\nstep: op;z.G 15\n"),
	)
	require.NoError(t, err)
	require.Equal(t, in.Steps["steps.csv"], in.Steps["timed.csv"])
	var page strings.Builder
	require.NoError(t, report.Write(&page, in))
	for _, text := range []string{
		"Inside an operation", "<td>op/prove</td>", "op/prove Time_ns: 90", "Live memory: heap.json",
		"x.leak&lt;b&gt; (x.go:5)",
		"Allocated 9000 bytes in all, 5000 at the peak, 40 kept at the end.",
		`data-hint="z.G: 15 samples, 75.00 %"`, "<td>75 %</td>",
	} {
		require.Contains(t, page.String(), text)
	}
	require.NotContains(t, page.String(), "x.F<y>")
	require.NotContains(t, page.String(), "x.leak<b>")
}

// TestProfileIsAFlameGraph checks that a page draws a profile of the Go runtime.
func TestProfileIsAFlameGraph(t *testing.T) {
	f := &profile.Function{ID: 1, Name: "x.Work<y>"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}, Function: []*profile.Function{f},
		Location: []*profile.Location{l},
		Sample:   []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{20}}},
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
		"steps.csv": "Step,Calls,Time_ns\nx,1,-2\n", "short.csv": "Step,Calls,Time_ns\nx,1\n",
		"empty.csv": "Step,Calls,Time_ns\n",
		"heap.json": `{"dhatFileVersion":2,`, "timed.csv": "benchmark complete after 1s",
		"folded.txt": "step: op;x\n", "cpu.pprof": "\x1f\x8bnot a profile",
	} {
		_, err := report.Read(writeFile(t, name, text))
		require.ErrorContains(t, err, name)
	}
}

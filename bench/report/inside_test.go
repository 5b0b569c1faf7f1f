package report_test

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/report"
)

const heapProfile = `{"dhatFileVersion":2,"mode":"heap","cmd":"zkatbench heap X",` +
	`"zkatbenchLooks":[[0,0],[1000,5000],[2000,40]],` +
	`"pps":[{"tb":9000,"tbk":3,"gb":5000,"gbk":1,"eb":40,"ebk":1,"fs":[1]}],` +
	`"ftbl":["[root]","0x1: x.leak<b> (x.go:5)"]}`

const stepTable = "Step,Calls,Time_ns,Allocs\nop,1,10,0\nop/prove,0,90,3\n"

func TestInside(t *testing.T) {
	in := read(t,
		write(t, "steps.csv", stepTable),
		write(t, "timed.csv", "benchmark complete after 1s\n"+stepTable),
		write(t, "heap.json", heapProfile),
		write(t, "folded.txt", "step: op;x.F<y> 5\nstep: op;z.G 15\n"),
	)
	require.Equal(t, in.Steps["steps.csv"], in.Steps["timed.csv"])
	page := draw(t, in)
	for _, text := range []string{
		"Inside an operation", "<td>op/prove</td>", "op/prove Time_ns: 90", "Live memory: heap.json",
		"x.leak&lt;b&gt; (x.go:5)",
		"Allocated 9000 bytes in all, 5000 at the peak, 40 kept at the end.",
		`data-hint="z.G: 15 samples, 75.00 %"`, "<td>75 %</td>",
	} {
		require.Contains(t, page, text)
	}
	require.NotContains(t, page, "x.F<y>")
	require.NotContains(t, page, "x.leak<b>")
}

// TestProfileIsAFlameGraph checks that a page draws a profile of the Go runtime.
func TestProfileIsAFlameGraph(t *testing.T) {
	page := draw(t, read(t, write(t, "cpu.pprof", packed(t, "x.Work<y>"))))
	require.Contains(t, page, "Flame graph: cpu.pprof")
	require.Contains(t, page, `data-hint="x.Work&lt;y&gt;: 20 samples, 83.33 %"`)
}

// packed is a profile with 20 samples of a function, and four of its step verify.
func packed(t *testing.T, function string) string {
	t.Helper()
	fn := &profile.Function{ID: 1, Name: function}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}, Function: []*profile.Function{fn},
		Location: []*profile.Location{at},
		Sample: []*profile.Sample{{Location: []*profile.Location{at}, Value: []int64{20}},
			{Location: []*profile.Location{at}, Value: []int64{4},
				Label: map[string][]string{"step": {"verify"}}}},
	}
	var file strings.Builder
	require.NoError(t, p.Write(&file))
	return file.String()
}

func TestDamagedFilesOfInsidesNameTheFile(t *testing.T) {
	for name, text := range map[string]string{
		"steps.csv": "Step,Calls,Time_ns\nx,1,-2\n", "calls.csv": "Step,Calls,Time_ns\nx,-1,2\n",
		"short.csv": "Step,Calls,Time_ns\nx,1\n",
		"heap.json": `{"dhatFileVersion":2,`, "timed.csv": "benchmark complete after 1s",
		"folded.txt": "step: op;x\n", "cpu.pprof": "\x1f\x8bnot a profile",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := report.Read(write(t, name, text))
			require.ErrorContains(t, err, name)
			require.NotContains(t, err.Error(), "without steps")
		})
	}
	_, err := report.Read(write(t, "empty.csv", "Step,Calls,Time_ns\n"))
	require.ErrorContains(t, err, "empty.csv: a table without steps")
}

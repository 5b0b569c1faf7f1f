package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// heapTotal is the total that a command line of inside prints, in bytes. Its lines have DHAT's form,
// and it writes DHAT's file.
func heapTotal(t *testing.T, records int, line ...string) float64 {
	t.Helper()
	file := filepath.Join(t.TempDir(), "heap.json")
	out, errors, status := try(append(line, "-seed=7", "-count="+strconv.Itoa(records), "-o="+file)...)
	require.Zero(t, status, errors)
	require.Equal(t, "# disturbed by: heap\n", errors)
	const figures = `([0-9,]+) bytes in [0-9,]+ blocks\n`
	form := regexp.MustCompile(`^Using random seed: 7 for ` + strconv.Itoa(records) +
		` records\n(?s:.*)\ndhat: Total:     ` + figures + `dhat: At t-gmax: ` + figures +
		`dhat: At t-end:  ` + figures + `heap: t-gmax is exact to [0-9,]+ bytes \([0-9]+ looks\)\n` +
		`heap: high-water with garbage [0-9,]+ bytes, VmHWM [0-9,]+ bytes\n` +
		`dhat: The data has been saved to ` + file + `, and is viewable with dhat/dh_view.html\n$`)
	found := form.FindStringSubmatch(out)
	require.NotNil(t, found, out)
	var bytes [3]float64 // in all, at the peak, at the end
	for i := range bytes {
		var err error
		bytes[i], err = strconv.ParseFloat(strings.ReplaceAll(found[i+1], ",", ""), 64)
		require.NoError(t, err)
	}
	require.GreaterOrEqual(t, bytes[0], bytes[1], out)
	require.GreaterOrEqual(t, bytes[1], bytes[2], out)
	require.Positive(t, bytes[1], out)
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(kept), `"dhatFileVersion":2,"mode":"heap"`)
	return bytes[0]
}

// TestHeapAgreesWithBenchmem: the operations allocate kilobytes, and hold megabytes
// in pools, which collections empty.
func TestHeapAgreesWithBenchmem(t *testing.T) {
	if nightly.Racing() {
		t.Skip("under the race detector, sync.Pool drops items at random")
	}
	if testing.Short() {
		t.Skip("records every allocation of 20 operations")
	}
	benchtime := flag.Lookup("test.benchtime").Value.String()
	require.NoError(t, flag.Set("test.benchtime", "200x"))
	defer func() { require.NoError(t, flag.Set("test.benchtime", benchtime)) }()
	n := nightly.Pick(0, 3, 10)
	matrix := []string{"-bits=16", "-curves=BN254", "-num_inputs=2", "-num_outputs=2"}
	both := []string{"Sender", "VerificationSenderProof"}
	for _, name := range both[:nightly.Pick(0, 1, 2)] {
		line := append([]string{"inside", name, "-what=heap"}, matrix...)
		total := heapTotal(t, n, line...)
		if nightly.On() { // the runtime allocates a kilobyte now and then, on a busy machine more often
			require.InEpsilon(t, total, heapTotal(t, n, line...), 0.05, "%s, twice with one seed", name)
		}

		req, err := requested(append(matrix, name)...)
		require.NoError(t, err)
		instance, err := req.ops[0].New(req.cases(req.ops[0])[0], 7)
		require.NoError(t, err)
		// the runtime collects every two minutes, which a busy machine reaches
		processors, percent := runtime.GOMAXPROCS(1), debug.SetGCPercent(-1)
		measured := testing.Benchmark(func(b *testing.B) {
			for range b.N {
				if _, err := instance.Work(); err != nil {
					b.Fatal(err)
				}
			}
		})
		runtime.GOMAXPROCS(processors)
		debug.SetGCPercent(percent)
		require.InEpsilon(t, float64(measured.AllocedBytesPerOp()), total/float64(n), 0.05, name)
	}
}

package main

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// heapTotal is the total that a command line of inside prints, in bytes.
func heapTotal(t *testing.T, line ...string) float64 {
	t.Helper()
	out, errors, status := runWith(t, append(line, "-o="+t.TempDir()+"/heap.json")...)
	require.Zero(t, status, errors)
	var bytes [3]float64 // in all, at the peak, at the end
	total := regexp.MustCompile(`dhat: (?:Total|At t-gmax|At t-end): +([0-9,]+) bytes`)
	for i, m := range total.FindAllStringSubmatch(out, -1) {
		var err error
		bytes[i], err = strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
		require.NoError(t, err)
	}
	require.GreaterOrEqual(t, bytes[0], bytes[1], out)
	require.GreaterOrEqual(t, bytes[1], bytes[2], out)
	require.Positive(t, bytes[1], out)
	return bytes[0]
}

// TestHeapAgreesWithBenchmem: the operations allocate kilobytes, and hold megabytes
// in pools, which collections empty.
func TestHeapAgreesWithBenchmem(t *testing.T) {
	info, _ := debug.ReadBuildInfo()
	if slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("under the race detector, sync.Pool drops items at random")
	}
	if testing.Short() {
		t.Skip("records every allocation of 40 operations")
	}
	const n = 10
	matrix := []string{"-bits=16", "-curves=BN254", "-num_inputs=2", "-num_outputs=2"}
	for _, name := range []string{"Sender", "VerificationSenderProof"} {
		line := append([]string{"inside", name, "-what=heap", "-seed=7", "-count=" + strconv.Itoa(n)},
			matrix...)
		total := heapTotal(t, line...)
		// the runtime allocates a kilobyte now and then, on a busy machine more often
		require.InEpsilon(t, total, heapTotal(t, line...), 0.05, "%s, twice with one seed", name)

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
		require.InEpsilon(t, float64(measured.AllocedBytesPerOp()), total/n, 0.05, name)
	}
}

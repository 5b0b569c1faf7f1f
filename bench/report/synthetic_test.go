package report_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/report"
)

// full is the whole matrix of 54 cases with ten results each, in all units of
// the benchmarks, as written on a machine slower by the given factor.
func full(slower float64) string {
	return matrix(slower, "BN254", "BLS12_381_BBS_GURVY", "BLS12_381_BBS_GURVY_FAST_RNG")
}

// small is full with 18 cases.
func small(slower float64) string { return matrix(slower, "BN254") }

func matrix(slower float64, curves ...string) string {
	var b strings.Builder
	for _, unit := range []string{"proof-B", "point-add/op", "msm-terms/op"} {
		fmt.Fprintf(&b, "Unit %s assume=exact better=lower\n", unit)
	}
	b.WriteString("goos: linux\ngoarch: amd64\npkg: example.com/engine\ncpu: Some Processor\nrevision: " +
		"0123abc\n")
	random := rand.New(rand.NewPCG(1, uint64(1000*slower)))
	for range 10 {
		for _, bits := range []int{32, 64} {
			for i, curve := range curves {
				for inputs := 1; inputs <= 3; inputs++ {
					for outputs := 1; outputs <= 3; outputs++ {
						work := float64(bits*outputs + 3*inputs)
						ns := 3e4 * work * (1 + 0.8*float64(i)) * slower * (1 + 0.03*random.NormFloat64())
						fmt.Fprintf(&b,
							"BenchmarkSender/bits=%d/curve=%s/inputs=%d/outputs=%d-2 100 %.0f ns/op %d "+
								"proof-B %.2f eq-mul/op %d point-add/op %d msm-terms/op %d B/op %d "+
								"allocs/op\n",
							bits, curve, inputs, outputs, ns, 700+60*outputs, ns/45000, bits*outputs,
							4*bits*outputs+inputs, 1000*int(work)+random.IntN(20), 40+outputs)
					}
				}
			}
		}
	}
	return b.String()
}

// phases contains counts of one benchmark by phase, and of another with
// workers.
const phases = `Unit add/op assume=exact
Unit mul/op assume=exact
pkg: example.com/engine
BenchmarkCount/n=1/phase=commit 1 10 add/op 3 mul/op
BenchmarkCount/n=1/phase=prove 1 70 add/op 4 mul/op
BenchmarkCount/n=2/phase=commit 1 20 add/op 6 mul/op
BenchmarkCount/n=2/phase=prove 1 150 add/op 7 mul/op
BenchmarkParallel/workers=1 100 1000 ns/op
BenchmarkParallel/workers=2 100 550 ns/op
BenchmarkParallel/workers=4 100 320 ns/op
BenchmarkParallel/workers=8 100 240 ns/op
`

// write writes a file of results.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// loads returns files of runs under load: 4 ms of waiting and 1 ms under a
// lock, with 1, 4, 8 and 16 workers.
func loads(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/lock-*.json")
	require.NoError(t, err)
	require.Len(t, names, 4)
	return names
}

// underLoad reads the runs under load.
func underLoad(t testing.TB) report.Input {
	t.Helper()
	return read(t, loads(t)...)
}

// pageOf draws the page of a file of results.
func pageOf(t testing.TB, text string) string {
	t.Helper()
	return draw(t, read(t, write(t, "r.txt", text)))
}

// contents returns the text of a file.
func contents(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

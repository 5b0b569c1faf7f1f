package gate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlant: each kind of loop gets the fault, lines keep their numbers, and other files
// stay as they are.
func TestPlant(t *testing.T) {
	const source = `package p // a comment

import "testing"

func BenchmarkA(b *testing.B) {
	for b.Loop() {
		work()
	}
	for i := 0; i < b.N; i++ {
		work()
	}
	for range b.N { work() }
	for i := range other { work() }
}
`
	planted, loops, err := Faults[4].plant([]byte(source), 7)
	require.NoError(t, err)
	require.Equal(t, 3, loops)
	lines, was := strings.Split(string(planted), "\n"), strings.Split(source, "\n")
	require.Equal(t, `package p; import zkatbenchtime "time" // a comment`, lines[0])
	for _, at := range []int{5, 8} {
		require.Equal(t, was[at]+" zkatbenchPlanted7();", lines[at])
	}
	require.Equal(t, "\tfor range b.N { zkatbenchPlanted7(); work() }", lines[11])
	require.Equal(t, was[12], lines[12])
	require.Contains(t, string(planted), "Duration(float64(took)*0.02)")
	nothing, _, err := Faults[0].plant([]byte(source), 7)
	require.NoError(t, err)
	require.Contains(t, string(nothing), "zkatbenchPlanted7(); continue;\n")
	same, loops, err := Faults[4].plant([]byte("package p\n\nfunc f() {}\n"), 0)
	require.NoError(t, err)
	require.Zero(t, loops)
	require.Equal(t, "package p\n\nfunc f() {}\n", string(same))
	_, _, err = Faults[4].plant([]byte("broken"), 0)
	require.Error(t, err)
}

// TestNothingIsMeasured: a benchmark that became an empty loop is a regression, and a
// benchmark that became fast is not.
func TestNothingIsMeasured(t *testing.T) {
	for head, want := range map[float64]Verdict{0.4e-9: Regression, 4e-9: Regression, 6e-9: Improvement} {
		r := once(oneCase(wallTime, around(1e-6, 1)), oneCase(wallTime, around(head, 1)))
		require.Equal(t, want, r.Comparisons[0].Verdict, head)
	}
	r := once(oneCase(wallTime, around(4e-9, 1)), oneCase(wallTime, around(1e-9, 1)))
	require.Equal(t, Improvement, r.Comparisons[0].Verdict, "it was short before")
}

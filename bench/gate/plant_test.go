package gate // plant is private: an overlay does not count loops

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
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

// TestOverlay: the files of a module with loops of benchmarks are replaced by planted ones.
func TestOverlay(t *testing.T) {
	dir, into := t.TempDir(), t.TempDir()
	from := result.Source{Dir: dir, Packages: []string{"."}}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("go.mod", "module m\n\ngo 1.24\n")
	write("m.go", "package m\n\ntype T struct{ N int }\n\nvar n = T{}.N\n")
	write("m_test.go", "package m\n\nimport \"testing\"\n\n"+
		"func BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n")
	name, err := Faults[1].Overlay(t.Context(), from, into)
	require.NoError(t, err)
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	var overlay struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(content, &overlay))
	require.Len(t, overlay.Replace, 1)
	planted, err := os.ReadFile(overlay.Replace[filepath.Join(dir, "m_test.go")])
	require.NoError(t, err)
	require.Contains(t, string(planted), "for b.Loop() { zkatbenchPlanted")

	name, err = Faults[len(Faults)-1].Overlay(t.Context(), from, into)
	require.NoError(t, err)
	require.Empty(t, name, "without a fault")
	for _, f := range Faults[:len(Faults)-1] {
		_, err := f.Overlay(t.Context(), result.Source{Dir: filepath.Join(dir, "absent")}, into)
		require.Error(t, err, f.Name)
	}
	write("m_test.go", "package m\n")
	_, err = Faults[1].Overlay(t.Context(), from, into)
	require.EqualError(t, err, "-prove: no loop over b.N or b.Loop is found in the packages")
}

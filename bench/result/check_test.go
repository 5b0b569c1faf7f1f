package result_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// checked has benchmarks with known and with unknown sub-benchmarks, and a flag.
const checked = `package m

import (
	"flag"
	"os"
	"testing"
)

var home = os.Getenv(variable)

var _ = flag.Int("max-depth", 1, "")

func BenchmarkPlain(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkNamed(b *testing.B) {
	b.Run("one case", func(b *testing.B) { b.ReportAllocs() })
}

func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"x"} {
		b.Run(name, BenchmarkPlain)
	}
}
`

// TestUnmatched: an alternative of -bench matches by each part of its path.
func TestUnmatched(t *testing.T) {
	keys := []result.Key{{Package: "p", Name: "A/x/z-2"}, {Package: "p", Name: "B"}}
	require.Equal(t, []string{"None", "None/x", "A/y", "A/x/y", "kB/x"},
		result.Unmatched(keys, "A|None|A/x|None/x|A/y|A/x/z$|A/x/y|B|kB/x|A/x/z-2$"))
}

// TestTestsAreCheckedBeforeBuilds: by the text of tests, patterns that select nothing and flags that they do
// not define are refused; what can be in a name or a flag that is computed is not.
func TestTestsAreCheckedBeforeBuilds(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "m_test.go")
	flags := func(args ...string) result.Flags {
		f, err := result.CheckedFlags(args)
		require.NoError(t, err)
		return f
	}
	check := func(args ...string) error {
		return result.Source{Dir: dir, Packages: []string{"."}}.CheckTests(t.Context(), flags(args...))
	}
	declared := func(bench string) error {
		return result.DeclaredIn([][]byte{[]byte(checked)}, flags("-bench="+bench))
	}
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o600)) }
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.24\n"), 0o600))
	write(checked)
	for _, found := range []string{".", "Plain", "Named/one_c", "Named/(one|two)_case", "Open/any",
		"(None|Named)/one_c", "None|Open", "None/x|Plain", "Named/one_case#01",
		"(None/x|Named)/one_c", "P[l|]ain", "P[[:alpha:]|]ain", `None\|[/]|Op\x65n`, "Open/any/more"} {
		require.NoError(t, declared(found), found)
	}
	require.NoError(t, check("-bench=Plain"))
	for _, none := range []string{"", "None", "Plain/x", "Named/two", "None|Plain/x", "None/a|b",
		"Namedx/one", "None[|]Plain", `None\|Plain`, "[[|]|Plain]", "(None|Named)/two"} {
		require.ErrorIs(t, declared(none), result.ErrNoBenchmarks, none)
	}
	require.ErrorIs(t, check("-bench=None"), result.ErrNoBenchmarks)
	require.ErrorIs(t, check("-skip=."), result.ErrNoBenchmarks)
	require.NoError(t, check("-skip=./x"))
	require.NoError(t, check("-max-depth=2"))
	require.NoError(t, check("-max-depth", "2"))
	require.ErrorIs(t, check("-max-depth=2", "-depth-max=2"), result.ErrFlag, "its words alone")
	require.EqualError(t, check("-max-length=2"), "-max-length cannot be given after --: go test does not "+
		"have it, and the test of m does not define it")
	write(checked + "\nvar prefix = \"min\"\n\nvar _ = flag.Int(prefix+\"-depth\", 1, \"\")\n")
	require.NoError(t, check("-min-depth=2"))
	require.ErrorIs(t, check("-min-length=2"), result.ErrFlag)
}

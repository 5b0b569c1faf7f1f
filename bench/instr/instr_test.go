package instr // parse and measure are private: a test that takes as long as Measure is for the night

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

const withCaches = `==7== Cachegrind, a cache and branch-prediction profiler
program: a line of its own
==7== I   refs:      1,000,000
==7== I1  misses:        2,000
==7== LLi misses:          500
==7== I1  miss rate:      0.20%
==7== D   refs:        400,000  (300,000 rd   + 100,000 wr)
==7== D1  misses:       10,000  (  8,000 rd   +   2,000 wr)
==7== LLd misses:        1,500  (  1,000 rd   +     500 wr)
==7== LL refs:          12,000  ( 10,000 rd   +   2,000 wr)
`

func TestParse(t *testing.T) {
	c, err := parse(withCaches, true)
	require.NoError(t, err)
	require.Equal(t, Counts{Instructions: 1_000_000, L1: 1_388_000, LL: 10_000, RAM: 2_000}, c)
	require.Equal(t, 1_388_000+5*10_000+35*2_000.0, c.Cycles())
	c, err = parse("==9== I refs:  12,345\n", false)
	require.NoError(t, err)
	require.Equal(t, Counts{Instructions: 12_345}, c)
	for _, text := range []string{"", "==9== I refs: x\n", "I refs: 5\n"} {
		_, err = parse(text, false)
		require.ErrorIs(t, err, errOutput, text)
	}
	_, err = parse("==9== I refs:  12,345\n", true)
	require.ErrorIs(t, err, errOutput)
}

func TestAMissingToolIsNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, _, err := Measure(t.Context(), nil, 1, false)
	require.ErrorIs(t, err, errMissing)
	require.EqualError(t, err, "valgrind is not installed")
}

// TestAPlantedIncreaseIsFound: one per cent at night. The usual run has a tenth of the
// instructions, ten per cent. It needs Valgrind; .ci/run installs it.
func TestAPlantedIncreaseIsFound(t *testing.T) {
	if Missing() != nil && os.Getenv("ZKAT_VALGRIND_NEEDED") == "" {
		t.Skip("needs Valgrind")
	}
	spin := filepath.Join(t.TempDir(), "spin")
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", spin, "./testdata/spin").CombinedOutput()
	require.NoError(t, err, string(out))
	night := nightly.Pick(0.05, 0.1, 1)
	least := enough * night
	count := func(loops float64) float64 {
		c, n, err := measure(t.Context(), func(_, worked int) (*exec.Cmd, error) {
			return exec.Command(spin, strconv.Itoa(worked), strconv.Itoa(int(loops*night))), nil
		}, 100, false, least)
		require.NoError(t, err)
		require.GreaterOrEqual(t, c.Instructions*float64(n), least)
		return c.Instructions
	}
	planted, noise := 0.01/night, 0.001/night
	base, again, more := count(900_000), count(900_000), count(900_000*(1+planted))
	require.InEpsilon(t, base, again, noise)
	require.InDelta(t, 1+planted, more/base, noise)
}

func TestAnInterruptEndsTheRun(t *testing.T) {
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip("needs Valgrind")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := Measure(ctx, func(int, int) (*exec.Cmd, error) {
		return exec.Command("true"), nil
	}, 1, false)
	require.ErrorIs(t, err, context.Canceled)
}

func TestAProgramThatFailsIsAnError(t *testing.T) {
	if Missing() != nil {
		t.Skip("needs Valgrind")
	}
	_, _, err := Measure(t.Context(), func(int, int) (*exec.Cmd, error) {
		return exec.Command("sh", "-c", "echo broken >&2; exit 1"), nil
	}, 1, false)
	require.ErrorContains(t, err, "broken")
}

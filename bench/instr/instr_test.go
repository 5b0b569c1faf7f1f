package instr

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

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

// TestMain is the counted program if its arguments begin with "spin": operations of
// a known number of loops.
func TestMain(m *testing.M) {
	if len(os.Args) != 4 || os.Args[1] != "spin" {
		os.Exit(m.Run())
	}
	worked, _ := strconv.Atoi(os.Args[2])
	loops, _ := strconv.Atoi(os.Args[3])
	for range worked {
		sink = spin(loops)
	}
	runtime.KeepAlive(sink)
}

var sink uint64

//go:noinline
func spin(n int) (x uint64) {
	for i := range n {
		x = x*6364136223846793005 + uint64(i)
	}
	return x
}

// count measures spin, where Valgrind is installed; .ci/run installs it.
func count(t *testing.T, loops int) float64 {
	t.Helper()
	if Missing() != nil && os.Getenv("ZKAT_VALGRIND_NEEDED") == "" {
		t.Skip("needs Valgrind")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	c, _, err := Measure(t.Context(), func(_, worked int) (*exec.Cmd, error) {
		return exec.Command(self, "spin", strconv.Itoa(worked), strconv.Itoa(loops)), nil
	}, 100, false)
	require.NoError(t, err)
	return c.Instructions
}

func TestAPlantedIncreaseOfOnePercentIsFound(t *testing.T) {
	base, again, more := count(t, 900_000), count(t, 900_000), count(t, 909_000)
	require.InEpsilon(t, base, again, 0.001)
	require.InDelta(t, 1.01, more/base, 0.001)
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

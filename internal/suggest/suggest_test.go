package suggest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/suggest"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func TestNearest(t *testing.T) {
	names := []string{"run", "report", "compare", "merge", "bits", "num_inputs"}
	for typed, want := range map[string]string{
		"bitz": "bits", "bist": "bits", "Bits": "bits", "merg": "merge", "mrege": "merge",
		"comprae": "compare", "num_input": "num_inputs",
		"rnu": "run", "numinputs": "num_inputs", "reprot": "report",
		"": "", "x": "", "ru": "", "workers": "", "cats": "", "help": "",
	} {
		require.Equal(t, want, suggest.Nearest(typed, names), typed)
	}
	require.Equal(t, "; did you mean -bits?", suggest.Meant("bitz", "-", names))
	require.Empty(t, suggest.Meant("other", "-", names))
}

func TestEnvironment(t *testing.T) {
	flags := []string{"bits", "curves", "num_inputs"}
	for _, known := range [][]string{nil, {"ZKAT_BITS=32"}, {"PATH=/bin", "BITZ=1"}, {"ZKAT_ELSEWHERE=1"},
		{"ZKATBENCH_LOCK=1"}} {
		require.NoError(t, suggest.Environment(known, "ZKAT_", flags))
	}
	require.EqualError(t, suggest.Environment([]string{"A=1", "ZKAT_BITZ=64"}, "ZKAT_", flags),
		"ZKAT_BITZ: no flag has this variable; did you mean ZKAT_BITS?")
	require.Error(t, suggest.Environment([]string{"ZKAT_NUM_INPUT=64"}, "ZKAT_", flags))
	require.Error(t, suggest.Environment([]string{"ZKAT_bits=64"}, "ZKAT_", flags))
}

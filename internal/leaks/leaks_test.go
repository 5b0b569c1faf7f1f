package leaks_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/leaks"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// leaky is the environment variable that makes the tests leave a goroutine.
const leaky = "LEAKS_TEST_LEAKS"

func TestMain(m *testing.M) {
	if os.Getenv(leaky) != "" {
		go func() { select {} }()
	}
	os.Exit(leaks.Run(m))
}

// TestLeftGoroutinesAreFound runs this package again, with a goroutine that
// never ends.
func TestLeftGoroutinesAreFound(t *testing.T) {
	if os.Getenv(leaky) != "" {
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), leaky+"=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "goroutines are left after the tests")
}

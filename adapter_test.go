package zkatbench_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAdapter compiles and runs docs/adapter, a separate module.
func TestAdapter(t *testing.T) {
	c := exec.Command("go", "test", "./...")
	c.Dir = "docs/adapter"
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
}

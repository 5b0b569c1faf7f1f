package runner_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImportingCostsLittle asks the go command for the dependencies of runner:
// neither testing nor flag, and of this module only text and the packages below runner.
func TestImportingCostsLittle(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "github.com/zkatbench/zkatbench/runner/hist")
	for _, d := range deps {
		require.NotEqual(t, "testing", d)
		require.NotEqual(t, "flag", d)
		if rest, ours := strings.CutPrefix(d, "github.com/zkatbench/zkatbench/"); ours {
			require.True(t, rest == "runner" || rest == "text" || strings.HasPrefix(rest, "runner/"), d)
		}
	}
}

// TestAPIStaysSmall counts the exported names of package runner.
func TestAPIStaysSmall(t *testing.T) {
	out, err := exec.Command("go", "doc", "-all", ".").Output()
	require.NoError(t, err)
	exported := regexp.MustCompile(`(?m)^(func|type|var|const) [A-Z]`).FindAll(out, -1)
	require.Greater(t, len(exported), 10)
	require.Less(t, len(exported), 37, "%s", out)
}

package runner_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// TestPageNamesEveryFindingAndFlag checks that docs/commands.md lists every
// finding and every flag.
func TestPageNamesEveryFindingAndFlag(t *testing.T) {
	b, err := os.ReadFile("../docs/commands.md")
	require.NoError(t, err)
	commands := string(b)
	kinds := runner.Thresholds()
	require.NotEmpty(t, kinds)
	for kind := range kinds {
		require.Contains(t, commands, kind+" (")
	}
	set := new(flags.Set)
	drive.Register(set)
	require.NotEmpty(t, set.Names())
	for _, name := range set.Names() {
		require.Regexp(t, `(?m)(^| )-`+name+`\b`, commands)
	}
}

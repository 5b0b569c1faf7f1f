package runner_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/drive"
)

// TestGuideNamesEveryFindingAndFlag checks that docs/runner.md lists every
// finding, and docs/commands.md every flag.
func TestGuideNamesEveryFindingAndFlag(t *testing.T) {
	b, err := os.ReadFile("../docs/runner.md")
	require.NoError(t, err)
	guide := string(b)
	kinds := runner.Thresholds()
	require.NotEmpty(t, kinds)
	for kind := range kinds {
		require.Contains(t, guide, "`"+kind+"`")
	}
	b, err = os.ReadFile("../docs/commands.md")
	require.NoError(t, err)
	commands := string(b)
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	drive.Register(fs)
	flags := 0
	fs.VisitAll(func(f *flag.Flag) {
		flags++
		require.Contains(t, commands, "`-"+f.Name+"`")
	})
	require.Positive(t, flags)
}

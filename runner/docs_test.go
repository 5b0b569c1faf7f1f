package runner_test

import (
	"os"
	"strings"
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
		require.Contains(t, commands, "`-"+name+"`")
	}
}

// TestPageOfVirtualTimeQuotesItsTest checks that the example of docs/runner.md
// is the test that runs.
func TestPageOfVirtualTimeQuotesItsTest(t *testing.T) {
	page, err := os.ReadFile("../docs/runner.md")
	require.NoError(t, err)
	code, err := os.ReadFile("virtual_test.go")
	require.NoError(t, err)
	_, example, found := strings.Cut(string(code), "\n\n// store is")
	require.True(t, found)
	require.Contains(t, string(page), "```go\n// store is"+strings.TrimRight(example, "\n")+"\n```")
}

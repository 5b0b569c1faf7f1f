package tidy_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// TestUpdatesChangeNothing writes every recorded file in a copy of the committed revision:
// each has the content that its test makes, regardless of earlier tests and of the
// processor.
func TestUpdatesChangeNothing(t *testing.T) {
	if !nightly.On() {
		t.Skip("runs the tests of all packages with recorded files: nightly only")
	}
	here, err := filepath.Abs(root)
	require.NoError(t, err)
	tree := filepath.Join(t.TempDir(), "clone")
	git(t, here, "clone", "-q", "--shared", here, tree)
	list := exec.CommandContext(t.Context(), "go", "list", "-test", "-f",
		`{{.ImportPath}} {{join .Deps " "}}`, "./...")
	list.Dir = tree
	out, err := list.Output()
	require.NoError(t, err)
	args := []string{"test", "-short", "-count=1", "-timeout=2h"}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		pkg, isTest := strings.CutSuffix(fields[0], ".test")
		if isTest && slices.Contains(fields, ourModule+"internal/golden") {
			args = append(args, pkg)
		}
	}
	require.Greater(t, len(args), 20, "packages with recorded files")
	update := exec.CommandContext(t.Context(), "go", append(args, "-update")...)
	update.Dir = tree
	out, err = update.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, git(t, tree, "status", "--porcelain"))
}

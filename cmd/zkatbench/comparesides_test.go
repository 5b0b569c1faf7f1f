package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNoBinaryRuns: a revision none of whose test binaries runs has no side of a comparison,
// and a side without binaries has no further layouts.
func TestNoBinaryRuns(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.24\n",
		"a_test.go": "package m\n\nimport \"os\"\n\nfunc init() { os.Exit(7) }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	layouts, budget := 1, time.Minute
	c := comparison{packages: []string{"."}, layouts: &layouts, budget: &budget, lenient: true}
	_, remove, err := c.build(t.Context(), dir, filepath.Join(t.TempDir(), "built"), tools{}, 1)
	remove()
	require.EqualError(t, err, "m: exit status 7")

	further, err := c.relink(t.Context(), make([]side, 2))
	require.NoError(t, err)
	require.Zero(t, further)
}

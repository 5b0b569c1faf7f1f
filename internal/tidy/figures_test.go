package tidy_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOldFiguresAreMarked compares the revision of each figure in the table of
// docs/figures.md with this tree: the last column says whether the measured code has
// changed since, tests aside.
func TestOldFiguresAreMarked(t *testing.T) {
	t.Chdir(root)
	const head = "| figures | machine, date | revision | code measured | since then " +
		"|\n|---|---|---|---|---|\n"
	_, table, found := strings.Cut(pages(t)["docs/figures.md"], head)
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	require.GreaterOrEqual(t, len(rows), 10)
	for _, row := range rows {
		cells := strings.Split(row, " | ")
		require.Len(t, cells, 5, row)
		require.Regexp(t, `, 20\d\d-\d\d-\d\d$`, cells[1], row)
		revision, folder := cells[2], strings.Trim(cells[3], "`")
		require.DirExists(t, folder, row)
		if exec.Command("git", "cat-file", "-e", revision+"^{commit}").Run() != nil {
			t.Logf("not compared, as this clone lacks the revision: %s", row)
			continue
		}
		changed, err := exec.Command("git", "diff", "--name-only", revision, "--", folder+"/*.go",
			folder+"/*.s",
			":!*_test.go").Output()
		require.NoError(t, err)
		want := "the same |"
		if len(changed) > 0 {
			want = "changed |"
		}
		require.Equal(t, want, cells[4], row)
	}
}

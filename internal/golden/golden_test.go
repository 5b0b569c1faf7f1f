package golden_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/golden"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// recorder is a test that fails without an end.
type recorder struct {
	testing.TB
	text string
}

func (*recorder) Helper()                          {}
func (r *recorder) Errorf(format string, a ...any) { r.text += fmt.Sprintf(format, a...) }

func TestEqualFailsIfAFileDiffers(t *testing.T) {
	if golden.Updating() {
		return // it would write the difference
	}
	file := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(file, []byte("one\ntwo\n"), 0o600))
	r := &recorder{TB: t}
	golden.Equal(r, file, "one\ntwo\n")
	golden.Equal(r, file, []byte("one\ntwo\n"))
	require.Empty(t, r.text)
	golden.Equal(r, file, "one\nthree\n")
	require.Contains(t, r.text, "-update")
	require.Contains(t, r.text, "-two\n+three\n")
}

func TestDifferenceShowsOneHunk(t *testing.T) {
	long, around := strings.Repeat("same\n", 100), strings.Repeat("\n same", 5)
	for _, c := range []struct{ name, want, got, hunk string }{
		{"equal", long, long, ""},
		{"changed", "a\nb\nc", "a\nx\nc", "@@ line 1 @@\n a\n-b\n+x\n c"},
		{"inserted", "a\nb\nc\nd", "a\nx\nb\nc\nd", "@@ line 1 @@\n a\n+x\n b\n c\n d"},
		{"removed", "a\nx\nb\nc\nd", "a\nb\nc\nd", "@@ line 1 @@\n a\n-x\n b\n c\n d"},
		{"at the end", "a\n", "a\nb\n", "@@ line 1 @@\n a\n+b\n "},
		{"only the first", "a\n" + long + "b", "x\n" + long + "y", "@@ line 1 @@\n-a\n+x" + around},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.hunk, golden.Difference(c.want, c.got)) })
	}
}

// TestDifferenceIsShort holds for any two texts, and shows a line that differs.
func TestDifferenceIsShort(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range random.IntN(200) {
			fmt.Fprintln(&b, random.IntN(4))
		}
		return b.String()
	}
	for range 500 {
		want, got := text(), text()
		hunk := golden.Difference(want, got)
		require.Equal(t, want == got, hunk == "")
		require.LessOrEqual(t, strings.Count(hunk, "\n"), 40)
		require.True(t, hunk == "" || strings.Contains(hunk, "\n-") || strings.Contains(hunk, "\n+"), hunk)
	}
}

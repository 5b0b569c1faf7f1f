package v2 // the copy of the package runs inside tests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// edit matches an edit of docs/change-a-proof-step.md: its file and its lines.
var edit = regexp.MustCompile("(?s)```diff ([a-z]+\\.go)\n(.*?)```")

// TestPageAddsACommitment makes the edits of the page in a copy of this package.
// There, honest proofs verify, and proofs with another value anywhere are refused.
func TestPageAddsACommitment(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a copy of the package")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "..", "docs", "change-a-proof-step.md"))
	require.NoError(t, err)
	copied := map[string]string{}
	edits := edit.FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, edits)
	for _, e := range edits {
		file := e[1]
		if copied[file] == "" {
			b, err := os.ReadFile(file)
			require.NoError(t, err)
			copied[file] = string(b)
		}
		was, is := "", ""
		for _, line := range strings.SplitAfter(e[2], "\n") {
			switch {
			case strings.HasPrefix(line, "-"):
				was += line[1:]
			case strings.HasPrefix(line, "+"):
				is += line[1:]
			}
		}
		require.Equal(t, 1, strings.Count(copied[file], was), "%s has not once:\n%s", file, was)
		copied[file] = strings.Replace(copied[file], was, is, 1)
	}
	require.Len(t, copied, 1, "files")
	require.LessOrEqual(t, len(edits), 3)
	copied["added_test.go"] = "package v2\n\nfunc init() { added = true }\n"
	out := vectors.TestCopy(t, copied, "-run", "TestWeightsBind|TestEveryByteIsBound|TestBatches", "-v", ".")
	require.Contains(t, out, "--- PASS: TestWeightsBind")
}

// added is true in the copy, where each proof has the point T.
var added = false

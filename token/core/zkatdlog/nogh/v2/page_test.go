package v2

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
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
	out := vectors.TestCopy(t, copied, "-run", "TestEveryMessageCounts|TestEveryByteIsBound|TestBatches",
		"-v", ".")
	require.Contains(t, out, "--- PASS: TestEveryMessageCounts")
}

// added is true in the copy.
var added = false

// TestEveryMessageCounts: each point of a proof is bound, and a negated one is
// refused.
func TestEveryMessageCounts(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, s := range []shape{{bits: 64, inputs: 2, outputs: 2}, {bits: 32, outputs: 5, publicType: true}} {
		in := newInstance(t, g, s, 3)
		proof, l := in.prove(t), in.p.layoutOf(in.st)
		if added {
			require.Equal(t, 2*l.blocks+4, l.points())
			require.Equal(t, "T", l.pointName(l.points()-1))
		}
		require.NoError(t, in.p.Verify(in.st, proof))
		for i := range l.points() {
			at := 1 + i*g.PointLen()
			point, err := g.DecodePoint(proof[at:][:g.PointLen()])
			require.NoError(t, err)
			wrong := append(g.AppendPoint(clone(proof[:at]), g.SubPoints(group.Point{}, point)),
				proof[at+g.PointLen():]...)
			require.ErrorIs(t, in.p.Verify(in.st, wrong), ErrRejected, l.pointName(i))
		}
	}
}

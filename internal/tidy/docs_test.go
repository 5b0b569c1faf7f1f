package tidy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pages returns all documents by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/spec/*.md"} {
		paths, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			texts[path] = string(text)
		}
	}
	return texts
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	t.Chdir(root)
	for path, text := range pages(t) {
		t.Run(path, func(t *testing.T) {
			for _, m := range link.FindAllStringSubmatch(text, -1) {
				_, err := os.Stat(filepath.Join(filepath.Dir(path), m[1]))
				require.NoError(t, err, "linked in %s", path)
			}
		})
	}
}

func TestTheIndexHasEveryPage(t *testing.T) {
	t.Chdir(root)
	all := pages(t)
	for path := range all {
		t.Run(path, func(t *testing.T) {
			if name, ok := strings.CutPrefix(path, "docs/"); ok && name != "README.md" {
				require.True(t, strings.Contains(all["docs/README.md"], "]("+name+")"),
					"docs/README.md has no link to %s", name)
			}
		})
	}
}

// TestPagesNameTestsThatExist, and theorems that are in the file that a page names.
func TestPagesNameTestsThatExist(t *testing.T) {
	named, theorem := regexp.MustCompile("`((?:Test|Fuzz)\\p{Lu}\\w*)`"),
		regexp.MustCompile("`(\\w+)`, \\[\\w+\\.v\\]\\((proof/\\w+\\.v)\\)")
	function, functions := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`), map[string]bool{}
	for _, f := range folders(t) {
		for _, name := range f.files {
			text, err := os.ReadFile(filepath.Join(root, f.path, name))
			require.NoError(t, err)
			for _, m := range function.FindAllStringSubmatch(string(text), -1) {
				functions[m[1]] = true
			}
		}
	}
	t.Chdir(root)
	for path, text := range pages(t) {
		t.Run(path, func(t *testing.T) {
			for _, m := range named.FindAllStringSubmatch(text, -1) {
				require.True(t, functions[m[1]], "%s names %s", path, m[1])
			}
			for _, m := range theorem.FindAllStringSubmatch(text, -1) {
				file, err := os.ReadFile(filepath.Join("docs", m[2]))
				require.NoError(t, err, path)
				require.Regexp(t, `(Theorem|Lemma|Corollary) `+m[1]+`\b`, string(file), path)
			}
		})
	}
}

var usesAction = regexp.MustCompile(`uses: (\S+)`)

// TestActionsAreNamedByDigest: a tag can be moved to other code, the hash of a
// commit cannot.
func TestActionsAreNamedByDigest(t *testing.T) {
	t.Chdir(root)
	digest := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	paths, err := filepath.Glob(".github/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range append(paths, "action.yml") {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range usesAction.FindAllStringSubmatch(string(text), -1) {
			if m[1] != "./" { // the action of this revision
				require.Regexp(t, digest, m[1], path)
			}
		}
	}
}

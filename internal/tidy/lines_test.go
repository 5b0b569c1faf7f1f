package tidy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// isGenerated is the mark of a generated file.
var isGenerated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestLinesFit: lines of Go are at most 110 columns wide, a tab being four. Directives cannot be
// broken, and generated files are excepted.
func TestLinesFit(t *testing.T) {
	names, err := exec.Command("git", "-C", root, "ls-files", "*.go").Output()
	require.NoError(t, err)
	for _, name := range strings.Fields(string(names)) {
		source, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		if isGenerated.Match(source) {
			continue
		}
		line := 0
		for text := range strings.Lines(string(source)) {
			line++
			text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\t", "    ")
			if utf8.RuneCountInString(text) > 110 && !strings.HasPrefix(text, "//go:") {
				t.Errorf("%s:%d: more than 110 columns", name, line)
			}
		}
	}
}

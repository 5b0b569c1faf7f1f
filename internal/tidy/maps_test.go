package tidy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMapOfTheModule holds doc.go to the folders of the root.
func TestMapOfTheModule(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "doc.go"))
	require.NoError(t, err)
	var named []string
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z]+/) `).FindAllStringSubmatch(string(text), -1) {
		named = append(named, m[1])
	}
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	var there []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			there = append(there, e.Name()+"/")
		}
	}
	require.ElementsMatch(t, there, named)
}

package tidy_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mapLine finds the names at the start of the indented lines of a package
// comment: files, patterns such as thread_*.go, and folders.
var mapLine = regexp.MustCompile(`(?m)^\t([a-z0-9_*./]+(?:\.go|\.s|/))(?:,\s+([a-z0-9_*./]+\.(?:go|s)))*(?:\s|$)`)

// leastFiles is the number of files that need a map.
const leastFiles = 3

// mapped lists the files that a package comment names.
func mapped(comment string) (names []string) {
	for line := range strings.Lines(comment) {
		if !mapLine.MatchString(line) {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			name := strings.TrimSuffix(word, ",")
			if !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".s") && !strings.HasSuffix(name, "/") {
				break
			}
			names = append(names, name)
			if name == word {
				break // no comma: the description follows
			}
		}
	}
	return names
}

// standsFor reports whether name in a map stands for file: prefetch.go does for
// prefetch_amd64.go too.
func standsFor(name, file string) bool {
	stem, _, hasVariant := strings.Cut(strings.TrimSuffix(file, ".go"), "_")
	ok, _ := path.Match(name, file)
	return ok || hasVariant && (name == stem+".go" || strings.HasPrefix(name, stem+"_"))
}

// TestPackageMapsNameEveryFile checks the maps in package comments against the
// files in both directions. A command has a table of its subcommands instead.
func TestPackageMapsNameEveryFile(t *testing.T) {
	maps := 0
	for _, f := range folders(t) {
		var files []string
		for _, name := range f.files {
			if isTest(name) || filepath.Ext(name) != ".go" {
				continue
			}
			if _, file := f.parse(t, name); !generated(file) && file.Name.Name != "main" {
				files = append(files, name)
			}
		}
		names := mapped(f.packageComment(t))
		if len(names) > 0 {
			maps++
		}
		if len(files) < leastFiles && len(names) == 0 {
			continue
		}
		for _, file := range files {
			named := slices.ContainsFunc(names, func(n string) bool { return standsFor(n, file) })
			isDoc := file == "doc.go" || file == "main.go"
			if !named && !isDoc {
				t.Errorf("%s: the package comment does not name %s: add a line, a tab, the name and its one idea", f.path, file)
			}
		}
		for _, n := range names {
			pattern := filepath.Join(root, f.path, strings.TrimSuffix(n, "/"))
			if found, err := filepath.Glob(pattern); err != nil || len(found) == 0 {
				t.Errorf("%s: the package comment names %s, which does not exist", f.path, n)
			} else if info, err := os.Stat(found[0]); err == nil && info.IsDir() != strings.HasSuffix(n, "/") {
				t.Errorf("%s: %s in the package comment: folders end with a slash", f.path, n)
			}
		}
	}
	if maps < 20 {
		t.Errorf("found only %d maps", maps)
	}
}

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

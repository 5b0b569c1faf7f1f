package tidy_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// isDriver reports whether importing path accepts the flags: packages testflags,
// and the packages that read the flags for a subject.
func isDriver(path string) bool {
	return strings.HasSuffix(path, "/internal/testflags") ||
		strings.HasSuffix(path, "/internal/testflags/accept") || strings.HasSuffix(path, "/suitetest") ||
		strings.HasSuffix(path, "/benchtest")
}

func TestEveryTestPackageAcceptsTheFlags(t *testing.T) {
	accepts := map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root &&
			(name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return fs.SkipDir
		}
		if d.IsDir() && path != root && isModule(path) {
			return fs.SkipDir // go test ./... does not enter it
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		dir := filepath.Dir(path)
		accepts[dir] = accepts[dir] || slices.ContainsFunc(importsOf(t, path), isDriver)
		return nil
	}))
	require.Greater(t, len(accepts), 10)
	for dir, does := range accepts {
		t.Run(dir, func(t *testing.T) {
			if !does {
				t.Errorf("go test ./... -bits=32 would fail in %s: a blank import of "+
					"internal/testflags/accept "+
					"in one of its tests fixes it", strings.TrimPrefix(dir, root+"/"))
			}
		})
	}
}

// isModule reports whether dir is the root of a module.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// importsOf lists the imports of the Go file at path.
func importsOf(t *testing.T, path string) (paths []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	require.NoError(t, err)
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		paths = append(paths, p)
	}
	return paths
}

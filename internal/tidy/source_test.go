package tidy_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// folder is a folder with Go files, relative to the root of the module.
type folder struct {
	path  string
	files []string // names of all files with source text: .go, .s and .proto
}

// folders lists the folders with Go files, without testdata.
func folders(t *testing.T) (list []folder) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		name := d.Name()
		if path != root &&
			(name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return fs.SkipDir
		}
		entries, err := os.ReadDir(path)
		require.NoError(t, err)
		relative, err := filepath.Rel(root, path)
		require.NoError(t, err)
		f := folder{path: relative}
		hasGo := false
		for _, e := range entries {
			switch filepath.Ext(e.Name()) {
			case ".go":
				hasGo = true
				fallthrough
			case ".s", ".proto":
				f.files = append(f.files, e.Name())
			}
		}
		if hasGo {
			list = append(list, f)
		}
		return nil
	}))
	require.Greater(t, len(list), 40, "too few folders were found")
	return list
}

// positions has the positions of all parsed files, which parsed has by path.
var (
	positions = token.NewFileSet()
	parsed    = map[string]*ast.File{}
)

// parse reads a Go file of the folder with its comments, once for all tests.
func (f folder) parse(t *testing.T, name string) *ast.File {
	t.Helper()
	path := filepath.Join(root, f.path, name)
	if parsed[path] == nil {
		file, err := parser.ParseFile(positions, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		parsed[path] = file
	}
	return parsed[path]
}

// isTest reports whether a file belongs to tests only.
func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// generated reports whether a tool wrote the Go file.
func generated(file *ast.File) bool { return ast.IsGenerated(file) }

// packageComment returns the package comment of the folder, which can stand in
// any of its files.
func (f folder) packageComment(t *testing.T) string {
	t.Helper()
	var texts []string
	for _, name := range f.files {
		if filepath.Ext(name) != ".go" || isTest(name) {
			continue
		}
		if file := f.parse(t, name); file.Doc != nil && !generated(file) {
			texts = append(texts, file.Doc.Text())
		}
	}
	return strings.Join(texts, "\n")
}

package tidy_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// testSupport are folders with exported names for tests only.
var testSupport = regexp.MustCompile(`(^|/)(badinput|fixture|enginetest|grouptest|rangetest|benchtest|` +
	`networktest|suitetest|testdata|vectors|mutation|testflags|nightly|golden)(/|$)`)

// word is a Go identifier in a document.
var word = regexp.MustCompile(`\b[A-Z]\w*`)

// declared lists the exported names that a file declares: functions, methods of
// any type, types, variables and constants.
func declared(file *ast.File) (names []*ast.Ident) {
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names = append(names, id)
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}

// documentedNames are the words of all documents, templates and examples.
func documentedNames(t *testing.T, list []folder) map[string]bool {
	t.Helper()
	words := map[string]bool{}
	paths, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	templates, err := filepath.Glob(filepath.Join(root, "bench", "*", "*.html"))
	require.NoError(t, err)
	paths = append(paths, templates...)
	for _, f := range list {
		for _, name := range f.files {
			if strings.HasPrefix(name, "example") && isTest(name) {
				paths = append(paths, filepath.Join(root, f.path, name))
			}
		}
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		require.NoError(t, err)
		for _, w := range word.FindAllString(string(text), -1) {
			words[w] = true
		}
	}
	return words
}

// byTheRuntime are methods of interfaces that other libraries call: of the standard
// library and of mathlib's driver.
var byTheRuntime = map[string]bool{
	"Infof": true, // pebble.Logger
	"Error": true, "Unwrap": true, "Is": true, "String": true, "Format": true, "GoString": true,
	"IsBoolFlag":         true,
	"CoordinateByteSize": true, "NewZrFromInt64": true, "ToString": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true, "Read": true,
	"Write": true,
}

// TestExportedNamesAreUsed compares names, not objects: a name used anywhere counts for
// all. It finds functions and types that were left behind.
func TestExportedNamesAreUsed(t *testing.T) {
	list := folders(t)
	documented := documentedNames(t, list)
	used := map[string]bool{}
	var exported []*ast.Ident
	for _, f := range list {
		for _, name := range f.files {
			if filepath.Ext(name) != ".go" || isTest(name) {
				continue
			}
			file := f.parse(t, name)
			own := map[*ast.Ident]bool{}
			for _, id := range declared(file) {
				own[id] = true
				if !testSupport.MatchString(f.path) && !generated(file) && file.Name.Name != "main" {
					exported = append(exported, id)
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && !own[id] {
					used[id.Name] = true
				}
				return true
			})
		}
	}
	require.Greater(t, len(exported), 500)
	for _, id := range exported {
		if !used[id.Name] && !documented[id.Name] && !byTheRuntime[id.Name] {
			t.Errorf("%s: no code uses %s, and no page or example shows it: remove it, unexport it, or "+
				"show it in an example", positions.Position(id.Pos()), id.Name)
		}
	}
}

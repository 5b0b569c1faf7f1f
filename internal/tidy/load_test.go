package tidy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// trees contain the packages that handle secrets.
var trees = []string{"token/...", "scheme/..."}

// pkg is a package as go list describes it.
type pkg struct {
	ImportPath, Name, Export, ForTest   string
	DepOnly                             bool
	GoFiles, Imports, TestImports, Deps []string
	XTestImports                        []string
}

// known are the results of goList by arguments.
var known = map[string][]pkg{}

// goList returns the packages that go list finds with the arguments. Tests share the result.
func goList(t *testing.T, args ...string) (ps []pkg) {
	t.Helper()
	key := strings.Join(args, " ")
	if ps, found := known[key]; found {
		return ps
	}
	const fields = "-json=ImportPath,Name,Export,ForTest,DepOnly,GoFiles,Imports," +
		"TestImports,XTestImports,Deps"
	cmd := exec.Command("go", append([]string{"list", fields}, args...)...)
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p pkg
		require.NoError(t, d.Decode(&p))
		ps = append(ps, p)
	}
	known[key] = ps
	return ps
}

// withTests lists the packages of the module, and the packages that go test makes of them.
func withTests(t *testing.T) []pkg {
	t.Helper()
	return goList(t, "-test", "./...")
}

// packages lists the packages of the module.
func packages(t *testing.T) []pkg {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(withTests(t)), func(p pkg) bool {
		return p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test")
	})
}

// isLibrary reports whether p has code that other packages can import.
func (p pkg) isLibrary() bool { return len(p.GoFiles) > 0 && p.Name != "main" }

// loaded are the results of exportedPackages by pattern.
var loaded = map[string][]*types.Package{}

// exportedPackages returns the packages that match a pattern, or all without a pattern, and that
// other modules can import: no generated, internal or test packages. Tests share the result. In
// short mode there are only those of trees.
func exportedPackages(t *testing.T, patterns ...string) (ps []*types.Package) {
	t.Helper()
	key := strings.Join(patterns, " ")
	if ps, known := loaded[key]; known {
		return ps
	}
	all := []string{"-export", "-deps", "./..."}
	if testing.Short() { // its tests need only these
		all = []string{"-export", "-deps", "./token/...", "./scheme/..."}
	}
	files := map[string]string{}
	for _, p := range goList(t, all...) {
		files[p.ImportPath] = p.Export
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("go list names no export data of %s", path)
		}
		return os.Open(files[path])
	}
	imports := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	for _, p := range goList(t, all...) {
		path := p.ImportPath
		if p.DepOnly || !p.isLibrary() || len(patterns) > 0 && !anyMatches(patterns, folderOf(path)) ||
			strings.Contains(path+"/", "/internal/") || strings.HasSuffix(path, "/pb") ||
			strings.HasSuffix(path, "test") {
			continue
		}
		p, err := imports.Import(path)
		require.NoError(t, err)
		ps = append(ps, p)
	}
	require.NotEmpty(t, ps)
	loaded[key] = ps
	return ps
}

// each calls f for every exported type of ps without type parameters.
func each(ps []*types.Package, f func(name string, n types.Type)) {
	for _, p := range ps {
		for _, name := range p.Scope().Names() {
			object, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || !object.Exported() {
				continue
			}
			if n, ok := types.Unalias(object.Type()).(*types.Named); ok && n.TypeParams().Len() == 0 {
				f(strings.TrimPrefix(p.Path(), ourModule)+"."+name, n)
			}
		}
	}
}

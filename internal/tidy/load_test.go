package tidy_test

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// trees contain the packages that handle secrets.
var trees = []string{"./token/...", "./scheme/..."}

// goList runs go list in the root folder, and returns its lines.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

// loaded are the results of exportedPackages by pattern.
var loaded = map[string][]*types.Package{}

// exportedPackages returns the packages that match the patterns and that other modules
// can import: no generated, internal or test packages. Tests share the result.
func exportedPackages(t *testing.T, patterns ...string) (ps []*types.Package) {
	t.Helper()
	key := strings.Join(patterns, " ")
	if ps, known := loaded[key]; known {
		return ps
	}
	files := map[string]string{}
	for _, line := range goList(t,
		append([]string{"-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}"},
			patterns...)...) {
		path, file, _ := strings.Cut(line, "=")
		files[path] = file
	}
	lookup := func(path string) (io.ReadCloser, error) {
		file, ok := files[path]
		if !ok {
			return nil, fmt.Errorf("go list names no export data of %s", path)
		}
		return os.Open(file)
	}
	imports := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	for _, path := range goList(t,
		append([]string{"-f", "{{if and .GoFiles (ne .Name \"main\")}}{{.ImportPath}}{{end}}"},
			patterns...)...) {
		if strings.Contains(path+"/", "/internal/") || strings.HasSuffix(path, "/pb") ||
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

package runner_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImportingCostsLittle asks the go command for the dependencies of runner:
// neither testing nor flag, and of this module only text and the packages below runner.
func TestImportingCostsLittle(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "github.com/zkatbench/zkatbench/runner/hist")
	for _, d := range deps {
		require.NotEqual(t, "testing", d)
		require.NotEqual(t, "flag", d)
		if rest, ours := strings.CutPrefix(d, "github.com/zkatbench/zkatbench/"); ours {
			require.True(t, rest == "runner" || rest == "text" || strings.HasPrefix(rest, "runner/"), d)
		}
	}
}

// TestAPIStaysSmall counts the exported names of package runner.
func TestAPIStaysSmall(t *testing.T) {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var exported []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			for _, n := range declared(d) {
				if n.IsExported() {
					exported = append(exported, n.Name)
				}
			}
		}
	}
	require.Greater(t, len(exported), 10)
	require.Less(t, len(exported), 37, "%v", exported)
}

// declared returns the package-level names that d declares, without methods.
func declared(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name)
			case *ast.ValueSpec:
				names = append(names, s.Names...)
			}
		}
	}
	return names
}

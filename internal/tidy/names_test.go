package tidy_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Most names that packages export, methods and fields apart: types, functions, variables
// and constants of hand-written files that other modules can import.
const (
	mostNames  = 1435
	mostUnused = 35 // without a user outside of the package, see unused
)

// unreachable matches folders whose exported names no other module imports.
var unreachable = regexp.MustCompile(`^(node|peers)(/|$)|(^|/)internal(/|$)`)

// exportedName is an exported name at the level of a package.
type exportedName struct{ folder, name string }

// exporting is the exported names of a tree.
type exporting struct {
	used   map[exportedName]bool // false without a user in another folder, be it a test
	shown  map[exportedName]bool // types in the signatures and fields of exported names
	errors map[exportedName]bool // errors that callers compare with
}

// unused returns the names without a user outside of their package, except errors, and
// types of parameters, results and fields of other exported names.
func (e exporting) unused() (names []exportedName) {
	for n, used := range e.used {
		if !used && !e.shown[n] && !e.errors[n] {
			names = append(names, n)
		}
	}
	return names
}

// declare adds the exported names of a file.
func (e exporting) declare(folder string, file *ast.File) {
	add := func(id *ast.Ident, types ...ast.Node) {
		if !id.IsExported() {
			return
		}
		n := exportedName{folder, id.Name}
		e.used[n] = false
		if strings.HasPrefix(id.Name, "Err") || strings.HasSuffix(id.Name, "Error") {
			e.errors[n] = true
		}
		e.show(n, types...)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv == nil:
				add(d.Name, d.Type)
			case d.Name.IsExported():
				ast.Inspect(d.Recv, func(n ast.Node) bool { // the receiver's type, without its parameters
					id, ok := n.(*ast.Ident)
					if ok && id.IsExported() {
						e.show(exportedName{folder, id.Name}, d.Type)
					}
					return true
				})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, exportedParts(spec.Type)...)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id, spec.Type)
					}
				}
			}
		}
	}
}

// exportedParts returns the types of the exported and embedded fields of a struct, or the
// type itself if it is no struct.
func exportedParts(t ast.Expr) (types []ast.Node) {
	s, ok := t.(*ast.StructType)
	if !ok {
		return []ast.Node{t}
	}
	for _, f := range s.Fields.List {
		exported := len(f.Names) == 0
		for _, id := range f.Names {
			exported = exported || id.IsExported()
		}
		if exported {
			types = append(types, f.Type)
		}
	}
	return types
}

// show marks the types of its own package that n has in its declaration.
func (e exporting) show(n exportedName, types ...ast.Node) {
	for _, t := range types {
		if t == nil || t == ast.Expr(nil) {
			continue
		}
		ast.Inspect(t, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.SelectorExpr:
				return false
			case *ast.Ident:
				if node.Name != n.name {
					e.shown[exportedName{n.folder, node.Name}] = true
				}
			}
			return true
		})
	}
}

// use marks the names that a file takes from packages of other folders. packages are the
// names of packages by folder.
func (e exporting) use(t *testing.T, folder string, file *ast.File, packages map[string]string) {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		from, ours := strings.CutPrefix(imported, ourModule)
		if !ours || from == folder {
			continue
		}
		name := packages[from]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		require.NotEqual(t, ".", name, "%s imports %s by a dot", folder, from)
		imports[name] = from
	}
	ast.Inspect(file, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := selector.X.(*ast.Ident); ok && id.Obj == nil { // an object of the file shadows the import
			n := exportedName{imports[id.Name], selector.Sel.Name}
			if _, ours := e.used[n]; ours {
				e.used[n] = true
			}
		}
		return true
	})
}

// TestFewNamesAreExported holds the number of exported names, and of names that nobody
// uses outside of their package: tests, other modules of the tree, and all platforms count.
func TestFewNamesAreExported(t *testing.T) {
	e := exporting{map[exportedName]bool{}, map[exportedName]bool{}, map[exportedName]bool{}}
	packages, files := map[string]string{}, map[string][]*ast.File{}
	for _, f := range folders(t) {
		for _, name := range f.files {
			if filepath.Ext(name) != ".go" {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, f.path, name), nil, parser.ParseComments)
			require.NoError(t, err)
			at := path.Clean(filepath.ToSlash(f.path))
			files[at] = append(files[at], file)
			if isTest(name) {
				continue
			}
			packages[at] = file.Name.Name
			if file.Name.Name != "main" && !generated(file) && !unreachable.MatchString(at) {
				e.declare(at, file)
			}
		}
	}
	for folder, list := range files {
		for _, file := range list {
			e.use(t, folder, file, packages)
		}
	}
	unused := e.unused()
	t.Logf("%d exported names, %d of them without a user outside of their package", len(e.used), len(unused))
	require.LessOrEqual(t, len(e.used), mostNames, "exported names: unexport some, or let a type carry them")
	require.LessOrEqual(t, len(unused), mostUnused, "exported names without a user outside of their package: %v", unused)
}

// TestNamesAreCounted counts the names of a small tree.
func TestNamesAreCounted(t *testing.T) {
	parse := func(text string) *ast.File {
		file, err := parser.ParseFile(token.NewFileSet(), "f.go", text, 0)
		require.NoError(t, err)
		return file
	}
	e := exporting{map[exportedName]bool{}, map[exportedName]bool{}, map[exportedName]bool{}}
	e.declare("p", parse(`package p
		type Result struct{ Part Part; own Own }
		type Part struct{}
		type Own int
		type Made[T any] struct{}
		type Param struct{}
		var ErrLost error
		const A, b = 1, 2
		var V, W int
		func F() Result { return Result{} }
		func (m *Made[T]) Set(Param) {}
		func G() *Made[int] { return nil }`))
	require.Len(t, e.used, 11)
	e.use(t, "q", parse(`package q; import other "`+ourModule+`p"; var x = other.F(); func f(other struct{ A int }) int { return other.A }`), map[string]string{"p": "p"})
	e.use(t, "p", parse(`package p_test; import "`+ourModule+`p"; var x = p.V`), map[string]string{"p": "p"})
	e.use(t, "r", parse(`package r; import "`+ourModule+`p"; var x = p.W`), map[string]string{"p": "p"})
	require.ElementsMatch(t, []exportedName{{"p", "Own"}, {"p", "A"}, {"p", "V"}, {"p", "G"}}, e.unused())
}

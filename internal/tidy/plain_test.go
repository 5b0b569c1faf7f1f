package tidy_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	mostValues = 3  // of a parallel assignment
	mostBare   = 3  // values without keys in a literal of a struct
	mostLines  = 25 // of a function without a comment
)

// A styler checks the files of one folder.
type styler struct {
	folder  string
	imports map[string]string   // folders by names of packages
	types   map[string]ast.Expr // by folder and name, of all folders
	t       *testing.T
}

// isStruct reports whether a type is a struct, as far as the tree declares its name.
func (p *styler) isStruct(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.StructType:
		return true
	case *ast.Ident:
		return p.isStruct(p.types[p.folder+"."+t.Name])
	case *ast.SelectorExpr:
		other := *p
		other.folder = p.imports[types.ExprString(t.X)]
		return other.folder != "" && other.isStruct(t.Sel)
	case *ast.IndexExpr:
		return p.isStruct(t.X)
	case *ast.IndexListExpr:
		return p.isStruct(t.X)
	case *ast.StarExpr:
		return p.isStruct(t.X)
	}
	return false
}

// literal checks a literal of type t, and those inside that leave out their types.
func (p *styler) literal(l *ast.CompositeLit, t ast.Expr) {
	if len(l.Elts) > mostBare && p.isStruct(t) {
		if _, keys := l.Elts[0].(*ast.KeyValueExpr); !keys {
			p.report(l, "a struct of more than 3 fields without keys")
		}
	}
	var item ast.Expr
	switch t := t.(type) {
	case *ast.ArrayType:
		item = t.Elt
	case *ast.MapType:
		item = t.Value
	}
	for _, e := range l.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			e = pair.Value
		}
		if inner, ok := e.(*ast.CompositeLit); ok && inner.Type == nil {
			p.literal(inner, item)
		}
	}
}

// report reports a node that is not plain.
func (p *styler) report(at ast.Node, text string) {
	p.t.Errorf("%s: %s", positions.Position(at.Pos()), text)
}

// lines returns the number of lines of n.
func lines(n ast.Node) int {
	return positions.Position(n.End()).Line - positions.Position(n.Pos()).Line + 1
}

// sorted returns expressions as sorted texts.
func sorted(list []ast.Expr) (texts []string) {
	for _, e := range list {
		texts = append(texts, types.ExprString(e))
	}
	slices.Sort(texts)
	return texts
}

// node checks one node.
func (p *styler) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		if n.Type != nil {
			p.literal(n, n.Type)
		}
	case *ast.IndexExpr:
		if _, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok {
			p.report(n, "a literal that is indexed")
		}
	case *ast.AssignStmt:
		if len(n.Lhs) > mostValues && len(n.Lhs) == len(n.Rhs) &&
			!slices.Equal(sorted(n.Lhs), sorted(n.Rhs)) {
			p.report(n, "a parallel assignment of more than 3 values")
		}
	case *ast.IfStmt:
		if a, ok := n.Init.(*ast.AssignStmt); n.Init != nil && (!ok || a.Tok != token.DEFINE) {
			p.report(n, "a side effect in the condition of an if")
		}
	case *ast.FuncDecl:
		if n.Body != nil && lines(n.Body) > mostLines+2 && n.Doc.Text() == "" {
			p.report(n, "a function of more than 25 lines without a comment")
		}
	}
}

// TestPlainGo: the product has no indexed literals, no parallel assignments of many
// values except permutations and results of a call, no side effects in the conditions of
// if, keys in literals of structs with four and more fields, and a comment for each
// function of more than 25 lines. Generated files are excepted.
func TestPlainGo(t *testing.T) {
	declared := map[string]ast.Expr{}
	var checks []func()
	for _, f := range folders(t) {
		for _, name := range f.files {
			if filepath.Ext(name) != ".go" || isTest(name) {
				continue
			}
			file := f.parse(t, name)
			p := &styler{folder: f.path, imports: map[string]string{}, types: declared, t: t}
			for _, i := range file.Imports {
				path, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), ourModule)
				if ours && i.Name != nil {
					p.imports[i.Name.Name] = path
				} else if ours {
					p.imports[filepath.Base(path)] = path
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok {
					declared[f.path+"."+spec.Name.Name] = spec.Type
				}
				return true
			})
			if !generated(file) {
				checks = append(checks, func() {
					ast.Inspect(file, func(n ast.Node) bool { p.node(n); return true })
				})
			}
		}
	}
	for _, check := range checks { // after all types are known
		check()
	}
}

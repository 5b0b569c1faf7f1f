package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/format"
	"maps"
	"slices"
	"strings"
)

// Mutants are built together: each is a copy of its function with the edit, and the
// function begins with a switch that calls the copy of the chosen mutant. The
// environment variable chosenEnv chooses it. With the value record, a copy runs that
// notes the numbers of its blocks with edits in the file reachedEnv. So one build of
// a test binary serves all mutants, and a mutant costs the tests that reach its block.
const (
	chosenEnv  = "ZKAT_MUTANT"
	reachedEnv = "ZKAT_MUTANT_REACHED"
	record     = "-1"
)

// added is the file that each changed package has in addition; helper is its text with
// helperImports.
const added = "zz_mutants.go"

var helperImports = []string{"fmt", "os", "reflect", "strconv", "sync/atomic"}

//go:embed mutants.go.txt
var helper string

// functions returns the functions that can be copied: all with a body, except
// main, init and functions without a name.
func (s *source) functions() (all []*ast.FuncDecl) {
	for _, d := range s.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Body != nil && f.Name.Name != "_" && (f.Recv != nil || f.Name.Name != "init" && f.Name.Name != "main") {
			all = append(all, f)
		}
	}
	return all
}

// withCopies returns the text of s with a copy of a function for each mutant, whose
// place and lines it sets.
func (s *source) withCopies(mutants []*edit) []byte {
	var out, copies bytes.Buffer
	places := s.pkg.tree.places
	end := 0
	for _, f := range s.functions() {
		from, body, to := s.offset(f.Pos()), s.offset(f.Body.Lbrace)+1, s.offset(f.End())
		inside := slices.DeleteFunc(slices.Clone(mutants), func(e *edit) bool { return e.start < body || e.end >= to })
		if len(inside) == 0 {
			continue
		}
		c := newCopier(s, f)
		marks := map[int]int{} // from the beginning of a block to its number
		fmt.Fprintf(&out, "%s%s switch zzMutant {", s.text[end:from], c.head(""))
		for _, e := range inside {
			block := s.block(f, e)
			key := fmt.Sprint(s.path, " ", block)
			if places[key] == 0 {
				places[key] = len(places) + 1
			}
			e.place, marks[block] = places[key], places[key]
			suffix := fmt.Sprint("_zz", e.number)
			out.WriteString(c.branch(fmt.Sprint(e.number), suffix))
			first := 1 + bytes.Count(copies.Bytes(), []byte("\n"))
			fmt.Fprintf(&copies, "%s%s%s%s\n", c.head(suffix), s.text[body:e.start], e.text, s.text[e.end:to])
			e.lines = [2]int{first, bytes.Count(copies.Bytes(), []byte("\n"))}
		}
		fmt.Fprintf(&out, "%s};%s", c.branch(record, "_zzNoted"), s.text[body:to])
		end = to
		copies.WriteString(c.head("_zzNoted"))
		for _, b := range slices.Sorted(maps.Keys(marks)) {
			fmt.Fprintf(&copies, "%szzReach(%d); ", s.text[body:b], marks[b])
			body = b
		}
		fmt.Fprintf(&copies, "%s\n", s.text[body:to])
	}
	fmt.Fprintf(&out, "%s\n", s.text[end:])
	before := bytes.Count(out.Bytes(), []byte("\n"))
	for _, e := range mutants {
		e.lines[0], e.lines[1] = e.lines[0]+before, e.lines[1]+before
	}
	out.Write(copies.Bytes())
	return out.Bytes()
}

// block returns where the innermost list of statements of f with the edit begins.
func (s *source) block(f *ast.FuncDecl, e *edit) int {
	at := s.offset(f.Body.List[0].Pos())
	ast.Inspect(f.Body, func(n ast.Node) bool {
		var list []ast.Stmt
		switch x := n.(type) {
		case *ast.BlockStmt:
			list = x.List
		case *ast.CaseClause:
			list = x.Body
		case *ast.CommClause:
			list = x.Body
		}
		if len(list) > 0 && s.offset(list[0].Pos()) <= e.start && e.end <= s.offset(list[len(list)-1].End()) {
			switch list[0].(type) {
			case *ast.CaseClause, *ast.CommClause: // of a switch, no statements
			default:
				at = s.offset(list[0].Pos())
			}
		}
		return true
	})
	return at
}

// copier writes the heads of the copies of a function, and calls of them.
type copier struct {
	source         *source
	f              *ast.FuncDecl
	before, behind string // the name in a call
}

// newCopier gives names to the parameters of f that have none.
func newCopier(s *source, f *ast.FuncDecl) *copier {
	names := func(list *ast.FieldList) string {
		var all []string
		for _, field := range list.List {
			if len(field.Names) == 0 {
				field.Names = []*ast.Ident{ast.NewIdent("_")}
			}
			for i, id := range field.Names {
				if id.Name == "_" {
					field.Names[i] = ast.NewIdent(fmt.Sprintf("zzP%d", s.offset(field.Type.Pos())+i))
				}
				name := field.Names[i].Name
				if _, variadic := field.Type.(*ast.Ellipsis); variadic {
					name += "..."
				}
				all = append(all, name)
			}
		}
		return strings.Join(all, ", ")
	}
	c := &copier{source: s, f: f, behind: "(" + names(f.Type.Params) + ");"}
	if types := f.Type.TypeParams; types != nil {
		c.behind = "[" + names(types) + "]" + c.behind
	}
	if f.Recv != nil {
		c.before = names(f.Recv) + "."
	}
	if f.Type.Results != nil {
		c.before = "return " + c.before
	} else {
		c.behind += " return;"
	}
	return c
}

// head returns the head of the function with a suffix of its name.
func (c *copier) head(suffix string) string {
	var text bytes.Buffer
	f := &ast.FuncDecl{Recv: c.f.Recv, Name: ast.NewIdent(c.f.Name.Name + suffix), Type: c.f.Type}
	if err := format.Node(&text, c.source.pkg.tree.set, f); err != nil {
		panic(err) // the head was parsed
	}
	return text.String() + " {"
}

// branch returns a case that calls the copy with the suffix.
func (c *copier) branch(value, suffix string) string {
	return "case " + value + ": " + c.before + c.f.Name.Name + suffix + c.behind
}

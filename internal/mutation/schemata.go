package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
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

// added is the file that each changed package has in addition; helper is its text.
// Imports are renamed, since a package may declare their names.
const added = "zz_mutants.go"

var helperImports = []string{"fmt", "os", "reflect", "strconv", "sync/atomic"}

const helper = `package %s

import (
	zzfmt "fmt"
	zzos "os"
	zzreflect "reflect"
	zzstrconv "strconv"
	zzatomic "sync/atomic"
)

var zzMutant = func() int { n, _ := zzstrconv.Atoi(zzos.Getenv(%q)); return n }()

var zzReached [1 << 16]zzatomic.Bool

func zzReach(place int) {
	if !zzReached[place].Load() && !zzReached[place].Swap(true) {
		if f, err := zzos.OpenFile(zzos.Getenv(%q), zzos.O_APPEND|zzos.O_CREATE|zzos.O_WRONLY, 0o600); err == nil {
			zzfmt.Fprintln(f, place)
			f.Close()
		}
	}
}

func zzZero[T any](T) (zero T) { return zero }

func zzLate[T any](late bool, x T) (zero T) {
	if late {
		return zero
	}
	return x
}

func zzTail[S ~[]T, T any](s S, n int) { clear(s[min(n, len(s)):]) }

func zzButLast[S ~[]T, T any](s S) S { return s[:max(len(s)-1, 0)] }

func zzSame(but int, x, y any) bool {
	a, b := zzreflect.ValueOf(x), zzreflect.ValueOf(y)
	n, part := 0, zzreflect.Value.Index
	if a.Kind() == zzreflect.Struct {
		n, part = a.NumField(), zzreflect.Value.Field
	} else {
		n = a.Len()
	}
	for i := range n {
		if i != but && !part(a, i).Equal(part(b, i)) {
			return false
		}
	}
	return true
}
`

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
		fmt.Fprintf(&out, "%s%s{ switch zzMutant {", s.text[end:from], c.head(""))
		for _, e := range inside {
			block := s.block(f, e)
			key := fmt.Sprint(s.path, " ", block)
			if places[key] == 0 {
				places[key] = len(places) + 1
			}
			e.place, marks[block] = places[key], places[key]
			suffix := fmt.Sprint(e.number)
			out.WriteString(c.branch(suffix, suffix))
			first := 1 + bytes.Count(copies.Bytes(), []byte("\n"))
			fmt.Fprintf(&copies, "%s{%s%s%s\n", c.head(suffix), s.text[body:e.start], e.text, s.text[e.end:to])
			e.lines = [2]int{first, bytes.Count(copies.Bytes(), []byte("\n"))}
		}
		fmt.Fprintf(&out, "%s};%s", c.branch(record, "Noted"), s.text[body:to])
		end = to
		copies.WriteString(c.head("Noted") + "{")
		for _, b := range slices.Sorted(maps.Keys(marks)) {
			fmt.Fprintf(&copies, "%s zzReach(%d);", s.text[body:b], marks[b])
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
func (s *source) block(f *ast.FuncDecl, e *edit) (at int) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		start, end := token.NoPos, token.NoPos
		switch x := n.(type) {
		case *ast.BlockStmt:
			if len(x.List) == 0 || !isClause(x.List[0]) {
				start, end = x.Lbrace, x.Rbrace
			}
		case *ast.CaseClause:
			start, end = x.Colon, x.End()
		case *ast.CommClause:
			start, end = x.Colon, x.End()
		}
		if start.IsValid() && s.offset(start) < e.start && e.end <= s.offset(end) {
			at = s.offset(start) + 1
		}
		return true
	})
	return at
}

func isClause(first ast.Stmt) bool {
	switch first.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// copier writes the heads of the copies of a function, and calls of them.
type copier struct {
	source *source
	f      *ast.FuncDecl
	call   string // after the name
}

// newCopier gives names to the parameters of f that have none.
func newCopier(s *source, f *ast.FuncDecl) *copier {
	names := func(list *ast.FieldList) (all []string) {
		for _, field := range list.List {
			dots := ""
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				dots = "..."
			}
			if len(field.Names) == 0 {
				field.Names = []*ast.Ident{ast.NewIdent("_")}
			}
			for i, id := range field.Names {
				if id.Name == "_" {
					field.Names[i] = ast.NewIdent(fmt.Sprintf("zzP%d", s.offset(field.Type.Pos())+i))
				}
				all = append(all, field.Names[i].Name+dots)
			}
		}
		return all
	}
	c := &copier{source: s, f: f}
	if types := f.Type.TypeParams; types != nil {
		c.call = "[" + strings.Join(names(types), ", ") + "]"
	}
	c.call += "(" + strings.Join(names(f.Type.Params), ", ") + ")"
	if f.Recv != nil {
		names(f.Recv)
	}
	return c
}

// head returns the head of the function with a suffix of its name.
func (c *copier) head(suffix string) string {
	var text bytes.Buffer
	f := &ast.FuncDecl{Recv: c.f.Recv, Name: ast.NewIdent(c.named(suffix)), Type: c.f.Type}
	if err := format.Node(&text, c.source.pkg.tree.set, f); err != nil {
		panic(err) // the head was parsed
	}
	return text.String() + " "
}

func (c *copier) named(suffix string) string {
	if suffix == "" {
		return c.f.Name.Name
	}
	return c.f.Name.Name + "_zz" + suffix
}

// branch returns a case that calls the copy with the suffix.
func (c *copier) branch(value, suffix string) string {
	call := c.named(suffix) + c.call
	if c.f.Recv != nil {
		call = c.f.Recv.List[0].Names[0].Name + "." + call
	}
	if c.f.Type.Results != nil {
		return "case " + value + ": return " + call + ";"
	}
	return "case " + value + ": " + call + "; return;"
}

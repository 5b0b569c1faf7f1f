package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// Mutants are built together: each is a copy of the body of its function with the
// edit, and the function begins with a switch that calls the copy of the chosen mutant. The
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

var helperImports = []string{"fmt", "os", "reflect", "strconv", "sync"}

//go:embed mutants.go.txt
var helper string

// functions returns the functions that can be copied: all with a body, except
// main, init and functions without a name.
func (s *source) functions() (all []*ast.FuncDecl) {
	for _, d := range s.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Body != nil && f.Name.Name != "_" &&
			(f.Recv != nil || f.Name.Name != "init" && f.Name.Name != "main") {
			all = append(all, f)
		}
	}
	return all
}

// withCopies returns the text of s. Each function with mutants begins with a switch that
// calls its copies. It sets the place and the lines of each mutant.
func (s *source) withCopies(mutants []*edit) []byte {
	var out bytes.Buffer
	written, line := 0, 1
	write := func(text string) {
		line += strings.Count(text, "\n")
		out.WriteString(text)
	}
	for _, f := range s.functions() {
		body, end := s.offset(f.Body.Lbrace)+1, s.offset(f.Body.Rbrace)
		inside := slices.DeleteFunc(slices.Clone(mutants), func(e *edit) bool {
			return e.start < body || e.end > end
		})
		if len(inside) == 0 {
			continue
		}
		write(string(s.text[written:body]) + "\nswitch zzMutant {\n")
		written = body
		var blocks []int // where they begin
		for _, e := range inside {
			block := s.block(f, e)
			e.place, blocks = s.place(block), append(blocks, block)
			e.lines[0] = line
			write(s.branch(f, fmt.Sprint(e.number),
				fmt.Sprintf("%s%s%s", s.text[body:e.start], e.text, s.text[e.end:end])))
			e.lines[1] = line - 1
		}
		slices.Sort(blocks)
		noted := ""
		for _, b := range slices.Compact(blocks) {
			noted += fmt.Sprintf("%szzReach(%s); ", s.text[body:b], s.place(b))
			body = b
		}
		write(s.branch(f, record, noted+string(s.text[body:end])) + "}\n")
	}
	return append(out.Bytes(), s.text[written:]...)
}

// branch returns a case that calls a copy of f with another body.
func (s *source) branch(f *ast.FuncDecl, value, body string) string {
	if f.Type.Results == nil {
		return fmt.Sprintf("case %s: func() {%s}(); return\n", value, body)
	}
	return fmt.Sprintf("case %s: return func() %s {%s}()\n", value, s.code(f.Type.Results), body)
}

// place returns the number of an offset, unique among all files.
func (s *source) place(offset int) string { return fmt.Sprint(int(s.tree.FileStart) + offset) }

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

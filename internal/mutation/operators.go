package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An edit replaces the bytes [start, end) of a file by text. It lies in the body of
// one function.
type edit struct {
	*source
	function   string // [Type.]name
	start, end int
	text       string
	name       string

	number int    // of the mutant, from 1 on
	place  int    // number of its block
	lines  [2]int // of its copy in the changed file
}

// describe names the edit by its package, its function and the lines that it changes,
// so that a list of equivalent mutants stays true while other lines change. more is
// the number of lines before.
func (e *edit) describe(more int) string {
	from := bytes.LastIndexByte(e.source.text[:e.start], '\n')
	for ; more > 0; more-- {
		from = bytes.LastIndexByte(bytes.TrimRight(e.source.text[:from], "\n"), '\n')
	}
	to := e.end + bytes.IndexByte(e.source.text[e.end:], '\n')
	line := fmt.Sprintf("%s⟦%s → %s⟧%s", e.source.text[from:e.start], e.source.text[e.start:e.end], e.text, e.source.text[e.end:to])
	return e.pkg.folder + " " + e.function + ": " + strings.Join(strings.Fields(line), " ")
}

func (e *edit) line() int { return 1 + bytes.Count(e.source.text[:e.start], []byte("\n")) }

func (s *source) offset(p token.Pos) int    { return s.pkg.tree.set.Position(p).Offset }
func (s *source) code(n ast.Node) string    { return string(s.text[s.offset(n.Pos()):s.offset(n.End())]) }
func (s *source) typ(x ast.Expr) types.Type { return s.pkg.info.TypeOf(x) }

// nameOf returns [Type.]name.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	text := strings.TrimLeft(types.ExprString(f.Recv.List[0].Type), "*")
	text, _, _ = strings.Cut(text, "[")
	return text + "." + f.Name.Name
}

// hints names functions that only tell the processor or the system what is read soon,
// or that registers are free: simd.Leave.
var hints = []string{"prefetch", "advise", "Advise", "Leave"}

// edits returns every edit of the operators in s.
func (s *source) edits() []*edit {
	var all []*edit
	for _, f := range s.functions() {
		if !slices.Contains(hints, f.Name.Name) {
			o := operators{source: s, function: nameOf(f)}
			o.early(f)
			ast.Inspect(f.Body, o.visit)
			all = append(all, o.found...)
		}
	}
	return all
}

// operators collects the edits of one function.
type operators struct {
	*source
	function string
	found    []*edit
}

func (o *operators) add(from, to token.Pos, format string, args ...any) {
	e := &edit{source: o.source, function: o.function, start: o.offset(from), end: o.offset(to), text: fmt.Sprintf(format, args...)}
	same := func(other *edit) bool { return other.start == e.start && other.end == e.end && other.text == e.text }
	if e.text != string(o.text[e.start:e.end]) && !slices.ContainsFunc(o.found, same) {
		e.name = e.describe(0)
		o.found = append(o.found, e)
	}
}

func (o *operators) replace(n ast.Node, format string, args ...any) {
	o.add(n.Pos(), n.End(), format, args...)
}

func (o *operators) condition(x ast.Expr) {
	o.replace(x, "!(%s)", o.code(x))
	o.replace(x, "false && (%s)", o.code(x))
	o.replace(x, "true || (%s)", o.code(x))
}

// zero replaces a value that is not constant by the zero value of its type.
func (o *operators) zero(values ...ast.Expr) {
	for _, x := range values {
		if v := o.pkg.info.Types[x]; v.IsValue() && v.Value == nil && !v.IsNil() {
			if _, several := v.Type.(*types.Tuple); !several {
				o.replace(x, "zzZero(%s)", o.code(x))
			}
		}
	}
}

// remove keeps a statement where it is not run, so that its names stay in use.
func (o *operators) remove(n ast.Node) { o.replace(n, "if false { %s }", o.code(n)) }

// visit adds the edits of a node, and reports whether those of its parts follow.
func (o *operators) visit(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.IfStmt:
		o.condition(x.Cond)
	case *ast.BlockStmt:
		o.restarts(x.List)
	case *ast.CaseClause:
		o.restarts(x.Body)
	case *ast.SwitchStmt:
		for _, clause := range x.Body.List {
			for _, cond := range clause.(*ast.CaseClause).List {
				if x.Tag == nil {
					o.condition(cond)
				}
			}
		}
	case *ast.ForStmt:
		o.counted(x)
		for _, part := range []ast.Node{x.Init, x.Cond, x.Body} {
			if part != nil {
				ast.Inspect(part, o.visit)
			}
		}
		return false // without x.Post, whose edits only make loops endless
	case *ast.RangeStmt:
		o.ranged(x)
	case *ast.BinaryExpr:
		o.binary(x)
	case *ast.UnaryExpr:
		if x.Op == token.NOT || x.Op == token.SUB {
			o.replace(x, "%s", o.code(x.X))
		}
	case *ast.BasicLit:
		o.constant(x)
	case *ast.Ident:
		o.named(x, x)
	case *ast.SelectorExpr:
		ast.Inspect(x.X, o.visit)
		o.named(x, x.Sel)
		return false
	case *ast.IndexExpr:
		if v := o.pkg.info.Types[x.Index]; o.list(x.X) && v.Value == nil {
			o.replace(x.Index, "0*(%s)", o.code(x.Index))
		}
	case *ast.SliceExpr:
		o.bounds(x)
	case *ast.CallExpr:
		return o.call(x)
	case *ast.CompositeLit:
		for i, elt := range x.Elts {
			if pair, ok := elt.(*ast.KeyValueExpr); ok {
				elt = pair.Value
			} else if i > 0 && i == len(x.Elts)-1 && o.list(x) {
				o.add(x.Elts[i-1].End(), elt.End(), "")
			}
			o.zero(elt)
		}
	case *ast.ReturnStmt:
		o.zero(x.Results...)
	case *ast.ExprStmt:
		call, ok := x.X.(*ast.CallExpr)
		if !ok || slices.Contains(hints, calledName(call)) || calledName(call) == "Put" && len(call.Args) == 1 {
			return !ok // memory of a pool and hints are a matter of time
		}
		o.remove(x)
		if len(call.Args) > 0 && o.list(call.Args[0]) && calledName(call) != "clear" {
			o.replace(x, "{ %s; zzTail(%s, 8) }", o.code(x), o.code(call.Args[0]))
		}
	case *ast.DeferStmt:
		if calledName(x.Call) != "Put" {
			o.remove(x)
		}
	case *ast.IncDecStmt:
		o.remove(x)
	case *ast.AssignStmt:
		o.assign(x)
	case *ast.BranchStmt:
		if other, ok := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[x.Tok]; ok && x.Label == nil {
			o.replace(x, "%s", other)
		}
	case *ast.FuncLit:
		ast.Inspect(x.Body, o.visit)
		return false
	case *ast.ArrayType, *ast.MapType, *ast.StructType:
		return false // the length of an array type is no operation
	}
	return true
}

// list reports whether x is a slice or an array that is no array of a type parameter.
func (o *operators) list(x ast.Expr) bool {
	t := o.typ(x)
	if t == nil {
		return false
	}
	t = t.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t.(type) {
	case *types.Slice, *types.Array:
		return true
	}
	return false
}

// comparisons maps a comparison to the one that differs at its boundary.
var comparisons = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

func (o *operators) binary(x *ast.BinaryExpr) {
	if to, ok := comparisons[x.Op]; ok {
		o.add(x.OpPos, x.OpPos+token.Pos(len(x.Op.String())), "%s", to)
	}
	left, right := o.code(x.X), o.code(x.Y)
	switch x.Op {
	case token.LAND:
		o.replace(x.X, "(true || %s)", left)
		o.replace(x.Y, "(true || %s)", right)
	case token.LOR:
		o.replace(x.X, "(false && (%s))", left)
		o.replace(x.Y, "(false && (%s))", right)
	case token.SUB, token.QUO, token.REM, token.SHL, token.SHR:
		if left != right {
			o.replace(x, "(%s) %s (%s)", right, x.Op, left)
		}
	case token.EQL, token.NEQ: // without one field, or the last item
		parts, not := []int{}, map[bool]string{true: "!"}[x.Op == token.NEQ]
		switch t := o.typ(x.X).Underlying().(type) {
		case *types.Struct:
			for i := range t.NumFields() {
				parts = append(parts, i)
			}
		case *types.Array:
			parts = append(parts, int(t.Len()-1))
		}
		for _, i := range parts {
			o.replace(x, "%szzSame(%d, %s, %s)", not, i, left, right)
		}
	}
}

// named edits a constant that is declared outside the standard library.
func (o *operators) named(x ast.Expr, id *ast.Ident) {
	c, ok := o.pkg.info.Uses[id].(*types.Const)
	if ok && c.Pkg() != nil && (c.Pkg().Path() == o.pkg.ImportPath || strings.Contains(c.Pkg().Path(), ".")) {
		o.constant(x)
	}
}

// constant changes an integer by one and to zero, and the text of a label.
func (o *operators) constant(x ast.Expr) {
	v := o.pkg.info.Types[x].Value
	if v == nil {
		return
	}
	if n, exact := constant.Int64Val(constant.ToInt(v)); exact && n >= 0 {
		for _, to := range []int64{n + 1, max(n-1, 0), 0} {
			if _, literal := x.(*ast.BasicLit); literal {
				o.replace(x, "%d", to)
			} else if to > 0 && to != n {
				o.replace(x, "(%s%+d)", o.code(x), to-n)
			}
		}
	}
	if v.Kind() == constant.String {
		text := constant.StringVal(v)
		if len(text) > 3 && strings.ContainsAny(text, "-./") && !strings.ContainsAny(text, " %") {
			o.replace(x, "(%s + \"'\")", o.code(x))
		}
	}
}

func (o *operators) bounds(x *ast.SliceExpr) {
	fixed := func(x ast.Expr) bool { return o.pkg.info.Types[x].Value != nil }
	if x.Low != nil && !fixed(x.Low) {
		o.replace(x.Low, "0*(%s)", o.code(x.Low))
		o.replace(x.Low, "(%s)+1", o.code(x.Low))
	}
	if x.High != nil && !fixed(x.High) {
		o.replace(x.High, "(%s)-1", o.code(x.High))
	}
	if x.High != nil && x.Max == nil {
		o.add(x.High.Pos(), x.Rbrack, "")
	}
}

// noEffect names functions whose arguments no result depends on: capacities, signs and
// sizes of which a literal one above or below selects the same, and texts of errors.
var noEffect = []string{
	"math.Inf", "strconv.ParseFloat", "strconv.ParseInt", "strconv.ParseUint", "strconv.FormatFloat",
	"fmt.Errorf", "errors.New", "panic", "slices.Grow", "copy", "len", "cap", "Put",
}

// symmetric names functions with arguments that can change places.
var symmetric = []string{
	"Add", "AddVec", "AddPoints", "Mul", "MulVec", "Multiply", "Equal", "EqualG1", "EqualG2", "AddG1", "AddG2", "MulScalars",
	"mulMod", "max", "min", "InnerProduct", "Inner", "And", "Or", "Xor", "same", "Add64", "Mul64",
}

// calledName returns the name of the called function without its package or receiver.
func calledName(x *ast.CallExpr) string {
	switch f := x.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// call edits the arguments of a call, and reports whether edits of its parts follow.
func (o *operators) call(x *ast.CallExpr) bool {
	name := calledName(x)
	if v := o.pkg.info.Types[x.Fun]; v.IsType() || v.IsBuiltin() && name != "append" && name != "min" && name != "max" ||
		slices.Contains(noEffect, o.code(x.Fun)) || slices.Contains(noEffect, name) {
		if name == "make" && len(x.Args) > 1 {
			ast.Inspect(x.Args[1], o.visit)
		}
		return v.IsType() || name == "copy" || name == "len"
	}
	switch last := len(x.Args) - 1; {
	case name == "append" && last > 0:
		if !x.Ellipsis.IsValid() && last == 1 {
			for _, n := range []int{1, 8} {
				o.replace(x.Args[1], "zzLate(len(%s) >= %d, %s)", o.code(x.Args[0]), n, o.code(x.Args[1]))
			}
		}
		o.replace(x, "%s", o.code(x.Args[0]))
		o.zero(x.Args[1:]...)
		return true
	case name == "Equal" && last > 0 && o.list(x.Args[0]) && o.list(x.Args[1]):
		o.replace(x, "%s(zzButLast(%s), zzButLast(%s))", o.code(x.Fun), o.code(x.Args[0]), o.code(x.Args[1]))
	}
	o.zero(x.Args...)
	result := o.typ(x)
	for i, a := range x.Args {
		same := func(t types.Type) bool { return t != nil && types.Identical(o.typ(a), t) }
		if same(result) && !x.Ellipsis.IsValid() {
			o.replace(x, "%s", o.code(a))
		}
		if basic, ok := o.typ(a).Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
			if selected, ok := a.(*ast.SelectorExpr); ok && o.pkg.info.Types[a].Value == nil {
				o.replace(a, "%s+1", o.code(selected)) // a limit
			}
		}
		if i > 0 && same(o.typ(x.Args[i-1])) && !slices.Contains(symmetric, name) && !x.Ellipsis.IsValid() {
			before := x.Args[i-1]
			o.add(before.Pos(), a.End(), "%s%s%s", o.code(a), o.text[o.offset(before.End()):o.offset(a.Pos())], o.code(before))
		}
	}
	return true
}

func (o *operators) assign(x *ast.AssignStmt) {
	if call, ok := x.Rhs[0].(*ast.CallExpr); ok && o.code(call.Fun) == "slices.Grow" {
		return
	}
	if len(x.Lhs) == len(x.Rhs) {
		o.zero(x.Rhs...)
	}
	if x.Tok == token.DEFINE {
		return
	}
	o.remove(x)
	if x.Tok == token.ADD_ASSIGN || x.Tok == token.MUL_ASSIGN {
		o.add(x.TokPos, x.TokPos+2, "=")
	}
	for i, to := range x.Lhs {
		if at, ok := to.(*ast.IndexExpr); ok && x.Tok == token.ASSIGN && len(x.Lhs) == len(x.Rhs) && o.list(at.X) && o.pkg.info.Types[at.Index].Value == nil {
			for _, n := range []int{1, 8} {
				o.replace(x.Rhs[i], "zzLate(%s >= %d, %s)", o.code(at.Index), n, o.code(x.Rhs[i]))
			}
		}
	}
}

// counted has a loop with a counter stop after the first or the eighth item, before the
// last one, or take every second.
func (o *operators) counted(x *ast.ForStmt) {
	init, ok := x.Init.(*ast.AssignStmt)
	cond, compared := x.Cond.(*ast.BinaryExpr)
	if post, up := x.Post.(*ast.IncDecStmt); !ok || !compared || !up || len(init.Lhs) != 1 || post.Tok != token.INC || cond.Op != token.LSS {
		return
	}
	name := o.code(init.Lhs[0])
	for _, n := range []int{1, 8} {
		o.replace(cond, "%s && %s < %s+%d", o.code(cond), name, o.code(init.Rhs[0]), n)
	}
	o.replace(cond, "%s-1", o.code(cond))
	o.replace(x.Post, "%s += 2", name)
}

// ranged does so with a range over a slice, an array or a number.
func (o *operators) ranged(x *ast.RangeStmt) {
	last := fmt.Sprintf("len(%s)", o.code(x.X))
	if basic, ok := o.typ(x.X).Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
		last = fmt.Sprintf("(%s)", o.code(x.X))
	} else if !o.list(x.X) {
		return
	}
	key, value, tok := "zzI", "", ":="
	if x.Key != nil {
		if id := o.code(x.Key); id != "_" {
			key, tok = id, x.Tok.String()
		} else if x.Tok == token.ASSIGN {
			return
		}
	}
	if x.Value != nil {
		value = ", " + o.code(x.Value)
	}
	for _, stop := range []string{"> 0 { break }", "> 7 { break }", "== " + last + "-1 { break }", "% 2 == 1 { continue }"} {
		o.add(x.For, x.Body.Lbrace+1, "for %s%s %s range %s { if %s %s;", key, value, tok, o.code(x.X), key, stop)
	}
}

// restarts has a variable of a list of statements begin anew in each turn of a later
// loop that changes it.
func (o *operators) restarts(statements []ast.Stmt) {
	starts := map[string]string{}
	for _, s := range statements {
		switch x := s.(type) {
		case *ast.AssignStmt:
			if id, ok := x.Lhs[0].(*ast.Ident); ok && len(x.Lhs) == 1 && x.Tok == token.DEFINE {
				starts[id.Name] = fmt.Sprintf("zzZero(%s)", id.Name)
				switch x.Rhs[0].(type) {
				case *ast.BasicLit, *ast.Ident, *ast.SelectorExpr:
					starts[id.Name] = o.code(x.Rhs[0])
				}
			}
		case *ast.DeclStmt:
			for _, spec := range x.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && x.Decl.(*ast.GenDecl).Tok == token.VAR {
					for _, id := range v.Names {
						starts[id.Name] = fmt.Sprintf("zzZero(%s)", id.Name)
					}
				}
			}
		case *ast.LabeledStmt:
			o.restartsIn(x.Stmt, starts)
		default:
			o.restartsIn(s, starts)
		}
	}
}

func (o *operators) restartsIn(s ast.Stmt, starts map[string]string) {
	var body *ast.BlockStmt
	switch x := s.(type) {
	case *ast.ForStmt:
		body = x.Body
	case *ast.RangeStmt:
		body = x.Body
	default:
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		var changed []ast.Expr
		switch x := n.(type) {
		case *ast.AssignStmt:
			if x.Tok != token.DEFINE {
				changed = x.Lhs
			}
		case *ast.IncDecStmt:
			changed = []ast.Expr{x.X}
		}
		for _, to := range changed {
			if id, ok := to.(*ast.Ident); ok && starts[id.Name] != "" {
				o.add(body.Lbrace+1, body.Lbrace+1, " %s = %s;", id.Name, starts[id.Name])
			}
		}
		return true
	})
}

// early returns at the beginning of f: zero values, and true. A return that is the
// whole body is edited itself.
func (o *operators) early(f *ast.FuncDecl) {
	var zeros []string
	truth := false
	if f.Type.Results != nil {
		for _, field := range f.Type.Results.List {
			truth = truth || o.code(field.Type) == "bool"
			for range max(1, len(field.Names)) {
				zeros = append(zeros, "*new("+o.code(field.Type)+")")
			}
		}
	}
	values := strings.Join(zeros, ", ")
	at := f.Body.Lbrace + 1
	only := false
	if len(f.Body.List) > 0 {
		_, only = f.Body.List[0].(*ast.ReturnStmt)
	}
	if len(f.Body.List) > 0 && !only {
		o.add(at, at, " if true { return %s };", values)
	}
	if truth {
		o.add(at, at, " if true { return %s };", strings.ReplaceAll(values, "*new(bool)", "true"))
	}
}

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"regexp"
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
	place  string // of its block
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
	line := fmt.Sprintf("%s⟦%s → %s⟧%s", e.source.text[from:e.start], e.source.text[e.start:e.end], e.text,
		e.source.text[e.end:to])
	return e.pkg.folder + " " + e.function + ": " + strings.Join(strings.Fields(line), " ")
}

func (e *edit) line() int { return 1 + bytes.Count(e.source.text[:e.start], []byte("\n")) }

func (s *source) offset(p token.Pos) int    { return s.pkg.Fset.Position(p).Offset }
func (s *source) code(n ast.Node) string    { return string(s.text[s.offset(n.Pos()):s.offset(n.End())]) }
func (s *source) typ(x ast.Expr) types.Type { return s.pkg.TypesInfo.TypeOf(x) }

// nameOf returns [Type.]name.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver, _, _ := strings.Cut(types.ExprString(f.Recv.List[0].Type), "[")
	return strings.TrimLeft(receiver, "*") + "." + f.Name.Name
}

// hints names functions that only tell the processor or the system what is read soon,
// or that registers are free: simd.Leave.
var hints = []string{"prefetch", "advise", "Advise", "Leave"}

// edits returns every edit of the operators in s.
func (s *source) edits() (all []*edit) {
	for _, f := range s.functions() {
		if !slices.Contains(hints, f.Name.Name) {
			o := operators{source: s, function: nameOf(f), starts: map[types.Object]string{}}
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
	starts   map[types.Object]string // first values of variables
}

// newError matches an error that a function makes; its callers do not use a value beside it.
var newError = regexp.MustCompile(`^(fmt\.Errorf|errors\.New|\w+\.Bad)\(|^(\w+\.)?[eE]rr[A-Z]\w*$`)

func (o *operators) add(from, to token.Pos, format string, args ...any) {
	e := &edit{source: o.source, function: o.function, start: o.offset(from), end: o.offset(to),
		text: fmt.Sprintf(format, args...)}
	same := func(other *edit) bool {
		return other.start == e.start && other.end == e.end && other.text == e.text
	}
	if e.text != string(o.text[e.start:e.end]) && !slices.ContainsFunc(o.found, same) {
		e.name = e.describe(0)
		o.found = append(o.found, e)
	}
}

// replace replaces n by texts, in which @ stands for n itself.
func (o *operators) replace(n ast.Node, texts ...string) {
	for _, text := range texts {
		o.add(n.Pos(), n.End(), "%s", strings.ReplaceAll(text, "@", o.code(n)))
	}
}

func (o *operators) fixed(x ast.Expr) bool { return o.pkg.TypesInfo.Types[x].Value != nil }

// zero replaces values that are not constant by the zero values of their types.
func (o *operators) zero(values ...ast.Expr) {
	for _, x := range values {
		v := o.pkg.TypesInfo.Types[x]
		lit, isLit := x.(*ast.CompositeLit)
		if _, several := v.Type.(*types.Tuple); !(isLit && len(lit.Elts) == 0) && v.IsValue() &&
			v.Value == nil && !v.IsNil() && !several {
			o.replace(x, "zzZero(@)")
		}
	}
}

const (
	negated, never, always = "!(@)", "false && (@)", "true || (@)"
	// removed keeps a statement where it is not run, so that its names stay in use.
	removed = "if false { @ }"
)

// visit adds the edits of a node, and reports whether edits of its parts follow.
func (o *operators) visit(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.IfStmt:
		o.replace(x.Cond, negated, never, always)
	case *ast.SwitchStmt:
		for _, clause := range x.Body.List {
			for _, cond := range clause.(*ast.CaseClause).List {
				if x.Tag == nil {
					o.replace(cond, negated, never, always)
				}
			}
		}
	case *ast.ForStmt:
		o.restarts(x.Body)
		x.Post = nil // its edits only make loops endless
	case *ast.RangeStmt:
		o.ranged(x)
		o.restarts(x.Body)
	case *ast.BinaryExpr:
		o.binary(x)
	case *ast.UnaryExpr:
		if x.Op == token.NOT || x.Op == token.SUB {
			o.replace(x, o.code(x.X))
		}
	case *ast.BasicLit:
		o.constant(x)
	case *ast.Ident:
		if c, ok := o.pkg.TypesInfo.Uses[x].(*types.Const); ok && c.Pkg() != nil &&
			c.Pkg().Path() == o.pkg.PkgPath {
			o.constant(x)
		}
	case *ast.SelectorExpr:
		// not of the standard library
		if c, ok := o.pkg.TypesInfo.Uses[x.Sel].(*types.Const); ok && strings.Contains(c.Pkg().Path(), ".") {
			o.constant(x)
		}
	case *ast.IndexExpr:
		if o.list(x.X) && !o.fixed(x.Index) {
			o.replace(x.Index, "0*(@)")
		}
	case *ast.SliceExpr:
		if _, made := x.X.(*ast.CallExpr); made && x.High != nil && o.code(x.High) == "0" {
			o.replace(x.High, "1", "")
			return false // memory of any size
		}
		if x.Low != nil && !o.fixed(x.Low) {
			o.replace(x.Low, "0*(@)", "(@)+1")
		}
		if x.High != nil && !o.fixed(x.High) {
			o.replace(x.High, "(@)-1")
		}
		if x.High != nil && x.Max == nil {
			o.replace(x.High, "")
		}
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
		for i, value := range x.Results {
			if last := len(x.Results) - 1; i == last || o.integer(value) ||
				!newError.MatchString(o.code(x.Results[last])) {
				o.zero(value)
			}
		}
	case *ast.ExprStmt:
		call, ok := x.X.(*ast.CallExpr)
		if !ok || slices.Contains(hints, calledName(call)) || calledName(call) == "Put" &&
			len(call.Args) == 1 {
			return !ok // memory of a pool and hints are a matter of time
		}
		o.replace(x, removed)
		if len(call.Args) > 0 && o.most(call.Args[0]) > 8 && calledName(call) != "clear" &&
			!strings.HasSuffix(o.code(call.Args[0]), "[:0]") {
			o.replace(x, "{ @; zzTail("+o.code(call.Args[0])+", 8) }")
		}
	case *ast.DeferStmt:
		if calledName(x.Call) != "Put" {
			o.replace(x, removed)
		}
	case *ast.IncDecStmt:
		o.replace(x, removed)
	case *ast.AssignStmt:
		o.assign(x)
	case *ast.ValueSpec:
		for _, id := range x.Names {
			o.starts[o.pkg.TypesInfo.Defs[id]] = "zzZero(" + id.Name + ")"
		}
	case *ast.BranchStmt:
		switch {
		case x.Label != nil:
		case x.Tok == token.BREAK:
			o.replace(x, "continue")
		case x.Tok == token.CONTINUE:
			o.replace(x, "break")
		}
	case *ast.ArrayType, *ast.MapType, *ast.StructType:
		return false // the length of an array type is no operation
	}
	return true
}

// list reports whether x is a slice, an array or a pointer to an array.
func (o *operators) list(x ast.Expr) bool { return o.most(x) > 0 }

// most returns how many items a list can have, as far as its type or its literal tells.
func (o *operators) most(x ast.Expr) int64 {
	t := o.typ(x).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Slice:
		switch x := x.(type) {
		case *ast.CompositeLit:
			return int64(len(x.Elts))
		case *ast.SliceExpr:
			return o.most(x.X)
		}
		return math.MaxInt64
	case *types.Array:
		return t.Len()
	}
	return 0
}

func (o *operators) integer(x ast.Expr) bool {
	basic, ok := o.typ(x).Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

// comparisons maps a comparison to the one that differs at its boundary.
var comparisons = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

// binary adds the edits of an operation with two operands: another operator, one operand
// less, operands in the other order, and comparisons without a part.
func (o *operators) binary(x *ast.BinaryExpr) {
	if to, ok := comparisons[x.Op]; ok {
		o.add(x.OpPos, x.OpPos+token.Pos(len(x.Op.String())), "%s", to)
	}
	left, right := o.code(x.X), o.code(x.Y)
	switch x.Op {
	case token.LAND, token.LOR: // without one operand
		without := "(true || @)"
		if x.Op == token.LOR {
			without = "(false && (@))"
		}
		o.replace(x.X, without)
		o.replace(x.Y, without)
	case token.SUB, token.QUO, token.REM, token.SHL, token.SHR:
		if left != right {
			o.replace(x, fmt.Sprintf("(%s) %s (%s)", right, x.Op, left))
		}
	case token.EQL, token.NEQ: // without one field, or the last item
		first, after := 0, 0
		switch t := o.typ(x.X).Underlying().(type) {
		case *types.Struct:
			after = t.NumFields()
		case *types.Array:
			first, after = int(t.Len()-1), int(t.Len())
		}
		for i := first; i < after; i++ {
			o.replace(x, fmt.Sprintf("zzSame(%d, %s, %s) == %t", i, left, right, x.Op == token.EQL))
		}
	}
}

// constant changes an integer by one and to zero, and the text of a label.
func (o *operators) constant(x ast.Expr) {
	v := o.pkg.TypesInfo.Types[x].Value
	if v == nil {
		return
	}
	if n, exact := constant.Int64Val(constant.ToInt(v)); exact && n >= 0 {
		others := []string{fmt.Sprint(n + 1), fmt.Sprint(n - 1), "0"}
		o.replace(x, others[:min(n, 2)+1]...)
	}
	if v.Kind() == constant.String {
		text := constant.StringVal(v)
		if len(text) > 3 && strings.ContainsAny(text, "-./") && !strings.ContainsAny(text, " %") {
			o.replace(x, "(@ + \"'\")")
		}
	}
}

// noEffect names functions whose arguments no result depends on: capacities, signs and
// sizes of which a literal one above or below selects the same, and texts of errors.
var noEffect = []string{"math.Inf", "strconv.ParseFloat", "strconv.ParseInt", "strconv.ParseUint",
	"strconv.FormatFloat", "fmt.Errorf", "errors.New"}

// symmetric names functions with arguments that can change places.
var symmetric = []string{
	"Add", "AddVec", "AddPoints", "Mul", "MulVec", "Multiply", "Equal", "EqualG1", "EqualG2", "AddG1",
	"AddG2", "MulScalars",
	"mulMod", "errors.Join", "max", "min", "InnerProduct", "Inner", "And", "Or", "Xor", "same", "Add64",
	"Mul64", "EqualMask",
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
	name, f, args := calledName(x), o.pkg.TypesInfo.Types[x.Fun], x.Args
	switch {
	case f.IsBuiltin() && name == "make":
		if len(args) > 1 && o.list(x) { // not the capacity
			ast.Inspect(args[1], o.visit)
		}
		return false
	case f.IsType(), f.IsBuiltin() && (name == "len" || name == "copy"):
		return true
	case f.IsBuiltin() && name != "append" && name != "min" && name != "max", name == "Grow",
		slices.Contains(noEffect, o.code(x.Fun)):
		return false
	case name == "append" && len(args) == 2 && !x.Ellipsis.IsValid() &&
		!strings.HasSuffix(o.code(args[0]), "[:0]"):
		o.late(args[1], "len("+o.code(args[0])+")", args[0])
	case name == "Equal" && len(args) > 1 && o.list(args[0]) && o.list(args[1]):
		o.replace(x,
			fmt.Sprintf("%s(zzButLast(%s), zzButLast(%s))", o.code(x.Fun), o.code(args[0]), o.code(args[1])))
	}
	for i, a := range args {
		same := func(t types.Type) bool { return t != nil && types.Identical(o.typ(a), t) }
		if i > 0 || name != "append" {
			o.zero(a)
		}
		if same(o.typ(x)) {
			o.replace(x, o.code(a))
		}
		if _, selected := a.(*ast.SelectorExpr); selected && o.integer(a) && !o.fixed(a) {
			o.replace(a, "@+1") // a limit
		}
		commutes := slices.Contains(symmetric, name) || slices.Contains(symmetric, o.code(x.Fun))
		if i > 0 && same(o.typ(args[i-1])) && !commutes && !x.Ellipsis.IsValid() {
			o.add(args[i-1].Pos(), a.End(), "%s, %s", o.code(a), o.code(args[i-1]))
		}
	}
	return true
}

// late has a value be zero from the second and from the ninth place of a list on.
func (o *operators) late(x ast.Expr, place string, list ast.Expr) {
	o.replace(x, "zzLate("+place+" >= 1, @)")
	if o.most(list) > 8 {
		o.replace(x, "zzLate("+place+" >= 8, @)")
	}
}

// assign adds the edits of an assignment: without it, with zero values, and with items of
// a list that stay zero. It also notes the first values of variables.
func (o *operators) assign(x *ast.AssignStmt) {
	if call, ok := x.Rhs[0].(*ast.CallExpr); ok && o.code(call.Fun) == "slices.Grow" {
		return
	}
	if x.Tok != token.DEFINE {
		o.replace(x, removed)
	}
	if x.Tok == token.ADD_ASSIGN || x.Tok == token.MUL_ASSIGN {
		o.add(x.TokPos, x.TokPos+2, "=")
	}
	if len(x.Lhs) != len(x.Rhs) {
		return
	}
	o.zero(x.Rhs...)
	for i, to := range x.Lhs {
		switch to := to.(type) {
		case *ast.IndexExpr:
			if x.Tok == token.ASSIGN && o.list(to.X) && !o.fixed(to.Index) {
				o.late(x.Rhs[i], o.code(to.Index), to.X)
			}
		case *ast.Ident:
			if start := o.pkg.TypesInfo.Defs[to]; start != nil {
				o.starts[start] = "zzZero(" + to.Name + ")"
				switch x.Rhs[i].(type) {
				case *ast.BasicLit, *ast.Ident, *ast.SelectorExpr:
					o.starts[start] = o.code(x.Rhs[i])
				}
			}
		}
	}
}

// ranged has a loop stop after the first or the eighth item, before the last one, or
// take every second: a range over a slice, an array or a number.
func (o *operators) ranged(x *ast.RangeStmt) {
	last, most := "len("+o.code(x.X)+")", o.most(x.X)
	if o.integer(x.X) {
		last, most = "("+o.code(x.X)+")", math.MaxInt64
	} else if most == 0 {
		return
	}
	key, value, tok := "zzI", "", ":="
	if x.Key != nil && o.code(x.Key) != "_" {
		key, tok = o.code(x.Key), x.Tok.String()
	}
	if x.Value != nil {
		value = ", " + o.code(x.Value)
	}
	for _, stop := range []string{"> 0 { break }", "> 7 { break }", "== " + last + "-1 { break }",
		"% 2 == 1 { continue }"} {
		if most <= 8 && strings.HasPrefix(stop, "> 7") {
			continue
		}
		o.add(x.For, x.Body.Lbrace+1, "for %s%s %s range %s { if %s %s;", key, value, tok, o.code(x.X), key,
			stop)
	}
}

// restarts has a variable that a loop changes begin anew in each turn.
func (o *operators) restarts(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		var changed []ast.Expr
		switch x := n.(type) {
		case *ast.AssignStmt:
			changed = x.Lhs
		case *ast.IncDecStmt:
			changed = []ast.Expr{x.X}
		}
		for _, to := range changed {
			if id, ok := to.(*ast.Ident); ok && o.starts[o.pkg.TypesInfo.Uses[id]] != "" {
				o.add(body.Lbrace+1, body.Lbrace+1, " %s = %s;", id.Name, o.starts[o.pkg.TypesInfo.Uses[id]])
			}
		}
		return true
	})
}

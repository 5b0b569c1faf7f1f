package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// An edit replaces the bytes [start, end) of a file by text. It lies in the body
// of one function.
type edit struct {
	file       string // relative to the root of the module
	operator   string // name of the operator, empty for a listed fault
	function   string // [Type.]name
	line       int
	start, end int
	old, text  string
	nth, of    int // of the edits with this text in the function
}

// String returns the edit in one line, without its line number, so that a list of
// equivalent mutants stays true when lines move. An edit that a function offers at
// several places has its number among them.
func (e edit) String() string {
	text := fmt.Sprintf("%s %s %s: %s → %s", e.file, e.function, e.operator, oneLine(e.old), oneLine(e.text))
	if e.of > 1 {
		text += fmt.Sprintf(" (%d of %d)", e.nth, e.of)
	}
	return text
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// source is a parsed file.
type source struct {
	name string // relative to the root of the module
	text []byte
	set  *token.FileSet
	tree *ast.File
}

func parseFile(root, name string) (*source, error) {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{name, text, set, tree}, nil
}

func (s *source) offset(p token.Pos) int { return s.set.Position(p).Offset }

func (s *source) slice(n ast.Node) string { return string(s.text[s.offset(n.Pos()):s.offset(n.End())]) }

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

// nameOf returns [Type.]name.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// hints names functions that only tell the processor or the system what is read soon,
// or that registers are free: simd.Leave.
var hints = []string{"prefetch", "advise", "Advise", "Leave"}

// edits returns every edit of the operators in s, in the order of the text.
func (s *source) edits() (all []edit) {
	for _, f := range s.functions() {
		if slices.Contains(hints, f.Name.Name) {
			continue
		}
		o := operators{source: s, function: nameOf(f)}
		o.early(f)
		ast.Inspect(f.Body, o.visit)
		all = append(all, o.found...)
	}
	slices.SortStableFunc(all, func(a, b edit) int { return a.start - b.start })
	same := map[string][]int{}
	for i, e := range all {
		same[e.String()] = append(same[e.String()], i)
	}
	for _, places := range same {
		for n, i := range places {
			all[i].nth, all[i].of = n+1, len(places)
		}
	}
	return all
}

// operators collects the edits of one function.
type operators struct {
	*source
	function string
	found    []edit
}

func (o *operators) add(operator string, from, to token.Pos, text string) {
	start, end := o.offset(from), o.offset(to)
	o.found = append(o.found, edit{
		file: o.name, operator: operator, function: o.function, line: o.set.Position(from).Line,
		start: start, end: end, old: string(o.text[start:end]), text: text,
	})
}

func (o *operators) replace(operator string, n ast.Node, text string) {
	o.add(operator, n.Pos(), n.End(), text)
}

// comparisons maps a comparison to the one that differs at its boundary.
var comparisons = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

// sums names functions whose first two arguments can change places.
var sums = []string{"Add64"}

// symmetric names functions with arguments that can change places.
var symmetric = []string{"Add", "AddVec", "AddPoints", "Mul", "Mul64", "MulVec", "Multiply", "Equal", "AddG1", "AddG2", "EqualG1", "EqualG2", "MulScalars", "mulMod", "max", "min", "InnerProduct", "Inner", "And", "Or", "Xor", "same"}

func (o *operators) visit(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.IfStmt:
		cond := o.slice(x.Cond)
		o.replace("negate", x.Cond, "!("+cond+")")
		o.replace("never", x.Cond, "false && ("+cond+")")
		o.replace("always", x.Cond, "true || ("+cond+")")
	case *ast.ForStmt:
		if x.Body != nil {
			ast.Inspect(x.Body, o.visit)
		}
		if x.Cond != nil {
			ast.Inspect(x.Cond, o.visit)
		}
		if x.Init != nil {
			ast.Inspect(x.Init, o.visit)
		}
		return false // without x.Post, whose edits only make loops endless
	case *ast.BinaryExpr:
		if to, ok := comparisons[x.Op]; ok {
			o.add("compare", x.OpPos, x.OpPos+token.Pos(len(x.Op.String())), to.String())
		}
		ordered := x.Op == token.SUB || x.Op == token.QUO || x.Op == token.REM || x.Op == token.SHL || x.Op == token.SHR
		if ordered && o.slice(x.X) != o.slice(x.Y) {
			o.replace("swap", x, fmt.Sprintf("(%s) %s (%s)", o.slice(x.Y), x.Op, o.slice(x.X)))
		}
	case *ast.UnaryExpr:
		if x.Op == token.NOT || x.Op == token.SUB {
			o.replace("sign", x, o.slice(x.X))
		}
	case *ast.BasicLit:
		o.constant(x)
	case *ast.CallExpr:
		o.call(x)
		if kept := o.effective(x); len(kept) < len(x.Args) {
			for _, arg := range kept {
				ast.Inspect(arg, o.visit)
			}
			if sign, ok := x.Args[len(x.Args)-1].(*ast.UnaryExpr); ok {
				o.replace("sign", sign, o.slice(sign.X))
			}
			return false
		}
	case *ast.ExprStmt:
		if call, ok := x.X.(*ast.CallExpr); ok && slices.Contains(hints, calledName(call)) {
			return false
		}
		o.remove(x)
	case *ast.IncDecStmt, *ast.DeferStmt:
		o.remove(x)
	case *ast.AssignStmt:
		if x.Tok != token.DEFINE && !o.grows(x) {
			o.remove(x)
		}
	case *ast.BranchStmt:
		if other, ok := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[x.Tok]; ok && x.Label == nil {
			o.replace("branch", x, other)
		}
	case *ast.ArrayType:
		return x.Len == nil // the length of an array type is no operation
	}
	return true
}

// selecting names functions whose last argument selects a sign or a size: a literal one
// above or below selects the same.
var selecting = []string{"math.Inf", "strconv.ParseFloat", "strconv.ParseInt", "strconv.ParseUint", "strconv.FormatFloat"}

// effective returns the arguments of a call whose edits change its result: all but the
// capacity that make and slices.Grow provide, and the last one of selecting functions.
func (o *operators) effective(x *ast.CallExpr) []ast.Expr {
	if n := len(x.Args) - 1; n >= 0 && slices.Contains(selecting, o.slice(x.Fun)) {
		last := x.Args[n]
		if sign, ok := last.(*ast.UnaryExpr); ok {
			last = sign.X
		}
		if _, literal := last.(*ast.BasicLit); literal {
			return x.Args[:n]
		}
	}
	if f, ok := x.Fun.(*ast.Ident); ok && f.Name == "make" && len(x.Args) == 3 {
		return x.Args[:2]
	}
	if f, ok := x.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Grow" && len(x.Args) == 2 {
		return x.Args[:1]
	}
	return x.Args
}

// grows reports whether x is s = slices.Grow(s, n), which only provides capacity.
func (o *operators) grows(x *ast.AssignStmt) bool {
	call, ok := x.Rhs[0].(*ast.CallExpr)
	return ok && len(x.Lhs) == 1 && o.slice(call.Fun) == "slices.Grow" && o.slice(x.Lhs[0]) == o.slice(call.Args[0])
}

// remove keeps the statement where it is not run, so that its names stay in use. The
// return of memory to a sync.Pool, Put with one argument, is left: it saves memory only.
func (o *operators) remove(n ast.Node) {
	var call *ast.CallExpr
	switch x := n.(type) {
	case *ast.ExprStmt:
		call, _ = x.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		call = x.Call
	}
	if call != nil && len(call.Args) == 1 && calledName(call) == "Put" {
		return
	}
	o.replace("remove", n, "if false { "+o.slice(n)+" }")
}

func (o *operators) constant(x *ast.BasicLit) {
	if x.Kind != token.INT {
		return
	}
	n, err := strconv.ParseUint(x.Value, 0, 64)
	if err != nil {
		return
	}
	o.replace("constant", x, fmt.Sprint(n+1))
	if n > 0 {
		o.replace("constant", x, fmt.Sprint(n-1))
	}
	if n > 1 {
		o.replace("constant", x, "0")
	}
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

func (o *operators) call(x *ast.CallExpr) {
	name := calledName(x)
	if name == "append" && len(x.Args) > 1 {
		o.replace("append", x, o.slice(x.Args[0]))
		return
	}
	if x.Ellipsis.IsValid() || slices.Contains(symmetric, name) {
		return
	}
	swaps := len(o.effective(x)) - 1
	if name == "add" || name == "mul" {
		swaps-- // the operands come last
	}
	for i := range max(swaps, 0) {
		a, b := x.Args[i], x.Args[i+1]
		if o.slice(a) != o.slice(b) && (i > 0 || !slices.Contains(sums, name)) {
			middle := string(o.text[o.offset(a.End()):o.offset(b.Pos())])
			o.add("arguments", a.Pos(), b.End(), o.slice(b)+middle+o.slice(a))
		}
	}
}

// returns reports whether a body begins with a return of these values, or is empty.
func (o *operators) returns(body *ast.BlockStmt, values []string) bool {
	if len(body.List) == 0 {
		return true
	}
	r, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != len(values) {
		return false
	}
	for i, x := range r.Results {
		text := o.slice(x)
		zero := strings.HasPrefix(values[i], "*new(") && slices.Contains([]string{"nil", "0", `""`, "false"}, text)
		if text != values[i] && !zero {
			return false
		}
	}
	return true
}

// early returns at the beginning of f: zero values, and both values of a bool.
func (o *operators) early(f *ast.FuncDecl) {
	values := [][]string{{}}
	if f.Type.Results != nil {
		for _, field := range f.Type.Results.List {
			zeros := []string{"*new(" + o.slice(field.Type) + ")"}
			if id, ok := field.Type.(*ast.Ident); ok && id.Name == "bool" {
				zeros = []string{"false", "true"}
			}
			for range max(1, len(field.Names)) {
				var next [][]string
				for _, v := range values {
					for _, z := range zeros {
						next = append(next, append(slices.Clone(v), z))
					}
				}
				values = next
			}
		}
	}
	at := f.Body.Lbrace + 1
	for _, v := range values {
		if o.returns(f.Body, v) {
			continue
		}
		o.add("return", at, at, " if true { return "+strings.Join(v, ", ")+" };")
	}
}

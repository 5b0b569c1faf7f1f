package main

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// specifications is the file with all specifications. Its head explains the notation.
//
//go:embed spec.txt
var specifications string

// field is a prime field in limbs of 52 bits: limbs hold x·R modulo p for R = 2^(52·limbs).
type field struct {
	name        string
	p           *big.Int
	limbs       int
	words, room int64
	shift       int // words hold x·R/2^shift modulo p
	constants   map[string]*big.Int
}

func (f *field) radix() *big.Int { return pow2(limbBits * f.limbs) }

// form is the form of the limbs in memory.
type form struct {
	factor bool        // the bits from 52 on are undefined, and so only multiplied
	bound  *expression // of the number, inclusive; nil if it is not read or not written
}

// layout is how the blocks of an operand lie in memory: eight elements are a block.
type layout string

const (
	plane   layout = "plane"   // limb by limb, places elements apart
	block   layout = "block"   // the limbs of a block, and then the next block
	fixed   layout = "fixed"   // one block
	scratch layout = "scratch" // blocks without a meaning outside of the kernel
	// In kernels that move words:
	rows       layout = "rows"       // words, element by element
	entries    layout = "entries"    // words, in an entry of a table that a reference names
	references layout = "references" // 32 bits for each element
	pointers   layout = "pointers"   // one for each element, to its table
	digits     layout = "digits"     // words of 32 bits of both halves
	windows    layout = "windows"    // descriptions of digits
	bases      layout = "bases"      // numbers of points, 32 bits for each element
)

// operandSpec is an operand of a kernel.
type operandSpec struct {
	name   string
	region string // the pointer
	shift  int64  // how many blocks after the pointer it begins
	layout layout
	masked bool // elements that do not exist may not be written
	in     form
	out    form

	position int              // among the operands of a row, or of digits
	fields   map[int64]string // of windows, by offset
}

// equation is left = right modulo p.
type equation struct {
	line        int
	left, right *expression
	missing     *expression // right in lanes without an element, or nil
	given       *expression // its value is 1; or nil
}

// kernelSpec is the specification of a kernel in some files.
type kernelSpec struct {
	name      string
	files     []string
	backwards bool
	times     bool
	arguments map[int64]string // names of parameters by offset, or nil for the file's structure
	operands  []*operandSpec
	lets      []let
	equations []equation
}

type let struct {
	name  string
	value *expression
}

// spec is all specifications.
type spec struct {
	fields    map[string]*field
	files     []string
	fieldOf   map[string]*field           // of a file
	arguments map[string]map[int64]string // of a file: names of pointers by offset
	kernels   []*kernelSpec
}

// parseSpec parses the file of specifications.
func parseSpec(text string) *spec {
	s := &spec{fields: map[string]*field{}, fieldOf: map[string]*field{},
		arguments: map[string]map[int64]string{}}
	var k *kernelSpec
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		w := strings.Fields(line)
		bad := func(ok bool) {
			if !ok {
				refuse("spec.txt:%d: %q", i+1, line)
			}
		}
		switch {
		case len(w) == 0:
		case line[0] == '\t':
			bad(k != nil)
			s.clause(k, i+1, strings.TrimSpace(line))
		case w[0] == "field":
			bad(len(w) >= 7)
			f := &field{name: w[1], p: new(big.Int), constants: map[string]*big.Int{}}
			_, ok := f.p.SetString(w[2], 0)
			var err [4]error
			f.limbs, err[0] = strconv.Atoi(w[3])
			f.words, err[1] = strconv.ParseInt(w[4], 10, 64)
			f.room, err[2] = strconv.ParseInt(w[5], 10, 64)
			f.shift, err[3] = strconv.Atoi(w[6])
			bad(ok && err == [4]error{} && f.p.ProbablyPrime(20))
			for _, c := range w[7:] {
				name, text, _ := strings.Cut(c, "=")
				f.constants[name], ok = new(big.Int).SetString(text, 0)
				bad(ok)
			}
			s.fields[w[1]] = f
		case w[0] == "file":
			bad(len(w) > 2 && s.fields[w[2]] != nil)
			s.files, s.fieldOf[w[1]], s.arguments[w[1]] = append(s.files, w[1]), s.fields[w[2]],
				offsetsOf(w[3:], i+1)
		case w[0] == "kernel":
			bad(len(w) > 2)
			k = &kernelSpec{name: w[1]}
			for _, v := range w[2:] {
				switch {
				case v == "backwards":
					k.backwards = true
				case v == "times":
					k.times = true
				default:
					bad(s.fieldOf[v] != nil)
					k.files = append(k.files, v)
				}
			}
			s.kernels = append(s.kernels, k)
		default:
			bad(false)
		}
	}
	for _, k := range s.kernels {
		k.check()
	}
	return s
}

// offsetsOf reads names with offsets.
func offsetsOf(words []string, line int) map[int64]string {
	out := map[int64]string{}
	for _, w := range words {
		name, at, _ := strings.Cut(w, "=")
		offset, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			refuse("spec.txt:%d: %q has no offset", line, w)
		}
		out[offset] = name
	}
	return out
}

// check refuses a kernel with an output that no equation describes.
func (k *kernelSpec) check() {
	for _, o := range k.operands {
		described := slices.ContainsFunc(k.equations, func(e equation) bool {
			name := o.name + "'"
			return e.given == nil && (e.left.name == name || o.layout == digits && e.left.has(name))
		})
		if described != (o.out.bound != nil) {
			refuse("spec.txt: %s: %s has an equation without a bound, or a bound without an equation", k.name,
				o.name)
		}
	}
}

// checkRounds refuses a kernel that leaves something in memory that it may not read again:
// in the next round, if there are several, or as a block of another operand.
func (k *kernelSpec) checkRounds(f *field) {
	for _, from := range k.operands {
		for _, to := range k.operands {
			again := from != to && from.region == to.region || from == to && k.times
			if !again || from.out.bound == nil || to.in.bound == nil {
				continue
			}
			if from.out.factor && !to.in.factor || from.out.bound.integer(f).Cmp(to.in.bound.integer(f)) > 0 {
				refuse("%s leaves %s larger than it may be later", k.name, from.name)
			}
		}
	}
}

// clause parses one line of a kernel.
func (s *spec) clause(k *kernelSpec, line int, text string) {
	if names, rest, isOperand := strings.Cut(text, ":"); isOperand {
		for i, name := range strings.Fields(names) {
			o := s.operand(name, strings.Fields(rest), line)
			o.position = i
			k.operands = append(k.operands, o)
		}
		return
	}
	if rest, isList := strings.CutPrefix(text, "parameters "); isList {
		k.arguments = offsetsOf(strings.Fields(rest), line)
		return
	}
	if rest, isLet := strings.CutPrefix(text, "let "); isLet {
		name, value, _ := strings.Cut(rest, "=")
		k.lets = append(k.lets, let{strings.TrimSpace(name), parseExpression(value, line)})
		return
	}
	e := equation{line: line}
	if rest, isGiven := strings.CutPrefix(text, "given "); isGiven {
		condition, then, _ := strings.Cut(rest, ",")
		product, one, _ := strings.Cut(condition, "=")
		if strings.TrimSpace(one) != "1" {
			refuse("spec.txt:%d: a condition is a product that is 1", line)
		}
		e.given, text = parseExpression(product, line), then
	}
	left, right, _ := strings.Cut(text, "=")
	right, missing, hasMissing := strings.Cut(right, "|")
	e.left, e.right = parseExpression(left, line), parseExpression(right, line)
	if hasMissing {
		e.missing = parseExpression(missing, line)
	}
	k.equations = append(k.equations, e)
}

// operand parses the description of an operand.
func (s *spec) operand(name string, words []string, line int) *operandSpec {
	o := &operandSpec{name: name, region: name}
	to := &o.in
	for i := 0; i < len(words); i++ {
		switch w := words[i]; w {
		case string(plane), string(block), string(fixed), string(scratch):
			o.layout = layout(w)
		case string(references), string(pointers), string(bases):
			o.layout = layout(w)
		case string(digits):
			o.layout, o.region = digits, w
		case string(rows), string(entries):
			i++
			o.layout, o.region = layout(w), strings.Join(words[i:min(i+1, len(words))], "")
		case string(windows):
			o.layout, o.fields = windows, offsetsOf(words[i+1:], line)
			return o
		case "masked":
			o.masked = true
		case "->":
			to = &o.out
		case "clean", "factor":
			i++
			if i == len(words) {
				refuse("spec.txt:%d: a form without a bound", line)
			}
			*to = form{factor: w == "factor", bound: parseExpression(words[i], line)}
		default:
			region, shift, _ := strings.Cut(w, "+")
			n, err := strconv.ParseInt(shift, 10, 64)
			if err != nil {
				refuse("spec.txt:%d: unknown word %q", line, w)
			}
			o.region, o.shift, o.layout = region, n, block
		}
	}
	return o
}

// expression is a sum, a difference or a product of names and numbers.
type expression struct {
	op          token.Token // ADD, SUB or MUL, or 0 for a name or a number
	name        string
	value       *big.Int
	left, right *expression
}

// parseExpression reads a formula with the parser of Go. Names may end with ', which Go takes for
// a letter as ʹ.
func parseExpression(text string, line int) *expression {
	e, err := parser.ParseExpr(strings.ReplaceAll(text, "'", "ʹ"))
	if err != nil {
		refuse("spec.txt:%d: %v", line, err)
	}
	return expressionOf(e, line)
}

func expressionOf(e ast.Expr, line int) *expression {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return expressionOf(e.X, line)
	case *ast.Ident:
		return &expression{name: strings.ReplaceAll(e.Name, "ʹ", "'")}
	case *ast.BasicLit:
		if v, ok := new(big.Int).SetString(e.Value, 0); ok {
			return &expression{value: v}
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD || e.Op == token.SUB || e.Op == token.MUL {
			return &expression{op: e.Op, left: expressionOf(e.X, line), right: expressionOf(e.Y, line)}
		}
	}
	refuse("spec.txt:%d: not a sum or a product", line)
	return nil
}

// residue evaluates e modulo p.
func (e *expression) residue(r ring, names func(string) residue) residue {
	switch e.op {
	case 0:
		if e.value != nil {
			return r.constant(e.value)
		}
		return names(e.name)
	}
	a, b := e.left.residue(r, names), e.right.residue(r, names)
	switch e.op {
	case token.ADD:
		return r.plus(a, b, num(1))
	case token.SUB:
		return r.plus(a, b, num(-1))
	}
	return r.times(a, b)
}

// integer evaluates e for a field: p is its order and room a number of the field.
func (e *expression) integer(f *field) *big.Int {
	if e.op == 0 {
		switch {
		case e.value != nil:
			return e.value
		case e.name == "p":
			return f.p
		case e.name == "room":
			return num(f.room)
		}
		refuse("an unknown bound %q", e.name)
	}
	a, b := e.left.integer(f), e.right.integer(f)
	switch e.op {
	case token.ADD:
		return plus(a, b)
	case token.SUB:
		return minus(a, b)
	}
	return times(a, b)
}

// has reports whether a name is in e.
func (e *expression) has(name string) bool {
	return e.name == name || e.op != 0 && (e.left.has(name) || e.right.has(name))
}

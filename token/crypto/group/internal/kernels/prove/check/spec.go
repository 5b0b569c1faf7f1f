package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"slices"
	"strings"
)

// kernel is the specification of a kernel in one file.
type kernel struct {
	file, name         string
	modulus, room      *big.Int
	size, quads, shift int              // limbs, words of 64 bits, and their shift
	fields             map[int64]string // of the arguments, by offset
	hasParameters      bool             // instead of a pointer to arguments
	backwards, times   bool
	operands           []*operand
	formulas           [][3]string // left, right, and right where no element is
}

// operand is an operand of a kernel. Operands of a region are views of the same memory.
type operand struct {
	name, region, layout string
	shift                int64
	masked               bool
	isWords              bool      // of 64 bits, row by row, and not limbs
	form, bound          [2]string // before and after
}

// key names a block of an operand in memory.
func (o *operand) key(block int64) string {
	switch {
	case o.isWords:
		return fmt.Sprint(o.name, block)
	case o.layout == "fixed":
		return o.region + "0"
	}
	return fmt.Sprint(o.region, block+o.shift)
}

// form returns how many limbs or words of how many bits a number of an operand has, and its factor.
func (k *kernel) form(o *operand) (n, bits int, factor *big.Int) {
	if o.isWords {
		return k.quads, 64, power(1, 52*k.size-k.shift)
	}
	return k.size, 52, power(1, 52*k.size)
}

// readKernels reads the specification. Go takes ʹ for a letter. laneRecode is proved by prove alone.
func readKernels(text string) (all []*kernel) {
	fields, files := map[string]kernel{}, map[string]kernel{}
	var current []*kernel
	for _, l := range strings.Split(strings.ReplaceAll(text, "'", "ʹ"), "\n") {
		l, _, _ = strings.Cut(l, "#")
		switch w := strings.Fields(l); {
		case len(w) == 0:
		case w[0] == "field":
			fields[w[1]] = kernel{modulus: number(w[2]), size: int(integer(w[3])),
				quads: int(integer(w[4])), room: number(w[5]), shift: int(integer(w[6]))}
		case w[0] == "file":
			k := fields[w[2]]
			k.file, k.fields = w[1], offsets(w[3:])
			files[w[1]] = k
		case w[0] == "kernel":
			current = nil
			for _, v := range w[2:] {
				if k := files[v]; k.file != "" && w[1] != "laneRecode" {
					k.name, k.backwards, k.times = w[1], w[2] == "backwards", w[2] == "times"
					current = append(current, &k)
				}
			}
			all = append(all, current...)
		default:
			for _, k := range current {
				k.clause(w)
			}
		}
	}
	return all
}

func offsets(words []string) map[int64]string {
	out := map[int64]string{}
	for _, w := range words {
		name, offset, _ := strings.Cut(w, "=")
		out[integer(offset)] = name
	}
	return out
}

// clause reads a line of a kernel.
func (k *kernel) clause(w []string) {
	colon := slices.IndexFunc(w, func(v string) bool { return strings.HasSuffix(v, ":") })
	left, right, _ := strings.Cut(strings.Join(w, ""), "=")
	switch {
	case w[0] == "parameters":
		k.fields, k.hasParameters = offsets(w[1:]), true
	case colon < 0 && w[0] != "given": // given lines follow from the others
		right, missing, _ := strings.Cut(right, "|")
		k.formulas = append(k.formulas, [3]string{strings.TrimPrefix(left, "let"), right, missing})
	}
	for _, name := range w[:colon+1] {
		o, after := &operand{name: strings.TrimSuffix(name, ":"), layout: w[colon+1]}, 0
		o.region = o.name
		if region, shift, isView := strings.Cut(o.layout, "+"); isView {
			o.region, o.layout, o.shift = region, "block", integer(shift)
		} else if o.layout == "entries" || o.layout == "rows" {
			o.region, o.isWords = w[colon+2], true
		}
		for i, v := range w {
			switch v {
			case "->":
				after = 1
			case "masked":
				o.masked = true
			case "clean", "factor":
				o.form[after], o.bound[after] = v, w[i+1]
			}
		}
		k.operands = append(k.operands, o)
	}
}

// evaluate evaluates a formula.
func evaluate(formula string, names map[string]*big.Int) *big.Int {
	e, err := parser.ParseExpr(formula)
	if err != nil {
		fail("%v", err)
	}
	operations := map[token.Token]func(x, y *big.Int) *big.Int{token.ADD: add, token.SUB: sub, token.MUL: mul}
	var value func(e ast.Expr) *big.Int
	value = func(e ast.Expr) *big.Int {
		switch e := e.(type) {
		case *ast.ParenExpr:
			return value(e.X)
		case *ast.BasicLit:
			return number(e.Value)
		case *ast.BinaryExpr:
			return operations[e.Op](value(e.X), value(e.Y))
		case *ast.Ident:
			if names[e.Name] != nil {
				return names[e.Name]
			}
		}
		fail("unknown name in %s", formula)
		return nil
	}
	return value(e)
}

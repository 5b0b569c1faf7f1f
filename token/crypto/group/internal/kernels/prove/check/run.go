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
	file, name, field string
	modulus, room     *big.Int
	size              int              // limbs
	fields            map[int64]string // of the arguments, by offset
	backwards, times  bool
	lines             [][]string // words about operands and equations
}

// readKernels reads the specification.
func readKernels(text string) (all []*kernel) {
	fields, files := map[string]kernel{}, map[string]kernel{}
	var current []*kernel
	for _, l := range strings.Split(text, "\n") {
		l, _, _ = strings.Cut(l, "#")
		switch w := strings.Fields(l); {
		case len(w) == 0:
		case w[0] == "field":
			p, _ := new(big.Int).SetString(w[2], 0)
			fields[w[1]] = kernel{modulus: p, size: int(integer(w[3])), room: big.NewInt(integer(w[5]))}
		case w[0] == "file":
			k := fields[w[2]]
			k.file, k.fields = w[1], map[int64]string{}
			for _, a := range w[3:] {
				name, offset, _ := strings.Cut(a, "=")
				k.fields[integer(offset)] = name
			}
			files[w[1]] = k
		case w[0] == "kernel":
			current = nil
			for _, v := range w[2:] {
				if k := files[v]; v != "backwards" && v != "times" {
					k.name, k.backwards, k.times = w[1], w[2] == "backwards", w[2] == "times"
					current = append(current, &k)
				}
			}
			all = append(all, current...)
		default:
			for _, k := range current {
				k.lines = append(k.lines, w)
			}
		}
	}
	// Kernels that move words have parameters or digits.
	return slices.DeleteFunc(all, func(k *kernel) bool {
		return slices.ContainsFunc(k.lines, func(w []string) bool {
			return w[0] == "parameters" || w[0] == "windows:"
		})
	})
}

// evaluate evaluates a formula modulo p, or over the integers where p is nil.
func evaluate(formula string, p *big.Int, names func(name string) residue) residue {
	e, err := parser.ParseExpr(strings.ReplaceAll(formula, "'", "ʹ"))
	if err != nil {
		fail("%v", err)
	}
	var value func(e ast.Expr) residue
	value = func(e ast.Expr) residue {
		out := residue{}
		switch e := e.(type) {
		case *ast.ParenExpr:
			return value(e.X)
		case *ast.BasicLit:
			out.add(residue{"": big.NewInt(integer(e.Value))}, one, p)
		case *ast.Ident:
			return names(strings.ReplaceAll(e.Name, "ʹ", "'"))
		case *ast.BinaryExpr:
			if e.Op == token.MUL {
				return value(e.X).times(value(e.Y), p)
			}
			sign := int64(0)
			switch e.Op {
			case token.ADD:
				sign = 1
			case token.SUB:
				sign = -1
			}
			out.add(value(e.X), one, p)
			out.add(value(e.Y), big.NewInt(sign), p)
		}
		return out
	}
	return value(e)
}

// operand is an operand of a kernel.
type operand struct {
	name, region, layout string
	shift                int64
	masked               bool
	form, bound          [2]string // before and after
}

// run is the execution of a kernel in one lane.
type run struct {
	*system
	*kernel
	*text
	certificate
	n, lane   int64
	operands  []*operand
	formulas  [][3]string // left, right, and right where no element is; "let" is a part of left
	registers map[string]int64
	vectors   map[string]int
	masks     map[string]int64
	flags     int64
	memory    map[string][]int // the limbs of a block
	calls     []int
	at        int
	pointers  []string // names, by the highest bits of addresses
}

const pointerBits = 40

func newRun(k *kernel, t *text, c certificate, n, lane int64) *run {
	r := &run{
		system: &system{
			p: k.modulus, limbs: k.size, highs: map[[2]int]int{}, constants: map[int64]int{},
			numbers: map[string][]int{}, quotients: map[int]int{}, choices: map[int]*choice{},
		},
		kernel: k, text: t, certificate: c, n: n, lane: lane, registers: map[string]int64{},
		vectors: map[string]int{},
		masks:   map[string]int64{}, memory: map[string][]int{},
	}
	r.system.new(one, one, 0)
	r.unknowns[0].value, r.missing = residue{"": one}, n%8 != 0 && lane >= n%8
	for _, w := range k.lines {
		if i := strings.Index(strings.Join(w, " "), ":"); i > 0 {
			r.operand(w)
		} else if left, right, _ := strings.Cut(strings.Join(w, ""), "="); w[0] != "given" {
			right, missing, _ := strings.Cut(right, "|")
			r.formulas = append(r.formulas, [3]string{strings.TrimPrefix(left, "let"), right, missing})
		}
	}
	return r
}

// operand reads a line about operands.
func (r *run) operand(w []string) {
	var names []string
	for i, v := range w {
		names = append(names, strings.TrimSuffix(v, ":"))
		if strings.HasSuffix(v, ":") {
			w = w[i+1:]
			break
		}
	}
	for _, name := range names {
		o, after := &operand{name: name, region: name, layout: w[0]}, 0
		if region, shift, isView := strings.Cut(w[0], "+"); isView {
			o.region, o.layout, o.shift = region, "block", integer(shift)
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
		r.operands = append(r.operands, o)
	}
}

// pointer returns an address that begins with the number of a name.
func (r *run) pointer(name string) int64 {
	for i, v := range r.pointers {
		if v == name {
			return int64(i+1) << pointerBits
		}
	}
	r.pointers = append(r.pointers, name)
	return int64(len(r.pointers)) << pointerBits
}

// named returns the name of a pointer and the offset from it.
func (r *run) named(address int64) (name string, offset int64) {
	i := (address + 1<<(pointerBits-1)) >> pointerBits
	if i < 1 || int(i) > len(r.pointers) {
		fail("%x is not an address", address)
	}
	return r.pointers[i-1], address - i<<pointerBits
}

func (r *run) exists(block int64) bool { return 8*block+r.lane < r.n }

// limbAt returns the place of a limb: its block as a key, its number, and its operand.
func (r *run) limbAt(address int64) (key string, limb int64, o *operand, block int64) {
	name, offset := r.named(address)
	stride, next, most := int64(64*r.limbs), int64(64), int64(0)
	for _, v := range r.operands {
		if "@"+v.region == name {
			most = v.shift
			if o == nil {
				o = v
			}
		}
	}
	if o == nil || offset < 0 || offset%64 != 0 {
		fail("%s%+d is not in an operand", name, offset)
	}
	block, limb = offset/stride, offset%stride/next
	if o.layout == "plane" {
		block, limb = offset%(8*1032)/64, offset/(8*1032)
	}
	most += (r.n - 1) / 8
	switch o.layout {
	case "scratch":
		most = 15
	case "fixed":
		most = 0
	}
	if block > most || int(limb) >= r.limbs {
		fail("%s%+d is after the end", name, offset)
	}
	return fmt.Sprint(o.region, " ", block), limb, o, block
}

// input makes a block as it is before the kernel.
func (r *run) input(o *operand, block int64) []int {
	limbs, high := make([]int, r.limbs), below(64)
	if o.form[0] == "" || o.layout == "scratch" || o.layout == "plane" && !r.exists(block) {
		for i := range limbs {
			limbs[i] = r.system.new(zero, high, 0)
		}
		return limbs
	}
	bound := r.bound(o.bound[0])
	whole := r.system.new(zero, bound, 0)
	r.unknowns[whole].value = residue{fmt.Sprint(o.region, block): new(big.Int).Mod(left(one, 52*r.limbs),
		r.p)}
	rest := []term{{whole, 0, one}}
	for i := r.limbs - 1; i >= 0; i-- {
		most := least(below(52), right(bound, 52*i))
		limbs[i] = r.system.new(zero, most, 0)
		if i == 0 {
			limbs[i] = r.system.new(zero, most, 0, rest...)
		}
		rest = append(rest, term{limbs[i], 0, left(big.NewInt(-1), 52*i)})
		if o.form[0] == "factor" {
			above := r.system.new(zero, below(12), 0)
			v := r.system.new(zero, high, 0, term{limbs[i], 0, one}, term{above, 0, left(one, 52)})
			r.unknowns[v].bits[52] = limbs[i]
			limbs[i] = v
		}
	}
	return limbs
}

func (r *run) bound(formula string) *big.Int {
	known := map[string]*big.Int{"p": r.p, "room": r.room}
	return evaluate(formula, nil, func(name string) residue { return residue{"": known[name]} })[""]
}

func (r *run) load(address int64) int {
	key, limb, o, block := r.limbAt(address)
	if r.memory[key] == nil {
		r.memory[key] = r.input(o, block)
	}
	limbs := r.memory[key]
	where := ""
	for _, at := range append(r.calls[:len(r.calls):len(r.calls)], r.at) {
		where += fmt.Sprint(r.code[at-1].number, " ")
	}
	return r.copyOf(limbs[limb], func() int {
		return r.number(limbs, strings.TrimSpace(where), r.claim)[limb]
	})
}

// claim returns the bounds of a number loaded at the given place that are certified. In lanes
// without elements they are any bounds.
func (r *run) claim(where string, low, high *big.Int) (*big.Int, *big.Int) {
	c, there := r.certificate[where]
	switch {
	case r.missing:
		return low, high
	case !there || c[0].Cmp(low) > 0 || c[1].Cmp(high) < 0:
		fail("a number from %v to %v, which is not certified at %s: %v", low, high, where, c)
	}
	return c[0], c[1]
}

func (r *run) store(address int64, v int, write bool) {
	key, limb, o, block := r.limbAt(address)
	if r.memory[key] == nil {
		r.memory[key] = r.input(o, block)
	}
	isOutput := o.layout == "scratch"
	for _, view := range r.operands {
		isOutput = isOutput || view.region == o.region && view.form[1] != ""
	}
	if !isOutput || write && o.masked && !r.exists(block) {
		fail("%s is written", key)
	}
	if write {
		limbs := append([]int{}, r.memory[key]...)
		limbs[limb] = r.unknowns[v].copied
		if limbs[limb] == 0 {
			limbs[limb] = v
		}
		r.memory[key] = limbs
	}
}

// all executes the kernel and compares memory with the specification, block by block.
func (r *run) all() {
	start, there := r.labels["·"+r.name+"(SB)"]
	if !there {
		fail("no function")
	}
	for r.at = start; r.at >= 0; {
		in := r.code[r.at]
		r.at++
		func() {
			defer func() {
				if e := recover(); e != nil {
					fail("line %d: %v", in.number, e)
				}
			}()
			r.execute(in)
		}()
	}
	rounds := 1
	if r.times {
		rounds = 2
	}
	model := map[string]residue{}
	count := (r.n + 7) / 8
	for range rounds {
		for i := range count {
			if r.backwards {
				i = count - 1 - i
			}
			r.model(model, i)
		}
	}
	inverse := residue{"": new(big.Int).ModInverse(left(one, 52*r.limbs), r.p)}
	for _, o := range r.operands {
		for i := range count {
			if o.form[1] == "" || o.layout == "plane" && !r.exists(i) {
				continue
			}
			key := fmt.Sprint(o.region, " ", i+o.shift)
			var whole []term
			for l, v := range r.memory[key] {
				if o.form[1] == "factor" {
					v = r.part(v)
				} else if !r.fits(v, zero, below(52)) {
					fail("limb %d of %s is not clean", l, key)
				}
				whole = append(whole, term{v, 0, left(one, 52*l)})
			}
			low, high := r.bounds(whole)
			got, ok := r.reduce(whole)
			if low.Sign() < 0 || high.Cmp(r.bound(o.bound[1])) > 0 || !ok || len(whole) == 0 {
				fail("%s is from %v to %v; all carries cancel: %v", key, low, high, ok)
			}
			got = got.times(inverse, r.p)
			got.add(model[o.region+fmt.Sprint(i+o.shift)], big.NewInt(-1), r.p)
			if len(got) > 0 {
				fail("%s is wrong", key)
			}
		}
	}
}

// model changes a block as the specification says.
func (r *run) model(model map[string]residue, block int64) {
	known, after := map[string]residue{}, map[string]string{}
	for _, o := range r.operands {
		key := fmt.Sprint(o.region, block+o.shift)
		if o.layout == "fixed" {
			key = o.region + "0"
		}
		known[o.name] = model[key]
		if known[o.name] == nil {
			known[o.name] = residue{key: one}
		}
		if o.form[1] != "" && (r.exists(block) || o.layout == "block") {
			after[o.name+"'"] = key
		}
	}
	for _, f := range r.formulas {
		if !r.exists(block) && f[2] != "" {
			f[1] = f[2]
		}
		known[f[0]] = evaluate(f[1], r.p, func(name string) residue { return known[name] })
	}
	for name, key := range after {
		if known[name] == nil {
			fail("the specification does not say what %s is", name)
		}
		model[key] = known[name]
	}
}

package main

import (
	"crypto/sha512"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// vector is the content of a register: unknowns by lane, or 0 in lanes of other elements.
type vector [8]int

// run is the execution of a kernel for n elements. It follows the elements of one lane.
type run struct {
	*system
	*kernel
	*text
	n, lane   int64
	registers map[string]int64
	fixed     map[int64]int64 // constants, arguments and references, by address
	vectors   map[string]vector
	masks     map[string]int64
	flags     int64
	memory    map[string][]int // limbs or words of a block in the lane
	calls     []int
	at        int
	pointers  []string // names, by the highest bits of addresses
}

const (
	pointerBits = 40
	planeBytes  = 8 * 1032
)

// newRun prepares memory that is read by general registers, and the constant 1.
func newRun(k *kernel, t *text, c certificate, n, lane int64) *run {
	r := &run{
		system: &system{
			p: k.modulus, limbs: k.size, certificate: c, highs: map[[2]int]int{},
			constants: map[int64]int{}, numbers: map[string][]int{}, quotients: map[int]int{},
		},
		kernel: k, text: t, n: n, lane: lane, registers: map[string]int64{},
		fixed: map[int64]int64{}, vectors: map[string]vector{}, masks: map[string]int64{},
		memory: map[string][]int{},
	}
	r.system.new(one, one, 0)
	r.unknowns[0].value, r.missing = one, !r.exists(n-1)
	for at, v := range t.words {
		r.fixed[r.address(at)] = v
	}
	for offset, name := range k.fields {
		v := r.pointer("@" + name)
		switch name {
		case "n":
			v = n
		case "times":
			v = 2
		}
		r.fixed[r.pointer("@a")+offset] = v
	}
	for _, o := range k.operands {
		for i := range (n + 7) / 8 * 8 {
			switch o.layout {
			case "references":
				r.fixed[r.pointer("@"+o.name)+4*i] = reference(i)
			case "pointers":
				r.fixed[r.pointer("@"+o.name)+8*i] = r.pointer(fmt.Sprint("@*", o.name, " ", i))
			}
		}
	}
	return r
}

// exists reports whether the block of an element has an element in the lane.
func (r *run) exists(element int64) bool { return element/8*8+r.lane < r.n }

// point returns the value of an input where formulas are compared: a number modulo p made of the assembly.
// A wrong formula holds there with a probability of its degree divided by p.
func (r *run) point(name string) *big.Int {
	h := sha512.Sum512(append(r.hash[:], name...))
	return new(big.Int).Mod(new(big.Int).SetBytes(h[:]), r.p)
}

// pointer returns an address that begins with the number of a name.
func (r *run) pointer(name string) int64 {
	if !slices.Contains(r.pointers, name) {
		r.pointers = append(r.pointers, name)
	}
	return int64(slices.Index(r.pointers, name)+1) << pointerBits
}

// named returns the name of a pointer and the offset from it.
func (r *run) named(address int64) (name string, offset int64) {
	i := (address + 1<<(pointerBits-1)) >> pointerBits
	if i < 1 || int(i) > len(r.pointers) {
		fail("%x is not an address", address)
	}
	return r.pointers[i-1], address - i<<pointerBits
}

// fixedAt returns a constant, an argument or a reference.
func (r *run) fixedAt(address int64) int64 {
	v, there := r.fixed[address]
	if !there {
		fail("a load from %x", address)
	}
	return v
}

// reference is the reference of an element to an entry: any number, and in each lane odd and even ones.
func reference(element int64) int64 { return 2*(5+11*element) + (element+element/8)&1 }

// place returns the operands of eight bytes of memory, an element there, and its limb or word.
func (r *run) place(address int64) (views []*operand, element, limb int64) {
	name, offset := r.named(address)
	region, owner, _ := strings.Cut(name, " ")
	for _, o := range r.operands {
		if "@"+o.region == region {
			views = append(views, o)
		}
	}
	if len(views) == 0 || offset < 0 || offset%8 != 0 {
		fail("%s%+d is not in an operand", name, offset)
	}
	size, blocks := int64(r.size), (r.n+7)/8
	switch views[0].layout {
	case "plane":
		element, limb = offset%planeBytes/8, offset/planeBytes
	case "rows", "entries":
		row := offset / 8 / int64(2*r.quads)
		element = row
		if views[0].layout == "entries" {
			element = (row - 5) / 11
		}
		if element != row && reference(element)>>1 != row || owner != "" && owner != fmt.Sprint(element) {
			fail("%s%+d is not in an entry", name, offset)
		}
		size, limb = int64(r.quads), offset/8-row*int64(2*r.quads)
		views, limb = views[limb/size:][:1], limb%size
	default:
		element, limb = offset/(64*size)*8+offset%64/8, offset/64%size
	}
	views = slices.DeleteFunc(views, func(o *operand) bool {
		length := blocks
		switch o.layout {
		case "scratch":
			length = 16
		case "fixed":
			length = 1
		}
		return element/8 < o.shift || element/8 >= o.shift+length
	})
	if len(views) == 0 || limb >= size {
		fail("%s%+d is after the end", name, offset)
	}
	return views, element, limb
}

// block returns the limbs or words of a block in the lane.
func (r *run) block(o *operand, element int64) (key string, limbs []int) {
	key = o.key(element/8 - o.shift)
	if r.memory[key] == nil {
		r.memory[key] = r.input(o, key, element)
	}
	return key, r.memory[key]
}

// input makes a block as it is before the kernel.
func (r *run) input(o *operand, key string, element int64) (limbs []int) {
	n, bits, factor := r.form(o)
	if o.form[0] == "" || o.layout == "plane" && !r.exists(element) {
		for range n {
			limbs = append(limbs, r.system.new(zero, below(64), 0))
		}
		return limbs
	}
	bound := r.limit(o.bound[0])
	whole := r.system.new(zero, bound, 0)
	r.unknowns[whole].value = mul(r.point(key), factor)
	limbs = r.cut(whole, n, bits, func(i int) *big.Int { return least(below(bits), right(bound, bits*i)) })
	for i, limb := range limbs {
		if o.form[0] == "factor" { // the highest bits may be anything
			limbs[i] = r.sum(limb, r.system.new(zero, below(12), 0), power(1, 52))
			r.unknowns[limbs[i]].bits[52] = limb
		}
	}
	return limbs
}

// limit evaluates a bound.
func (r *run) limit(formula string) *big.Int {
	return evaluate(formula, map[string]*big.Int{"p": r.p, "room": r.room})
}

// load returns a copy of eight bytes, which is a limb of the number in memory.
func (r *run) load(address int64) int {
	views, element, limb := r.place(address)
	if element%8 != r.lane {
		return 0
	}
	_, limbs := r.block(views[0], element)
	v := r.unknowns[limbs[limb]]
	copied := r.system.new(v.low, v.high, 0, term{limbs[limb], 0, one})
	x := r.unknowns[copied]
	x.bits, x.pieces, x.by = v.bits, v.pieces, v.by
	x.copied, x.limbs, x.limb = limbs[limb], limbs, int(limb)
	var lines []int
	for _, at := range append(slices.Clone(r.calls), r.at) {
		lines = append(lines, r.code[at-1].number)
	}
	x.where = strings.Trim(fmt.Sprint(lines), "[]")
	return copied
}

// store stores eight bytes.
func (r *run) store(address int64, v int) {
	views, element, limb := r.place(address)
	isOutput := slices.ContainsFunc(views, func(o *operand) bool {
		return o.layout == "scratch" || o.form[1] != ""
	})
	if !isOutput || views[0].masked && element >= r.n {
		fail("element %d of %s is written", element, views[0].region)
	}
	if element%8 != r.lane {
		return
	} else if v == 0 {
		fail("%s depends on another element", views[0].region)
	}
	key, limbs := r.block(views[0], element)
	r.memory[key] = slices.Clone(limbs)
	r.memory[key][limb] = v
	if copied := r.unknowns[v].copied; copied != 0 {
		r.memory[key][limb] = copied
	}
}

// all executes the kernel and compares memory with the specification, block by block.
func (r *run) all() {
	start, there := r.labels["·"+r.name+"(SB)"]
	if !there {
		fail("no function")
	}
	for r.at = start; r.at >= 0; {
		r.step()
	}
	count := (r.n + 7) / 8
	rounds := count
	if r.times {
		rounds *= 2
	}
	model := map[string]*big.Int{}
	for i := range rounds {
		block := i % count
		if r.backwards {
			block = count - 1 - block
		}
		r.model(model, block)
	}
	for _, o := range r.operands {
		n, bits, factor := r.form(o)
		for i := range count {
			if o.form[1] == "" || o.layout != "block" && !r.exists(8*i) {
				continue
			}
			key := o.key(i)
			var whole []term
			for l, v := range r.memory[key] {
				switch fits := r.fits(v, zero, below(bits)); {
				case o.form[1] == "factor":
					v = r.part(v)
				case !fits && !o.isWords:
					fail("limb %d of %s is not clean", l, key)
				case !fits:
					v = r.lowest(v, bits)
				}
				whole = append(whole, term{v, 0, power(1, bits*l)})
			}
			low, high := r.bounds(whole)
			got := r.reduce(whole)
			if low.Sign() < 0 || high.Cmp(r.limit(o.bound[1])) > 0 || got == nil || len(whole) != n {
				fail("%s is from %v to %v, modulo p %v", key, low, high, got)
			}
			if got.Sub(got, mul(model[key], factor)).Mod(got, r.p).Sign() != 0 {
				fail("%s is wrong", key)
			}
		}
	}
}

// model changes a block as the specification says.
func (r *run) model(model map[string]*big.Int, block int64) {
	known, after := map[string]*big.Int{}, map[string]string{}
	known["sign"] = big.NewInt(1 - 2*(reference(8*block+r.lane)&1))
	for _, o := range r.operands {
		key := o.key(block)
		known[o.name] = model[key]
		if known[o.name] == nil {
			known[o.name] = r.point(key)
		}
		if o.form[1] != "" && (r.exists(8*block) || o.layout == "block") {
			after[o.name+"ʹ"] = key
		}
	}
	for _, f := range r.formulas {
		if !r.exists(8*block) && f[2] != "" {
			f[1] = f[2]
		}
		v := evaluate(f[1], known)
		known[f[0]] = v.Mod(v, r.p)
	}
	for name, key := range after {
		if known[name] == nil {
			fail("the specification does not say what %s is", name)
		}
		model[key] = known[name]
	}
}

package main

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// places is the number of elements in a plane: limb l of element i is word l·places + i.
const places = 1024 + 8

const blockBytes = 64 // one limb of eight elements

// scalar is the content of a general register: a linear form, or 2^ones - 1.
type scalar struct {
	linear
	ones linear
}

// cell is 64 bytes of memory: a limb of eight elements.
type cell struct {
	region string
	block  string // a linear form
	limb   int64
}

// place is an instruction.
type place struct {
	f  *function
	pc int
}

// loop is a loop with a symbol for the number of its passes, and the state at its head.
type loop struct {
	head  place
	count string
	state *state
	wrong *map[string]bool // registers that do not keep their part of the state
}

// state holds the known facts at an instruction on one path.
type state struct {
	place
	general map[string]scalar
	vectors [32]*value
	masks   [8]linear // how many of the lowest bits are set, or nil
	flags   linear    // conditional jumps compare it with 0; or nil
	memory  map[cell]*value
	touched map[string]map[string]linear // blocks by region
	next    linear                       // the block that the specification is due for
	whole   bool                         // all blocks have been done
	facts   facts
	calls   []place
	loops   []loop
	heads   map[place]*state // the state at the last visit of the target of a jump back
	upper   bool             // the upper halves of vector registers are in use
	window  linear           // the window of digits that is due, in the block
	refs    map[int64]*value // its references that are stored, by the first lane
	read    bool             // digits of the block were read
	last    string           // the jump that led here, at the head of a loop
}

func (s *state) clone() *state {
	c := *s
	c.general, c.memory, c.heads = maps.Clone(s.general), maps.Clone(s.memory), maps.Clone(s.heads)
	c.touched = map[string]map[string]linear{}
	for k, v := range s.touched {
		c.touched[k] = maps.Clone(v)
	}
	c.refs = maps.Clone(s.refs)
	c.facts, c.calls, c.loops = slices.Clone(s.facts), slices.Clone(s.calls), slices.Clone(s.loops)
	return &c
}

// machine proves one kernel for one lane.
type machine struct {
	*lane
	source    *source
	arguments map[int64]string
	spec      *kernelSpec
	counts    int // of loops
	steps     int // instructions
	paths     int
	checked   int // equations
	line      int // of the current instruction
}

// run proves a kernel: all paths from its first instruction.
func (m *machine) run() {
	f := m.source.functions[m.spec.name]
	if f == nil {
		refuse("no function %s", m.spec.name)
	}
	m.spec.checkRounds(m.field)
	s := &state{
		place: place{f: f}, general: map[string]scalar{}, memory: map[cell]*value{},
		touched: map[string]map[string]linear{}, heads: map[place]*state{},
	}
	s.next = m.first()
	m.follow(s)
}

// rest is the symbol for the number of elements in the last block, less 1.
func (m *machine) rest() string {
	if m.missing {
		return "f"
	}
	return "e"
}

// first is the block that a kernel begins with.
func (m *machine) first() linear {
	if m.spec.backwards {
		return linear{"q": 1}
	}
	return linear{}
}

// direction is by how much the number of the block changes.
func (m *machine) direction() int64 {
	if m.spec.backwards {
		return -1
	}
	return 1
}

// follow executes a path to its end.
func (m *machine) follow(s *state) {
	for s != nil {
		if s.pc >= len(s.f.body) {
			refuse("%s ends without RET", s.f.name)
		}
		if back(s.f)[s.pc] {
			head := s.clone()
			head.heads = nil
			s.heads[s.place] = head
		}
		in := s.f.body[s.pc]
		m.line = in.line
		s.pc++
		m.steps++
		switch do := semantics[in.op+" "+in.form]; {
		case do != nil:
			do(m, s, in)
		case in.op == "CALL":
			callee := m.source.functions[in.operands[0].name+"<>"]
			if callee == nil || len(s.calls) > 2 {
				refuse("a call of %s", in.operands[0].name)
			}
			s.calls = append(s.calls, s.place)
			s.place = place{f: callee}
		case in.op == "RET":
			if n := len(s.calls); n > 0 {
				s.place, s.calls = s.calls[n-1], s.calls[:n-1]
				continue
			}
			m.returns(s)
			return
		default:
			s = m.jump(s, in)
		}
	}
}

// back returns the instructions of f that are jumped back to.
func back(f *function) map[int]bool {
	out := map[int]bool{}
	for pc, in := range f.body {
		if strings.HasPrefix(in.op, "J") && f.labels[in.operands[0].name] <= pc {
			out[f.labels[in.operands[0].name]] = true
		}
	}
	return out
}

// returns checks the end of a kernel.
func (m *machine) returns(s *state) {
	m.finish(s)
	if !s.whole {
		refuse("a return before the last block; the next one is %s", s.next)
	}
	if s.upper {
		refuse("a return without VZEROUPPER")
	}
	m.paths++
}

// jump follows both branches of a jump, where both are possible: it returns the state of the
// next instruction, and follows the other branch itself.
func (m *machine) jump(s *state, in instruction) *state {
	target, known := s.f.labels[in.operands[0].name]
	if !known {
		refuse("no label %s in %s", in.operands[0].name, s.f.name)
	}
	to, backwards := place{s.f, target}, target < s.pc
	if in.op == "JMP" {
		if backwards {
			refuse("a loop without a condition")
		}
		s.place = to
		return s
	}
	taken, not := s.conditions(in.op)
	if _, ok := s.flags.isNumber(); ok { // a loop with a fixed count is followed pass by pass
		if s.facts.atLeast0(taken) {
			s.place = to
		}
		return s
	}
	if backwards {
		m.finish(s)
	}
	if !s.facts.atLeast0(not) {
		jumped := s.clone()
		jumped.place, jumped.facts, jumped.last = to, append(jumped.facts, taken), in.op
		if backwards {
			m.again(jumped)
		} else {
			m.follow(jumped)
		}
	}
	m.line = in.line
	if s.facts.atLeast0(taken) {
		return nil
	}
	s.facts = append(s.facts, not)
	return s
}

// conditions returns two sums: taken is at least 0 if a jump is taken, and not is at least 0
// otherwise. Values that are compared for equality may not be negative.
func (s *state) conditions(op string) (taken, not linear) {
	v := s.flags
	if v == nil || (op == "JE" || op == "JNZ") && !s.facts.atLeast0(v) {
		refuse("%s on %s", op, v)
	}
	switch op {
	case "JG", "JNZ":
		return v.add(-1), v.scaled(-1)
	case "JGE":
		return v, v.scaled(-1).add(-1)
	case "JLE", "JE":
		return v.scaled(-1), v.add(-1)
	}
	refuse("an unknown jump %s", op)
	return nil, nil
}

// again is at the head of a loop, after one pass at least. If it is the first time, all
// that changed is replaced by its general form after any number of passes, and the
// loop is followed once more: this proves the induction, as the state at the next
// visit must be the same for one pass more.
func (m *machine) again(s *state) {
	for i, l := range s.loops {
		if l.head == s.place {
			m.repeats(s, s.loops[i])
			return
		}
	}
	before := s.heads[s.place]
	if before == nil || len(s.calls) > 0 {
		refuse("a jump back to an instruction that was not passed, or in a subroutine")
	}
	m.counts++
	count := fmt.Sprint("k", m.counts)
	wrong := map[string]bool{}
	for {
		g := s.clone()
		for c, v := range s.memory {
			if before.memory[c] != v || wrong[fmt.Sprint(c)] {
				delete(g.memory, c)
			}
		}
		for name, after := range s.general {
			step, ok := after.step(before.general[name])
			switch {
			case wrong[name] || !ok || after.linear == nil && len(step) != 0:
				delete(g.general, name)
			case len(step) != 0:
				g.general[name] = scalar{linear: after.plus(m.times(linear{count: 1}, step), 1)}
			}
		}
		step, ok := s.next.plus(before.next, -1).isNumber()
		if !ok {
			refuse("blocks are not done in turns")
		}
		g.next = s.next.plus(linear{count: 1}, step)
		windowStep, ok := s.window.plus(before.window, -1).isNumber()
		g.window = s.window.plus(linear{count: 1}, windowStep)
		if !ok || len(s.refs) != 0 {
			refuse("windows are not done in turns")
		}
		flagStep := int64(0)
		for name, r := range s.general {
			if r.linear != nil && s.flags != nil && r.equal(s.flags) {
				by, _ := r.step(before.general[name])
				flagStep, _ = by.isNumber()
			}
		}
		if flagStep >= 0 {
			refuse("a loop without a register that falls")
		}
		taken, _ := s.conditions(s.last)
		g.facts = append(g.facts, taken.plus(linear{count: 1}, flagStep))
		for i, v := range s.vectors {
			if v != before.vectors[i] || wrong[fmt.Sprint("Z", i)] {
				g.vectors[i] = nil
			}
		}
		for i := range g.masks {
			if wrong[fmt.Sprint("K", i)] {
				g.masks[i] = nil
			}
		}
		g.flags = nil
		g.loops = slices.DeleteFunc(g.loops, func(l loop) bool { return l.head.pc >= s.pc })
		n := len(wrong)
		g.loops = append(g.loops, loop{head: s.place, count: count, state: g.clone(), wrong: &wrong})
		m.follow(g)
		if len(wrong) == n {
			return
		}
	}
}

// step returns by how much a register changed, if the change is free of numbers of passes.
func (a scalar) step(before scalar) (v linear, ok bool) {
	if a.ones != nil || before.ones != nil {
		return nil, a.ones != nil && before.ones != nil && a.ones.equal(before.ones)
	}
	if a.linear == nil || before.linear == nil {
		return nil, false
	}
	v = a.plus(before.linear, -1)
	for k := range v {
		if k != "" && k != "stride" {
			return nil, false
		}
	}
	return v, true
}

// repeats checks that the state at the head of a loop is the general one, for one pass more.
func (m *machine) repeats(s *state, l loop) {
	shift := func(a linear) linear {
		return a.plus(linear{"": 1}, a[l.count]).plus(linear{"stride": 1}, a[l.count+"·stride"])
	}
	for name, r := range l.state.general {
		now := s.general[name]
		switch {
		case r.ones != nil && now.ones != nil && now.ones.equal(shift(r.ones)):
		case r.ones == nil && r.linear != nil && now.linear != nil && now.equal(shift(r.linear)):
		default:
			(*l.wrong)[name] = true
		}
	}
	for i, v := range l.state.vectors {
		if v != nil && s.vectors[i] != v {
			(*l.wrong)[fmt.Sprint("Z", i)] = true
		}
	}
	for i, v := range l.state.masks {
		if v != nil && (s.masks[i] == nil || !s.masks[i].equal(v)) {
			(*l.wrong)[fmt.Sprint("K", i)] = true
		}
	}
	for c, v := range l.state.memory {
		if s.memory[c] != v {
			(*l.wrong)[fmt.Sprint(c)] = true
		}
	}
	if !s.window.equal(shift(l.state.window)) || len(s.refs) != 0 || s.read && !l.state.read {
		refuse("the next window is %s, not %s", s.window, shift(l.state.window))
	}
	if !s.next.equal(shift(l.state.next)) {
		refuse("the next block is %s, not %s", s.next, shift(l.state.next))
	}
	for _, known := range l.state.facts {
		if !s.facts.atLeast0(shift(known)) {
			refuse("%s ≥ 0 does not hold after one more pass", known)
		}
	}
	if s.upper && !l.state.upper {
		refuse("vector registers are in use after one more pass")
	}
	m.paths++
}

// The address of memory.

// address returns the address of an operand in memory.
func (m *machine) address(s *state, o operand) linear {
	at := fixedAt(o.value)
	switch o.kind {
	case symbol:
		return at.plus(linear{"&" + o.name: 1}, 1)
	case inMemory:
		for _, r := range []string{o.base, o.index} {
			if r != "" {
				at = at.plus(m.scalar(s, r), 1)
			}
		}
	}
	return at
}

// scalar returns a general register with a linear form.
func (m *machine) scalar(s *state, name string) linear {
	v := s.general[name]
	if v.linear == nil {
		refuse("register %s is undefined", name)
	}
	return v.linear
}

// split returns the pointer in an address and the offset from it.
func split(at linear) (pointer string, offset linear) {
	for k, c := range at {
		if strings.HasPrefix(k, "@") || strings.HasPrefix(k, "&") {
			if c != 1 || pointer != "" {
				refuse("an address of %s", at)
			}
			pointer = k
		}
	}
	if pointer == "" {
		refuse("an address without a pointer: %s", at)
	}
	return pointer, at.plus(linear{pointer: 1}, -1)
}

// wordAt loads eight bytes to a general register: a pointer or a count.
func (m *machine) wordAt(s *state, at linear) linear {
	pointer, offset := split(at)
	if views := m.views(pointer[1:]); len(views) > 0 && views[0].layout == pointers {
		return m.pointerAt(s, views[0].name, offset)
	}
	v, ok := offset.isNumber()
	if pointer != "@a" || !ok || m.spec.arguments != nil {
		refuse("a load of %s", at)
	}
	return m.argument(m.arguments, v)
}

// argument returns a parameter: a pointer, a number or a distance.
func (m *machine) argument(names map[int64]string, offset int64) linear {
	switch name := names[offset]; name {
	case "":
		refuse("no parameter at %d", offset)
	case "n":
		return linear{"q": 8, m.rest(): 1, "": 1}
	case "times", "count":
		return linear{name: 1, "": 1}
	case "stride", "second":
		return linear{name: 1}
	}
	return linear{"@" + names[offset]: 1}
}

// constantAt loads eight bytes of a constant.
func (m *machine) constantAt(at linear) *value {
	pointer, offset := split(at)
	v, ok := offset.isNumber()
	if pointer[0] != '&' || !ok {
		refuse("a broadcast from %s", at)
	}
	return m.constant(num(int64(m.source.word(pointer[1:], v))))
}

// views are the operands of a region.
func (m *machine) views(region string) (out []*operandSpec) {
	for _, o := range m.spec.operands {
		if o.region == region {
			out = append(out, o)
		}
	}
	return out
}

// cellAt returns the cell at an address and the number of its block, and checks that it is
// in an operand.
func (m *machine) cellAt(s *state, at linear) (c cell, number linear, layoutOf layout) {
	pointer, offset := split(at)
	views := m.views(pointer[1:])
	if pointer[0] != '@' || len(views) == 0 {
		refuse("memory at %s is not an operand", at)
	}
	limbs, layoutOf := int64(m.field.limbs), views[0].layout
	blockStride, limbStride := limbs*blockBytes, int64(blockBytes)
	if layoutOf == plane {
		blockStride, limbStride = blockBytes, places*8
	}
	number = linear{}
	for k, v := range offset {
		if k != "" {
			if v%blockStride != 0 {
				refuse("an offset of %s in %s", offset, pointer)
			}
			number[k] = v / blockStride
		}
	}
	rest := offset[""]
	if layoutOf == plane {
		c.limb = (rest + limbStride/2) / limbStride
		rest -= c.limb * limbStride
		number = number.add(floorDiv(rest, blockStride))
	} else {
		number = number.add(floorDiv(rest, blockStride))
		rest -= floorDiv(rest, blockStride) * blockStride
		c.limb = rest / limbStride
	}
	if rest%blockBytes != 0 || c.limb < 0 || c.limb >= limbs {
		refuse("memory at %s is not a limb of %s", at, pointer)
	}
	last := linear{"q": 1}
	switch layoutOf {
	case fixed:
		last = linear{}
	case scratch:
		last = fixedAt(scratchBlocks - 1)
	default:
		var most int64
		for _, v := range views {
			most = max(most, v.shift)
		}
		last = last.add(most)
	}
	if !s.facts.atLeast0(number) || !s.facts.atLeast0(last.plus(number, -1)) {
		refuse("block %s of %s is not from 0 to %s", number, pointer, last)
	}
	c.region, c.block = pointer[1:], number.String()
	return c, number, layoutOf
}

// scratchBlocks is how many blocks of scratch memory kernels have.
const scratchBlocks = 16

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// view returns the operand that a block of a region belongs to, and its number there.
func (m *machine) view(s *state, region string, number linear) (o *operandSpec, of linear) {
	best := int64(-1)
	for _, v := range m.views(region) {
		if v.layout == fixed {
			return v, number
		}
		ahead, ok := number.add(-v.shift).plus(s.next, -1).isNumber()
		ahead *= m.direction()
		if ok && ahead >= 0 && (best < 0 || ahead < best) {
			o, of, best = v, number.add(-v.shift), ahead
		}
	}
	if o == nil {
		refuse("block %s of %s is done already, or not yet due", number, region)
	}
	return o, of
}

// exists reports whether block number has an element in this lane.
func (m *machine) exists(s *state, number linear) bool {
	if !m.missing {
		return true
	}
	last := linear{"q": 1}
	if s.facts.isZero(last.plus(number, -1)) {
		return false
	}
	if s.facts.positive(last.plus(number, -1)) {
		return true
	}
	refuse("block %s may be the last one or not", number)
	return false
}

func (s *state) touch(c cell, number linear) {
	if s.touched[c.region] == nil {
		s.touched[c.region] = map[string]linear{}
	}
	s.touched[c.region][c.block] = number
}

// loadVector loads a limb.
func (m *machine) loadVector(s *state, at linear) *value {
	if pointer, _ := split(at); pointer[0] == '&' {
		refuse("a load of a constant vector")
	}
	c, number, layoutOf := m.cellAt(s, at)
	if s.memory[c] == nil {
		if layoutOf == scratch {
			refuse("scratch memory is read before it is written: block %s, limb %d", c.block, c.limb)
		}
		m.inputs(s, c, number)
	}
	if layoutOf != fixed && layoutOf != scratch {
		s.touch(c, number)
	}
	v := *s.memory[c]
	limbs := m.limbsOf(s, c)
	if limbs != nil {
		where := s.where()
		v.factor, v.limb = nil, func() *value { return m.number(where, limbs)[c.limb] }
	}
	return &v
}

// where returns the lines of calls and of the last instruction.
func (s *state) where() (lines string) {
	for _, p := range append(slices.Clone(s.calls), s.place) {
		lines += fmt.Sprint(" ", p.f.body[p.pc-1].line)
	}
	return lines[1:]
}

// limbsOf returns the content of a block, or nil if a limb is missing.
func (m *machine) limbsOf(s *state, c cell) (limbs []*value) {
	for i := range m.field.limbs {
		v := s.memory[cell{c.region, c.block, int64(i)}]
		if v == nil {
			return nil
		}
		limbs = append(limbs, v)
	}
	return limbs
}

// inputs makes the block that an operand has at the beginning.
func (m *machine) inputs(s *state, c cell, number linear) {
	o, of := m.view(s, c.region, number)
	n := m.field.limbs
	set := func(i int, v *value) {
		at := cell{c.region, c.block, int64(i)}
		if s.memory[at] == nil {
			s.memory[at] = v
		}
	}
	if o.layout == plane && !m.exists(s, of) {
		for i := range n {
			set(i, m.fresh("any bits", unsigned64))
		}
		return
	}
	if o.in.bound == nil {
		refuse("%s is read", o.name)
	}
	bound := o.in.bound.integer(m.field)
	whole := m.fresh(o.name, upTo(bound))
	m.of(whole).value = residue{inputName(o, of): m.radixResidue()}
	lowest := whole.poly
	for i := n - 1; i >= 0; i-- {
		v := m.value(lowest, upTo(mask52))
		if i > 0 {
			v = m.fresh(fmt.Sprintf("limb %d of %s", i, o.name),
				upTo(smaller(mask52, new(big.Int).Rsh(bound, uint(limbBits*i)))))
			lowest = lowest.plus(v.poly, dy(num(-1), limbBits*i))
		}
		if o.in.factor {
			above := m.fresh("undefined bits", upTo(num(1<<12-1)))
			limb := v
			v = m.value(v.poly.plus(above.poly, dy(num(1), limbBits)), unsigned64)
			v.low[limbBits] = limb
		}
		set(i, v)
	}
}

// inputName names an operand of a block in residues.
func inputName(o *operandSpec, number linear) string { return o.name + "[" + number.String() + "]" }

// radixResidue is R modulo p.
func (m *machine) radixResidue() *big.Int { return new(big.Int).Mod(m.field.radix(), m.field.p) }

// storeVector stores a limb, in lanes where bit is set.
func (m *machine) storeVector(s *state, at linear, v *value, bit bool) {
	c, number, layoutOf := m.cellAt(s, at)
	if layoutOf == fixed {
		refuse("%s is written", c.region)
	}
	if layoutOf == scratch {
		if bit {
			s.memory[c] = v
		}
		return
	}
	o, of := m.view(s, c.region, number)
	if o.out.bound == nil {
		refuse("%s is written", o.name)
	}
	if o.masked && !m.exists(s, of) && bit {
		refuse("%s is written where no element is", o.name)
	}
	s.touch(c, number)
	if bit {
		if s.memory[c] == nil && m.limbsOf(s, c) == nil && o.in.bound != nil {
			m.inputs(s, c, number)
		}
		s.memory[c] = v
	}
}

// bit is the bit of a mask for this lane.
func (m *machine) bit(s *state, k int) bool {
	ones := s.masks[k]
	switch {
	case ones == nil:
		refuse("mask K%d is undefined", k)
	case ones.equal(fixedAt(8)):
		return true
	case ones.equal(linear{m.rest(): 1, "": 1}):
		return !m.missing
	}
	refuse("a mask of %s lanes", ones)
	return false
}

// finish checks the specification of all blocks since the last time.
func (m *machine) finish(s *state) {
	size := int64(0)
	for region, blocks := range s.touched {
		if m.spec.hasDigits() && !m.finishWindow(s) {
			break
		}
		for _, number := range blocks {
			_, of := m.view(s, region, number)
			ahead, _ := of.plus(s.next, -1).isNumber()
			size = max(size, ahead*m.direction()+1)
		}
	}
	for range size {
		m.checkBlock(s, s.next)
		s.next = s.next.add(m.direction())
	}
	if size > 0 {
		s.memory, s.touched, s.whole = map[cell]*value{}, map[string]map[string]linear{}, false
	}
	end := linear{"q": 1}.add(1)
	if m.spec.backwards {
		end = fixedAt(-1)
	}
	if s.facts.isZero(end.plus(s.next, -1)) {
		s.whole, s.next = true, m.first()
	}
}

// checkBlock checks all equations and bounds for one block.
func (m *machine) checkBlock(s *state, number linear) {
	exists := m.exists(s, number)
	known, isDigits := map[string]residue{}, false
	for _, o := range m.spec.operands {
		switch o.layout {
		case references:
			known["sign"] = m.sign(s)
			continue
		case digits:
			isDigits = true
			continue
		case rows, entries:
			known[o.name] = (residue{inputName(o, number): num(1)})
			if o.out.bound != nil {
				known[o.name+"'"] = m.outputWords(s, o)
			}
			continue
		case scratch, windows, bases, pointers:
			continue
		}
		at := number
		if o.layout == fixed {
			at = linear{}
		}
		known[o.name] = residue{inputName(o, at): num(1)}
		if o.out.bound == nil {
			continue
		}
		if o.layout == plane && !exists {
			continue
		}
		known[o.name+"'"] = m.output(s, o, number.add(o.shift))
	}
	var names func(name string) residue
	names = func(name string) residue {
		if known[name] == nil {
			for _, l := range m.spec.lets {
				if l.name == name {
					known[name] = l.value.residue(m.ring, names)
					return known[name]
				}
			}
			refuse("the specification does not say what %s is", name)
		}
		return known[name]
	}
	for _, e := range m.spec.equations {
		if isDigits {
			if exists {
				m.checkDigits(s, e, number)
			}
			continue
		}
		right := e.right
		if !exists {
			if e.missing != nil {
				right = e.missing
			} else if !e.left.lanesOnly(m.spec) {
				continue
			}
		}
		difference := m.ring.plus(e.left.residue(m.ring, names), right.residue(m.ring, names), num(-1))
		if e.given != nil {
			difference = m.reduce(difference, e.given.residue(m.ring, names))
		}
		if len(difference) != 0 {
			refuse("spec.txt:%d does not hold for block %s of %s: %d terms differ", e.line, number,
				m.spec.name, len(difference))
		}
		m.checked++
	}
}

// lanesOnly reports whether all operands of an equation are blocks, which hold numbers in all
// lanes.
func (e *expression) lanesOnly(k *kernelSpec) bool {
	if e.op != 0 {
		return e.left.lanesOnly(k) && e.right.lanesOnly(k)
	}
	for _, o := range k.operands {
		if o.name == strings.TrimSuffix(e.name, "'") {
			return o.layout == block
		}
	}
	return true
}

// reduce replaces a product of different names by 1.
func (m *machine) reduce(a residue, product residue) residue {
	var factors []string
	for k, c := range product {
		factors = strings.Fields(k)
		if len(product) != 1 || c.Cmp(num(1)) != 0 {
			refuse("a condition that is not a product")
		}
	}
	out := residue{}
	for k, c := range a {
		names := strings.Fields(k)
	divide:
		for {
			rest := slices.Clone(names)
			for _, f := range factors {
				i := slices.Index(rest, f)
				if i < 0 {
					break divide
				}
				rest = slices.Delete(rest, i, i+1)
			}
			names = rest
		}
		out = m.ring.plus(out, residue{strings.Join(names, " "): c}, num(1))
	}
	return out
}

// output returns the value of a block at the end, and checks its form.
func (m *machine) output(s *state, o *operandSpec, number linear) residue {
	limbs := m.limbsOf(s, cell{region: o.region, block: number.String()})
	if limbs == nil {
		refuse("%s is not written in block %s", o.name, number)
	}
	bound := o.out.bound.integer(m.field)
	parts := slices.Clone(limbs)
	m.tighten(parts[len(parts)-1])
	for i, v := range parts {
		if o.out.factor {
			parts[i] = m.lane.limb(v)
			continue
		}
		if !v.span.within(upTo(mask52)) {
			m.tighten(v)
		}
		if !v.span.within(upTo(mask52)) {
			refuse("limb %d of %s is from %s to %s", i, o.name, says(v.span.lo), says(v.span.hi))
		}
	}
	whole := m.normal(sumOf(parts))
	if r := m.rangeOf(whole); !r.within(upTo(bound)) {
		refuse("%s is from %s to %s, and not from 0 to %s", o.name, says(r.lo), says(r.hi), says(bound))
	}
	v, err := m.residueOf(whole)
	if err != nil {
		refuse("%s: %v", o.name, err)
	}
	inverse := new(big.Int).ModInverse(m.field.radix(), m.field.p)
	return m.ring.plus(residue{}, v, inverse)
}

package main

import (
	"fmt"
	"math/big"
	"strings"
)

// Memory and instructions of kernels that move words across lanes. They are proved for one
// element of a block, in one lane: see words.

// isWide reports whether k moves words across lanes.
func (k *kernelSpec) isWide() bool {
	for _, o := range k.operands {
		if o.layout == rows || o.layout == entries {
			return true
		}
	}
	return false
}

// region returns the operands of the memory at an address, and the offset from its pointer.
func (m *machine) region(at linear) (name string, views []*operandSpec, offset linear) {
	pointer, offset := split(at)
	name, _, _ = strings.Cut(pointer[1:], " ")
	views = m.views(name)
	if pointer[0] != '@' || len(views) == 0 {
		refuse("memory at %s is not an operand", at)
	}
	return name, views, offset
}

// inBlock demands an offset in the block that is due, and returns the rest.
func (m *machine) inBlock(s *state, offset linear, bytes int64) int64 {
	rest, ok := offset.plus(s.next, -bytes).isNumber()
	if !ok || rest < 0 || rest >= bytes {
		refuse("offset %s is not in block %s", offset, s.next)
	}
	if last := (linear{"q": 1}); !s.facts.atLeast0(s.next) || !s.facts.atLeast0(last.plus(s.next, -1)) {
		refuse("block %s is not from 0 to q", s.next)
	}
	return rest
}

// lane names a lane of the block that is due.
func (s *state) lane(lane int64) string { return fmt.Sprint(s.next, " ", lane) }

// rowWord returns the number of a word of a row, and whether the row is of the element.
func (m *machine) rowWord(s *state, at linear) (word int64, isElement bool) {
	pointer, _ := split(at)
	name, views, offset := m.region(at)
	rowBytes := int64(len(views)) * m.field.words * 8
	var lane string
	if views[0].layout == entries {
		_, lane, _ = strings.Cut(pointer, " ")
		for k := range offset {
			if of, isIndex := strings.CutPrefix(k, "index "); isIndex && (lane == "" || lane == of) {
				lane = of
			}
		}
		offset = offset.plus(linear{"index " + lane: 1}, -rowBytes)
		var ok bool
		word, ok = offset.isNumber()
		if !ok || word < 0 || word >= rowBytes {
			refuse("memory at %s is not in an entry of %s", at, name)
		}
	} else {
		rest := m.inBlock(s, offset, lanesOfVector*rowBytes)
		lane, word = s.lane(rest/rowBytes), rest%rowBytes
	}
	if word%8 != 0 {
		refuse("memory at %s is not a word of %s", at, name)
	}
	return word / 8, lane == s.lane(int64(m.words.element))
}

const lanesOfVector = 8

// loadLanes loads some lanes from memory.
func (m *machine) loadLanes(s *state, at linear, n int64) *value {
	if pointer, offset := split(at); pointer[0] == '&' {
		out := make([]*value, n)
		for i := range out {
			first, ok := offset.isNumber()
			if !ok {
				refuse("a load from %s", at)
			}
			out[i] = m.constant(num(int64(m.source.word(pointer[1:], first+8*int64(i)))))
		}
		return m.lanesOf(out)
	}
	name, views, offset := m.region(at)
	out := make([]*value, n)
	for i := range out {
		out[i] = m.words.unknown
	}
	switch layoutOf := views[0].layout; {
	case layoutOf == plane && n == lanesOfVector:
		out[m.words.element] = m.loadVector(s, at)
	case layoutOf == rows || layoutOf == entries:
		for i := range n {
			if word, isElement := m.rowWord(s, at.add(8*i)); isElement {
				out[i] = m.inputWord(s, name, word)
			}
		}
		if layoutOf == rows {
			s.touch(cell{region: name, block: s.next.String()}, s.next)
		}
	case layoutOf == digits && n == lanesOfVector:
		return m.loadDigits(s, offset)
	default:
		refuse("a load of %d lanes from %s", n, at)
	}
	return m.lanesOf(out)
}

// inputWord returns a word of the row of the element.
func (m *machine) inputWord(s *state, region string, word int64) *value {
	if !m.exists(s, s.next) {
		return m.words.unknown
	}
	at := cell{region, "row", word}
	if s.memory[at] == nil {
		o := m.views(region)[word/m.field.words]
		if o.in.bound == nil {
			refuse("%s is read", o.name)
		}
		bound, n := o.in.bound.integer(m.field), int(m.field.words)
		whole := m.fresh(o.name, upTo(bound))
		m.of(whole).value = residue{inputName(o, s.next): m.wordsResidue()}
		lowest := whole.poly
		for i := n - 1; i >= 0; i-- {
			v := m.value(lowest, unsigned64)
			if i > 0 {
				most := smaller(unsigned64.hi, new(big.Int).Rsh(bound, uint(64*i)))
				v = m.fresh(fmt.Sprintf("word %d of %s", i, o.name), upTo(most))
				lowest = lowest.plus(v.poly, dy(num(-1), 64*i))
			}
			s.memory[cell{region, "row", word/m.field.words*m.field.words + int64(i)}] = v
		}
	}
	return s.memory[at]
}

// wordsResidue is the factor of numbers in words modulo p.
func (m *machine) wordsResidue() *big.Int {
	return new(big.Int).Mod(pow2(limbBits*m.field.limbs-m.field.shift), m.field.p)
}

// storeLanes stores n lanes of a register from a lane on, of all elements or of those in a mask.
func (m *machine) storeLanes(s *state, at linear, v *value, from, n int64, bit bool) {
	name, views, offset := m.region(at)
	element := int64(m.words.element)
	switch layoutOf := views[0].layout; {
	case layoutOf == plane && n == lanesOfVector:
		v = v.in(int(element))
		if v == m.words.unknown && bit && m.exists(s, s.next) {
			refuse("%s depends on another element", name)
		}
		m.storeVector(s, at, v, bit)
	case layoutOf == rows && bit:
		for i := range n {
			word, isElement := m.rowWord(s, at.add(8*i))
			o := views[word/m.field.words]
			if o.out.bound == nil {
				refuse("%s is written", o.name)
			}
			if isElement {
				s.memory[cell{name, "row", word}] = v.in(int(from + i))
			}
		}
		s.touch(cell{region: name, block: s.next.String()}, s.next)
	case layoutOf == digits && bit && n == lanesOfVector:
		place, ok := offset.isNumber()
		if !ok || place < 0 || place%blockBytes != 0 || place >= digitWords*blockBytes || s.read {
			refuse("a store to %s", at)
		}
		s.memory[cell{name, "digits", place / blockBytes}] = v
	case layoutOf == references && len(v.lanes) == 2*lanesOfVector:
		if bit && !m.exists(s, s.next) {
			refuse("a reference is written where no element is")
		}
		row := offset.plus(m.times(s.window, linear{"stride": 1}), -1).plus(linear{"second": 1},
			-from/lanesOfVector)
		half, ok := row.plus(s.next, -4*lanesOfVector).isNumber()
		if !ok || half != 0 || n != lanesOfVector {
			refuse("references of lane %d on at %s", from, at)
		}
		if s.refs == nil {
			s.refs = map[int64]*value{}
		}
		s.refs[from] = nil
		if bit {
			s.refs[from] = v.lanes[from+element]
		}
	default:
		refuse("a store of %d lanes to %s", n, at)
	}
}

// times returns a·b for a number of passes a. Products of symbols are symbols.
func (m *machine) times(a, b linear) linear {
	out := linear{}
	for k, c := range a {
		for l, d := range b {
			name := strings.Trim(k+"·"+l, "·")
			out = out.plus(linear{name: 1}, c*d)
		}
	}
	return out
}

// reference loads a reference to a general register.
func (m *machine) reference(s *state, at linear) linear {
	_, views, offset := m.region(at)
	switch views[0].layout {
	case references:
		if rest := m.inBlock(s, offset, 4*lanesOfVector); rest%4 == 0 {
			return linear{"reference " + s.lane(rest/4): 1}
		}
	case windows:
		if m.windowField(s, at) == "word" {
			s.facts = append(s.facts, linear{"word": -1, "": digitWords - 1})
			return linear{"word": 1}
		}
	}
	refuse("four bytes at %s", at)
	return nil
}

// pointerAt loads a pointer from a list.
func (m *machine) pointerAt(s *state, name string, offset linear) linear {
	rest := m.inBlock(s, offset, 8*lanesOfVector)
	if rest%8 != 0 {
		refuse("eight bytes at %s of %s", offset, name)
	}
	return linear{"@*" + name + " " + s.lane(rest/8): 1}
}

// referencesOf loads all references of the block to a vector.
func (m *machine) referencesOf(s *state, at linear) *value {
	name, views, offset := m.region(at)
	if rest := m.inBlock(s, offset, 4*lanesOfVector); views[0].layout != references || rest != 0 {
		refuse("references at %s", at)
	}
	out := make([]*value, lanesOfVector)
	for i := range out {
		out[i] = m.words.unknown
	}
	c := cell{name, "reference", 0}
	if s.memory[c] == nil {
		s.memory[c] = m.fresh("a reference", upTo(minus(pow2(32), num(1))))
	}
	out[m.words.element] = s.memory[c]
	return m.lanesOf(out)
}

// sign is 1 where the reference of the element is even, and -1 where it is odd.
func (m *machine) sign(s *state) residue {
	for c, v := range s.memory {
		if c.block != "reference" || v.low[1] == nil {
			continue
		}
		for _, a := range m.words.assumed {
			if a.span.lo.Cmp(a.span.hi) == 0 && a.poly.equal(v.low[1].poly.scaled(dy(num(-1), 0))) {
				return m.ring.constant(plus(num(1), times(num(2), a.span.lo)))
			}
		}
	}
	return residue{"sign": num(1)}
}

// Digits.

// digitWords is how many blocks of words laneRecode writes: the words of 32 bits of a half. One block
// more, which may hold any bits, is read.
const digitWords = halfBits / 32

// loadDigits loads the words of all halves that begin with word number word, or the words after them.
func (m *machine) loadDigits(s *state, offset linear) *value {
	rest, ok := offset.plus(linear{"word": 1}, -blockBytes).isNumber()
	if !ok || rest != 0 && rest != blockBytes {
		refuse("digits at %s", offset)
	}
	m.halves(s)
	s.read = true
	return m.digits(func(i int) *digit { return &digit{op: "word", n: int(rest / blockBytes), lane: i} })
}

// digits returns a register of words of 32 bits.
func (m *machine) digits(f func(i int) *digit) *value {
	out := make([]*value, 2*lanesOfVector)
	for i := range out {
		out[i] = m.digit(f(i))
	}
	return m.lanesOf(out)
}

func (m *machine) digit(d *digit) *value {
	out := m.fresh("a word of 32 bits", unsigned64)
	out.parts.digit = d
	return out
}

// onDigits applies an instruction to words of 32 bits.
func (m *machine) onDigits(op string, n int, v ...*value) *value {
	return m.lanewise(func(v []*value) *value {
		d := &digit{op: op, n: n}
		for _, x := range v {
			if x.parts.digit == nil {
				refuse("%s of words of 64 bits", op)
			}
			d.args = append(d.args, x.parts.digit)
		}
		return m.digit(d)
	}, v...)
}

// halves returns the halves of the element, two words each, from the words in memory.
func (m *machine) halves(s *state) (halves [2]poly) {
	for h := range halves {
		var first *value // the word that the last one was the lower half of
		for i := range digitWords {
			v := s.memory[cell{"digits", "digits", int64(i)}]
			if v == nil || len(v.lanes) != 2*lanesOfVector {
				refuse("digits are read before they are written")
			}
			p := v.lanes[lanesOfVector*h+m.words.element].parts
			if p.word == nil || p.half != i%2 || i%2 == 1 && p.word != first {
				refuse("word %d of half %d is another one", i, h)
			}
			first = p.word
			if i%2 == 0 {
				halves[h] = halves[h].plus(m.fits(p.word, unsigned64, "a word").poly, dy(num(1), 32*i))
			}
		}
	}
	return halves
}

// permuted is VPERMT2D: the words of 32 bits of a and b that index chooses, a constant.
func (m *machine) permuted(a, index, b *value) *value {
	out := make([]*value, 2*lanesOfVector)
	for i := range out {
		c := index.in(i / 2)
		if !c.isConstant() {
			refuse("an index that is not a constant")
		}
		k := int(c.span.lo.Int64()) >> (32 * (i % 2)) & 31
		from := a
		if k >= 2*lanesOfVector {
			from, k = b, k-2*lanesOfVector
		}
		if len(from.lanes) != lanesOfVector {
			refuse("words of 32 bits of 32 bits")
		}
		out[i] = m.fresh("a word of 32 bits", unsigned64)
		out[i].parts.word, out[i].parts.half = from.lanes[k/2], k%2
	}
	return m.lanesOf(out)
}

// windowField returns the name of a field of the window that is due.
func (m *machine) windowField(s *state, at linear) string {
	name, views, offset := m.region(at)
	rest, ok := offset.plus(s.window, -windowBytes).isNumber()
	last := linear{"count": 1}
	if views[0].layout != windows || !ok || !s.facts.atLeast0(last.plus(s.window, -1)) {
		refuse("%s at %s", name, at)
	}
	if views[0].fields[rest] == "" {
		refuse("no field of a window at %s", at)
	}
	return views[0].fields[rest]
}

const windowBytes = 32

// finishWindow checks the references of the window that is due. It reports whether all are done.
func (m *machine) finishWindow(s *state) bool {
	if len(s.refs) == 2 {
		for from, v := range s.refs {
			if !m.exists(s, s.next) {
				continue
			}
			if v == nil || v.parts.digit == nil {
				refuse("references from lane %d on are not written", from)
			}
			checkReference(v.parts.digit, m.words.element, int(from)+m.words.element)
			m.checked++
		}
		s.refs, s.window = nil, s.window.add(1)
	}
	if left := (linear{"count": 1, "": 1}).plus(s.window, -1); len(s.refs) != 0 || !s.facts.isZero(left) {
		return false
	}
	s.window, s.read = linear{}, false
	return true
}

// checkDigits checks an equation of the halves: a sum of halves, less an input, is 0 modulo p.
func (m *machine) checkDigits(s *state, e equation, number linear) {
	names := func(name string) residue {
		if c := m.field.constants[name]; c != nil {
			return m.ring.constant(c)
		}
		return residue{name: num(1)}
	}
	whole, difference := poly(nil), residue{}
	halves := m.halves(s)
	for name, c := range m.ring.plus(e.left.residue(m.ring, names), e.right.residue(m.ring, names), num(-1)) {
		var o *operandSpec
		isOutput := false
		for _, v := range m.spec.operands {
			if v.name == strings.TrimSuffix(name, "'") {
				o, isOutput = v, v.layout == digits
			}
		}
		switch {
		case isOutput:
			whole = whole.plus(m.exact(halves[o.position], halfBits), dy(c, 0))
		case name == "":
			whole = whole.plus(constant(c), dy(num(1), 0))
		case o != nil && !strings.Contains(name, " "):
			difference[inputName(o, number)] = c
		default:
			refuse("the specification does not say what %s is", name)
		}
	}
	v, err := m.residueOf(whole)
	if err != nil {
		refuse("%s: %v", m.spec.name, err)
	}
	difference = m.ring.plus(difference, v, num(1))
	if len(difference) != 0 {
		refuse("spec.txt:%d does not hold for block %s of %s: %v", e.line, number, m.spec.name, difference)
	}
	m.checked++
}

// outputWords returns the value of the words of an operand at the end.
func (m *machine) outputWords(s *state, o *operandSpec) residue {
	var whole poly
	for i := range m.field.words {
		v := s.memory[cell{o.region, "row", int64(o.position)*m.field.words + i}]
		if v == nil || v == m.words.unknown {
			refuse("word %d of %s is not written, or depends on another element", i, o.name)
		}
		whole = whole.plus(m.fits(v, unsigned64, "a word").poly, dy(num(1), 64*int(i)))
	}
	bound := o.out.bound.integer(m.field)
	if r := m.rangeOf(whole); !r.within(upTo(bound)) {
		refuse("%s is from %s to %s, and not from 0 to %s", o.name, says(r.lo), says(r.hi), says(bound))
	}
	v, err := m.residueOf(whole)
	if err != nil {
		refuse("%s: %v", o.name, err)
	}
	return m.ring.plus(residue{}, v, new(big.Int).ModInverse(m.wordsResidue(), m.field.p))
}

// hasDigits reports whether k writes digits.
func (k *kernelSpec) hasDigits() bool {
	for _, o := range k.operands {
		if o.layout == digits {
			return true
		}
	}
	return false
}

package main

// addMoves adds the instructions that move words across lanes, or work on words of 32 bits.
func addMoves() {
	move := func(form string, do effect) {
		semantics[form] = func(m *machine, s *state, in instruction) {
			if m.words == nil {
				refuse("%s: not in this kernel", in.op)
			}
			do(m, s, in)
		}
	}
	move("VMOVDQU64 sz", func(m *machine, s *state, in instruction) {
		m.set(s, in, m.loadLanes(s, m.address(s, in.operands[0]), lanesOfVector))
	})
	// The other half is 0.
	move("VMOVDQU64 my", func(m *machine, s *state, in instruction) {
		out := m.loadLanes(s, m.address(s, in.operands[0]), lanesOfVector/2)
		for range lanesOfVector / 2 {
			out.lanes = append(out.lanes, m.constant(num(0)))
		}
		m.set(s, in, out)
	})
	move("VMOVDQU64 ym", func(m *machine, s *state, in instruction) {
		m.storeAny(s, in, 0, lanesOfVector/2, true)
	})
	move("VINSERTI64X4 imzz", func(m *machine, s *state, in instruction) {
		high := m.loadLanes(s, m.address(s, in.operands[1]), lanesOfVector/2)
		low := m.read(s, in.operands[2])
		m.one(in)
		m.set(s, in, m.moved(func(i int) *value {
			if i < lanesOfVector/2 {
				return low.in(i)
			}
			return high.lanes[i-lanesOfVector/2]
		}))
	})
	move("VEXTRACTI64X4 izm", func(m *machine, s *state, in instruction) {
		m.one(in)
		m.storeAny(s, in, lanesOfVector/2, lanesOfVector/2, true)
	})
	move("VPMOVZXDQ mz", func(m *machine, s *state, in instruction) {
		m.set(s, in, m.referencesOf(s, m.address(s, in.operands[0])))
	})
	semantics["VPORQ zzz"] = binary(func(m *machine, a, b *value) *value { return m.or(a, b) })
	for odd, op := range []string{"VPUNPCKLQDQ zzz", "VPUNPCKHQDQ zzz"} {
		move(op, func(m *machine, s *state, in instruction) {
			from := [2]*value{m.read(s, in.operands[1]), m.read(s, in.operands[0])}
			m.set(s, in, m.moved(func(i int) *value { return from[i%2].in(i&^1 + odd) }))
		})
	}
	// Two pairs of the second operand, and then two of the first.
	move("VSHUFI64X2 izzz", func(m *machine, s *state, in instruction) {
		from := [2]*value{m.read(s, in.operands[2]), m.read(s, in.operands[1])}
		choice := int(in.operands[0].value)
		m.set(s, in, m.moved(func(i int) *value { return from[i/4].in(choice>>(i&^1)&3*2 + i%2) }))
	})
	move("VPTERNLOGQ izzz", func(m *machine, s *state, in instruction) {
		if in.operands[0].value != 0xca {
			refuse("VPTERNLOGQ %#x", in.operands[0].value)
		}
		m.set(s, in, m.lanewise(func(v []*value) *value { return m.selected(v[0], v[1], v[2]) },
			m.read(s, in.operands[3]), m.read(s, in.operands[1]), m.read(s, in.operands[2])))
	})
	move("VPERMT2D zzz", func(m *machine, s *state, in instruction) {
		b, index, a := m.read(s, in.operands[0]), m.read(s, in.operands[1]), m.read(s, in.operands[2])
		m.set(s, in, m.permuted(a, index, b))
	})
	// The same four words of 64 bits twice.
	move("VBROADCASTI64X4 mz", func(m *machine, s *state, in instruction) {
		_, views, offset := m.region(m.address(s, in.operands[0]))
		if views[0].layout != bases || m.inBlock(s, offset, 4*lanesOfVector) != 0 {
			refuse("a broadcast from %s", offset)
		}
		m.set(s, in, m.digits(func(i int) *digit { return &digit{op: "base", lane: i % lanesOfVector} }))
	})
	for op, name := range map[string]string{"VPSRLVD": "srl", "VPSLLVD": "sll", "VPADDD": "+"} {
		semantics[op+".BCST mzz"] = func(m *machine, s *state, in instruction) {
			m.set(s, in, m.onDigits(name, 0, m.fieldOfWindow(s, in.operands[0]), m.read(s, in.operands[1])))
		}
	}
	for op, name := range map[string]string{"VPORD zzz": "or", "VPADDD zzz": "+"} {
		semantics[op] = func(m *machine, s *state, in instruction) {
			m.set(s, in, m.onDigits(name, 0, m.read(s, in.operands[1]), m.read(s, in.operands[0])))
		}
	}
	semantics["VPSRAD izz"] = func(m *machine, s *state, in instruction) {
		m.set(s, in, m.onDigits("sra", int(in.operands[0].value), m.read(s, in.operands[1])))
	}
	// $0x82 is third &^ (first ^ second): see ternary.
	semantics["VPTERNLOGD.BCST imzz"] = func(m *machine, s *state, in instruction) {
		if in.operands[0].value != 0x82 {
			refuse("VPTERNLOGD %#x", in.operands[0].value)
		}
		mask, a, b := m.fieldOfWindow(s, in.operands[1]), m.read(s, in.operands[2]), m.read(s, in.operands[3])
		m.set(s, in, m.onDigits("xnorAnd", 0, mask, a, b))
	}
	move("VMOVDQU32 ykm", func(m *machine, s *state, in instruction) {
		m.storeAny(s, in, 0, lanesOfVector, m.bit(s, in.operands[1].number))
	})
	move("VEXTRACTI32X8 izkm", func(m *machine, s *state, in instruction) {
		m.one(in)
		m.storeAny(s, in, lanesOfVector, lanesOfVector, m.bit(s, in.operands[2].number))
	})
}

// one demands that the upper half is meant.
func (m *machine) one(in instruction) {
	if in.operands[0].value != 1 {
		refuse("%s $%d", in.op, in.operands[0].value)
	}
}

// moved returns a register of given lanes of 64 bits.
func (m *machine) moved(from func(i int) *value) *value {
	out := make([]*value, lanesOfVector)
	for i := range out {
		out[i] = from(i)
	}
	return m.lanesOf(out)
}

// fieldOfWindow returns a field of the window that is due, in all lanes.
func (m *machine) fieldOfWindow(s *state, o operand) *value {
	if m.words == nil {
		refuse("not in this kernel")
	}
	return m.digit(&digit{op: m.windowField(s, m.address(s, o))})
}

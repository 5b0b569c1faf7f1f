package main

import "iter"

// interleave writes programs in turns: a multiplication of each with the code after it, and
// then the next one of each. A processor looks ahead about two
// multiplications, so that programs do not wait for long if each of their multiplications
// depends on the last. Without calls it takes turns after each multiply-add. A program then
// begins half a multiplication after the previous program. So only one program at a time is
// at the end of a multiplication, where each instruction depends on the last. Programs within
// programs in turns come one after the other.
func (pr program) interleave(parts ...func(pr program)) {
	base, fine := pr.machine, pr.caller() == nil
	if outer, nested := base.(*inTurns); nested {
		if fine {
			for _, part := range parts {
				part(pr)
			}
			return
		}
		base = outer.machine
	}
	var streams []func() (struct{}, bool)
	for k, part := range parts {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			m := &inTurns{machine: base, yield: yield, fine: fine}
			for range k * pr.f.limbs * pr.f.limbs * 2 {
				m.multiplyAdd()
			}
			part(program{machine: m, f: pr.f})
		})
		defer stop()
		streams = append(streams, next)
	}
	for len(streams) > 0 {
		var left []func() (struct{}, bool)
		for _, next := range streams {
			if _, more := next(); more {
				left = append(left, next)
				if !fine {
					pr.turn()
				}
			}
		}
		streams = left
	}
}

// await lets others run until a number is there, if they run in turns.
func (pr program) await(n *number) {
	m, inTurns := pr.machine.(*inTurns)
	for inTurns && n.bound == nil {
		if !m.yield(struct{}{}) {
			panic("a number does not come: another program stopped")
		}
	}
}

// inTurns is a machine that lets others run before each multiplication or, if fine,
// before each multiply-add.
type inTurns struct {
	machine
	yield func(struct{}) bool
	fine  bool
}

// turn lets others run before a multiplication, if there are any.
func (pr program) turn() {
	if m, inTurns := pr.machine.(*inTurns); inTurns && !m.fine {
		m.yield(struct{}{})
	}
}

func (m *inTurns) multiplyAdd() {
	if m.fine {
		m.yield(struct{}{})
	}
}

func (m *inTurns) mulLow(acc, a, b vec) {
	m.multiplyAdd()
	m.machine.mulLow(acc, a, b)
}

func (m *inTurns) mulHigh(acc, a, b vec) {
	m.multiplyAdd()
	m.machine.mulHigh(acc, a, b)
}

func (m *inTurns) quotient(v vec, c uint64) vec {
	m.multiplyAdd()
	return m.machine.quotient(v, c)
}

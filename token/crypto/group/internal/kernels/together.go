package main

import "iter"

// together writes programs in turns: a multiply-add of each, and then the next one
// of each. A processor looks ahead less far than the length of a multiplication, so
// that one alone waits for its own results. A program begins half a multiplication
// after the one before, so that only one at a time is at the end of a
// multiplication, where each instruction waits for the one before. Programs within
// programs in turns come one after the other.
func (pr program) together(parts ...func(pr program)) {
	if _, nested := pr.machine.(*inTurns); nested {
		for _, part := range parts {
			part(pr)
		}
		return
	}
	var streams []func() (struct{}, bool)
	for k, part := range parts {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			for range k * pr.halfMultiplication() {
				yield(struct{}{})
			}
			part(program{machine: &inTurns{machine: pr.machine, thread: k, yield: yield}, f: pr.f})
		})
		defer stop()
		streams = append(streams, next)
	}
	for len(streams) > 0 {
		var left []func() (struct{}, bool)
		for _, next := range streams {
			if _, more := next(); more {
				left = append(left, next)
			}
		}
		streams = left
	}
}

// halfMultiplication is how many turns half a multiplication takes.
func (pr program) halfMultiplication() int {
	turns := 2 * pr.f.limbs * pr.f.limbs
	if c, ok := pr.machine.(caller); ok && c.calls() {
		turns = (turns + partSize - 1) / partSize
	}
	return turns
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

// inTurns is a machine that lets others run before each multiply-add.
type inTurns struct {
	machine
	thread int
	yield  func(struct{}) bool
}

func (m *inTurns) mulLow(acc, a, b vec) {
	m.yield(struct{}{})
	m.machine.mulLow(acc, a, b)
}

func (m *inTurns) mulHigh(acc, a, b vec) {
	m.yield(struct{}{})
	m.machine.mulHigh(acc, a, b)
}

func (m *inTurns) quotient(v vec, c uint64) vec {
	m.yield(struct{}{})
	return m.machine.quotient(v, c)
}

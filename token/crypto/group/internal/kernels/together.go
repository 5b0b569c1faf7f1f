package main

import "iter"

// together writes programs that do not depend on each other, in turns: a
// multiply-add of each, and then the next one of each. A processor looks ahead
// less far than the length of a multiplication, so that one alone waits for its
// own results.
func (pr program) together(parts ...func(pr program)) {
	if _, nested := pr.machine.(*inTurns); nested {
		for _, part := range parts {
			part(pr)
		}
		return
	}
	var streams []func() (struct{}, bool)
	for _, part := range parts {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			part(program{machine: &inTurns{machine: pr.machine, yield: yield}, f: pr.f})
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

// squares is together for programs with squares, which take more registers: they
// come one after the other if registers do not suffice.
func (pr program) squares(parts ...func(pr program)) {
	if pr.f.loadsFactors() {
		pr.together(parts...)
		return
	}
	for _, part := range parts {
		part(pr)
	}
}

// inTurns is a machine that lets others run before each multiply-add.
type inTurns struct {
	machine
	yield func(struct{}) bool
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

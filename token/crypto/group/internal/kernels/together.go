package main

import "iter"

// together writes programs in turns: a multiplication of each with what follows it, and
// then the next one of each. A processor looks ahead about as far as two
// multiplications, so that programs whose multiplications wait for the one before do not
// wait for long. Programs within programs in turns come one after the other.
func (pr program) together(parts ...func(pr program)) {
	base := pr.machine
	if outer, nested := base.(*inTurns); nested {
		base = outer.machine
	}
	var streams []func() (struct{}, bool)
	for _, part := range parts {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			part(program{machine: &inTurns{machine: base, yield: yield}, f: pr.f})
		})
		defer stop()
		streams = append(streams, next)
	}
	for len(streams) > 0 {
		var left []func() (struct{}, bool)
		for _, next := range streams {
			if _, more := next(); more {
				left = append(left, next)
				pr.turn()
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

// inTurns is a machine that lets others run before each multiplication.
type inTurns struct {
	machine
	yield func(struct{}) bool
}

// turn lets others run, if there are any.
func (pr program) turn() {
	if m, inTurns := pr.machine.(*inTurns); inTurns {
		m.yield(struct{}{})
	}
}

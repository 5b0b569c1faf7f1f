package main // a program has no exported names

import (
	"strings"
	"testing"
)

// counter is a machine that counts instructions: multiply-adds, and all that take
// one of the two ports of vector instructions. Loads, copies and zeros do not use it.
type counter struct{ multiplyAdds, all int }

func (c *counter) load(memory, int) vec   { return 0 }
func (c *counter) store(memory, int, vec) {}
func (c *counter) zero() vec              { return 0 }
func (c *counter) constant(int64) vec     { return 0 }
func (c *counter) clone(vec) vec          { return 0 }
func (c *counter) remark(string, ...any)  {}
func (c *counter) add(_, _ vec)           { c.all++ }
func (c *counter) sub(_, _ vec)           { c.all++ }
func (c *counter) or(_, _ vec)            { c.all++ }
func (c *counter) addConst(vec, uint64)   { c.all++ }
func (c *counter) andConst(vec, uint64)   { c.all++ }
func (c *counter) mulLow(_, _, _ vec)     { c.quotient(0, 0) }
func (c *counter) mulHigh(_, _, _ vec)    { c.quotient(0, 0) }

func (c *counter) pad(_, _ vec)                 { c.all++ }
func (c *counter) subFrom(_, _ vec)             { c.all++ }
func (c *counter) into(_ vec, value func() vec) { value() }

func (c *counter) rounds(n int, _ []memory, round func(int)) { unrolled(n, round) }

func (c *counter) quotient(vec, uint64) vec {
	c.multiplyAdds++
	return c.one()
}

func (c *counter) one() vec {
	c.all++
	return 0
}

func (c *counter) shiftLeft(vec, int) vec       { return c.one() }
func (c *counter) shiftRight(vec, int) vec      { return c.one() }
func (c *counter) shiftSigned(vec, int) vec     { return c.one() }
func (c *counter) lookUp(vec, [lanes]int64) vec { return c.one() }
func (c *counter) selectIf(_, _, _ vec) vec     { return c.one() }

// allOperands are the operands of all kernels, for elements that may be missing.
var allOperands = func() map[string]memory {
	m := map[string]memory{}
	for _, name := range strings.Fields("ax ay az azz azzz bx by bz bzz bzzz d p next") {
		m[name] = memory{name: name, last: true}
	}
	for i := range scratchBlocks {
		m[scratch(i)] = memory{name: scratch(i), last: true}
	}
	return m
}()

// TestInstructionCounts counts the instructions of one step of eight elements.
// docs/performance.md states some of them: change it together with this table.
func TestInstructionCounts(t *testing.T) {
	square := func(pr program, m map[string]memory) {
		pr.storeNumber(m["d"], pr.clean(pr.square(pr.inMemory(m["d"], pr.f.coordinate()))), pr.f.coordinate())
	}
	for name, c := range map[string]struct {
		step step
		want []counter // of the first fields
	}{
		"multiply":         {multiply, []counter{{100, 123}, {256, 294}, {80, 102}}},
		"square":           {square, []counter{{80, 111}, {200, 252}, {60, 90}}},
		"products":         {products, []counter{{100, 142}, {256, 325}}},
		"sums":             {sums, []counter{{480, 664}, {1224, 1525}}},
		"chain":            {chain, []counter{{910, 1130}, {2320, 2681}}},
		"join":             {join, []counter{{1310, 1636}, {3344, 3877}}},
		"jacobian doubles": {jacobianDoubles, []counter{{590, 800}, {1496, 1841}}},
		"jacobian mixed":   {jacobianMixed, []counter{{990, 1258}, {2520, 2959}, {790, 1048}}},
		"jacobian sums":    {jacobianSums, []counter{{1470, 1851}, {3744, 4368}, {1170, 1536}}},
		"minus 3 doubles":  {minus3Doubles, []counter{{}, {}, {560, 844}}},
	} {
		for i, f := range fields[:len(c.want)] {
			if c.want[i] == (counter{}) {
				continue
			}
			got := &counter{}
			c.step(program{machine: got, f: f}, allOperands)
			if *got != c.want[i] {
				t.Errorf("%s, %s: %+v and not %+v", f.name, name, *got, c.want[i])
			}
		}
	}
}

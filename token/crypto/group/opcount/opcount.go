// Package opcount wraps a group.Group and counts its operations, or attributes their
// costs to steps.
//
// Package count defines the counts.
//
// Counting is a decorator: hot code contains no counters, and an unwrapped
// Group is without overhead. The Group itself carries phases: a protocol calls
// group.Phase(g, "commit"), which returns g if it does not count.
//
// Results equal the underlying Group's, and its Tables and Points can
// be used with and without counting.
//
// With a Model, counts depend on the scalars, which may be secret: use that
// view only for measurements. Outer counts depend only on public values.
package opcount

import (
	"fmt"
	"math/big"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Model selects the multiplication algorithms for counting the additions inside
// a call. They are applied to the actual scalars, independently of the backend,
// so counts of different machines and implementations are equal.
type Model struct {
	zn.Algorithms
	// FixedWindow is the width in bits of the digits in a table of known
	// points; each nonzero digit is one addition.
	FixedWindow int
}

// Textbook is wNAF with 4-bit windows for one scalar, interleaved for several,
// and tables with 8-bit windows.
var Textbook = Model{zn.Same(zn.WNAF, 4), 8}

// Wrap returns a Group that counts the operations of g in bucket. With a model
// it also counts the additions inside scalar multiplications and MSMs; nil
// means the outer view only.
func Wrap(g group.Group, bucket count.Bucket, model *Model) (group.Group, error) {
	if model != nil {
		if model.FixedWindow < 1 || model.FixedWindow > zn.MaxWindow {
			return nil,
				fmt.Errorf("window of %d bits for tables is not between 1 and %d", model.FixedWindow,
					zn.MaxWindow)
		}
		if err := model.Check(); err != nil {
			return nil, err
		}
	}
	return &counting{Group: g, bucket: bucket, model: model, counts: true, steps: count.NoSteps{}}, nil
}

// Steps returns a Group; its calls belong to a step, and calls of a phase to the step
// below it with the name of the phase. Calls that Wrap does not count, such as
// additions of scalars, belong to the operation around them.
func Steps(g group.Group, step count.Steps) group.Group {
	return stepping{&counting{Group: g, steps: step}}
}

// stepping is a counting that ignores calls.
type stepping struct{ *counting }

// Phase implements group.Observer.
func (s stepping) Phase(name string) group.Group {
	return Steps(group.Phase(s.Group, name), s.steps.Step(name))
}

// Enter implements group.Stepper.
func (s stepping) Enter(name string) (leave func()) {
	step := s.steps.Step(name)
	step.Begin()
	return step.Leave
}

// CountWork passes the count on.
func (s stepping) CountWork(w group.Work, n int) { group.CountWork(s.Group, w, n) }

// CountSignatures passes the count on.
func (s stepping) CountSignatures(n int, signature func(i int) group.Signature) {
	group.CountSignatures(s.Group, n, signature)
}

// counting embeds the Group that does the work. Methods that it does not
// override are free. A test compares both lists with the interface.
type counting struct {
	group.Group
	counts bool
	bucket count.Bucket
	steps  count.Steps
	model  *Model // nil for the outer view only
}

var _ group.Observer = (*counting)(nil)

// Phase returns the same Group, counting in the bucket of the phase.
func (c *counting) Phase(name string) group.Group {
	inner := *c
	inner.Group, inner.bucket = group.Phase(c.Group, name), c.bucket.Sub(name)
	return &inner
}

func (c *counting) count(op count.Op, size int) {
	if c.counts {
		c.bucket.Count(count.Of(op, size), 1)
	}
}

// begin enters the step; the caller must call Leave on the result.
func (c *counting) begin() count.Steps {
	c.steps.Begin()
	return c.steps
}

// enter counts a call and enters the step.
func (c *counting) enter(op count.Op, size int) count.Steps {
	c.count(op, size)
	return c.begin()
}

// inside counts the model's operations for a sum over new points.
func (c *counting) inside(ss []group.Scalar) {
	if c.model != nil {
		c.bucket.Merge(c.model.Cost("", c.integers(ss)))
	}
}

// insideTable counts the model's operations for a sum over points of a table.
func (c *counting) insideTable(ss []group.Scalar) {
	if c.model != nil {
		c.digits("", c.integers(ss)...)
	}
}

// digits counts one addition in a group for each nonzero digit of the integers.
func (c *counting) digits(group string, es ...*big.Int) {
	var adds uint64
	for _, e := range es {
		adds += zn.NonZero(e, c.model.FixedWindow)
	}
	counts := count.Counts{}
	counts.AddTally(count.Inside, group, count.Tally{Adds: adds})
	c.bucket.Merge(counts)
}

func (c *counting) integers(ss []group.Scalar) []*big.Int {
	es := make([]*big.Int, len(ss))
	for i, s := range ss {
		es[i] = new(big.Int).SetBytes(c.AppendScalar(nil, s))
	}
	return es
}

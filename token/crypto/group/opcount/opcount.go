// Package opcount is a group.Group that counts what is asked of another.
//
//	opcount.go  Wrap and the model of what happens inside a call
//	points.go   point arithmetic and encodings
//	scalars.go  multiplications and inversions of scalars
//
// Package count has the counts.
//
// Counting is a decorator: hot code has no counters, and a Group that is not
// wrapped costs nothing more. Phases are carried by the Group itself: a protocol
// says group.Phase(g, "commit"), which is g where nobody counts.
//
// Results are those of the Group underneath, and its Tables and Points can be
// used with and without counting.
//
// Inside a Model, counts depend on the scalars, which may be secret: that view
// is for measuring. Outer counts depend on what a protocol makes public.
package opcount

import (
	"fmt"
	"math/big"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/recode"
	"github.com/zkatbench/zkatbench/count/zn"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Model says which algorithms multiply, so that the additions inside a call
// can be counted for the scalars at hand, independently of those that the
// backend has: counts of two machines or of two implementations are then equal.
type Model struct {
	zn.Algorithms
	// FixedWindow is the width in bits of the digits in a table of known
	// points, where each digit that is not zero is one addition.
	FixedWindow int
}

// Textbook is wNAF for one scalar, interleaved for several, with 4-bit windows,
// and tables of 8-bit windows.
var Textbook = Model{zn.Same(zn.WNAF, 4), 8}

// Wrap returns g, counting in bucket. With a model, additions inside scalar
// multiplications and MSMs are counted too; nil counts the outer view alone.
func Wrap(g group.Group, bucket count.Bucket, model *Model) (group.Group, error) {
	c := &counting{Group: g, bucket: bucket}
	if model != nil {
		if model.FixedWindow < 1 || model.FixedWindow > recode.MaxWindow {
			return nil, fmt.Errorf("window of %d bits for tables is not between 1 and %d", model.FixedWindow, recode.MaxWindow)
		}
		shadow, err := zn.NewInsecure("", g.Order(), model.Algorithms, count.Bucket{})
		if err != nil {
			return nil, err
		}
		c.shadow, c.fixedWindow = shadow, model.FixedWindow
	}
	return c, nil
}

// counting embeds the Group that does the work; what it does not override is
// free. A test compares the list of both with the interface.
type counting struct {
	group.Group
	bucket      count.Bucket
	shadow      *zn.Group // nil if only the outer view is wanted
	fixedWindow int
}

var _ group.Phaser = (*counting)(nil)

// Phase returns the same Group, counting in the bucket of the phase.
func (c *counting) Phase(name string) group.Group {
	inner := *c
	inner.Group, inner.bucket = group.Phase(c.Group, name), c.bucket.Sub(name)
	return &inner
}

func (c *counting) count(op count.Op, size int) { c.bucket.Count(count.Of(op, size), 1) }

// inside counts what the model has for a sum over points that are new to it.
func (c *counting) inside(ss []group.Scalar) {
	if c.shadow != nil {
		c.bucket.Merge(c.shadow.Cost(c.integers(ss)))
	}
}

// insideTable counts what the model has for a sum over points of a table.
func (c *counting) insideTable(ss []group.Scalar) {
	if c.shadow == nil {
		return
	}
	var adds uint64
	for _, e := range c.integers(ss) {
		nonZero, _ := recode.Fixed(e, c.fixedWindow).Weight()
		adds += nonZero
	}
	counts := count.Counts{}
	counts.AddTally(count.Inside, "", count.Tally{Adds: adds})
	c.bucket.Merge(counts)
}

func (c *counting) integers(ss []group.Scalar) []*big.Int {
	es := make([]*big.Int, len(ss))
	for i, s := range ss {
		es[i] = new(big.Int).SetBytes(c.AppendScalar(nil, s))
	}
	return es
}

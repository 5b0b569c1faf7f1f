package systems_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// fieldsOf returns pointers to all scalars and points of a proof.
func fieldsOf(p rangeproof.Proof) (scalars []*group.Scalar, points []*group.Point) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch field := v.Addr().Interface().(type) {
		case *group.Scalar:
			scalars = append(scalars, field)
			return
		case *group.Point:
			points = append(points, field)
			return
		}
		if v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	whole := reflect.ValueOf(p).Elem()
	for i := range whole.NumField() {
		if whole.Type().Field(i).IsExported() {
			walk(whole.Field(i))
		}
	}
	return scalars, points
}

// TestEveryFieldIsBound tampers with each scalar and each point of a proof
// separately. The verifier must reject each proof, alone and with an honest one, and
// draw different weights for each.
func TestEveryFieldIsBound(t *testing.T) {
	systemsDo(t, func(t *testing.T, s rangeproof.Family) { everyFieldIsBound(t, small(s)) })
}

func everyFieldIsBound(t *testing.T, maker rangetest.Maker) {
	for _, curve := range rangetest.Curves {
		p := newProver(t, maker, curve, 16)
		honest := p.Prove(t, 1234)
		d := &drawing{Group: p.Group}
		s := maker(t, d, 16)
		weights := d.weights(t, s, honest)
		require.Equal(t, weights, d.weights(t, s, honest), "weights are a hash of only the proofs")
		rejected := func(it rangeproof.Item, what string, i int) {
			t.Helper()
			require.ErrorIs(t, p.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected, "%s: %s %d", curve, what, i)
			require.Equal(t, 1, wrongIn(t, p, []rangeproof.Item{honest, it}), "%s: %s %d", curve, what, i)
			require.NotEqual(t, weights[0], d.weights(t, s, it)[0], "%s: %s %d", curve, what, i)
		}
		encoded := honest.Proof.Append(nil)
		fresh := func() rangeproof.Proof {
			proof, err := p.Decode(encoded)
			require.NoError(t, err)
			return proof
		}
		scalars, points := fieldsOf(honest.Proof)
		require.NotEmpty(t, scalars)
		require.NotEmpty(t, points)
		for i := range scalars {
			for _, change := range scalarChanges(p.Group) {
				proof := fresh()
				scalars, _ := fieldsOf(proof)
				*scalars[i] = change(*scalars[i])
				rejected(rangeproof.Item{V: honest.V, Proof: proof}, "scalar", i)
			}
		}
		for i := range points {
			for _, change := range pointChanges(p.Group) {
				proof := fresh()
				_, points := fieldsOf(proof)
				*points[i] = change(*points[i])
				rejected(rangeproof.Item{V: honest.V, Proof: proof}, "point", i)
			}
		}
		for i, change := range pointChanges(p.Group) {
			rejected(rangeproof.Item{V: change(honest.V), Proof: fresh()}, "statement", i)
		}
	}
}

// TestIdentityPointsAreRefused replaces each point of a proof separately by the
// identity, which no decoder accepts.
func TestIdentityPointsAreRefused(t *testing.T) {
	systemsDo(t, func(t *testing.T, s rangeproof.Family) { identityPoints(t, small(s)) })
}

func identityPoints(t *testing.T, maker rangetest.Maker) {
	for _, curve := range rangetest.Curves {
		p := newProver(t, maker, curve, 16)
		encoded := p.Prove(t, 4).Proof.Append(nil)
		proof, err := p.Decode(encoded)
		require.NoError(t, err)
		_, points := fieldsOf(proof)
		for i, point := range points {
			honest := *point
			*point = group.Point{}
			_, err := p.Decode(proof.Append(nil))
			require.ErrorIs(t, err, group.ErrIdentity, "%s: point %d", curve, i)
			*point = honest
		}
		require.Equal(t, encoded, proof.Append(nil))
	}
}

func scalarChanges(g group.Group) []func(group.Scalar) group.Scalar {
	return []func(group.Scalar) group.Scalar{
		func(s group.Scalar) group.Scalar { return g.Add(s, g.Uint64(1)) },
		g.Neg,
		func(group.Scalar) group.Scalar { return group.Scalar{} },
	}
}

func pointChanges(g group.Group) []func(group.Point) group.Point {
	return []func(group.Point) group.Point{
		func(q group.Point) group.Point { return g.AddPoints(q, g.Generator()) },
		func(q group.Point) group.Point { return g.SubPoints(group.Point{}, q) },
		func(group.Point) group.Point { return group.Point{} },
	}
}

// TestEveryEquationHasItsWeight checks that a verifier draws two weights of 128
// bits for each proof, all distinct, even if proofs are equal.
func TestEveryEquationHasItsWeight(t *testing.T) {
	systemsDo(t, func(t *testing.T, s rangeproof.Family) { everyEquation(t, small(s)) })
}

func everyEquation(t *testing.T, maker rangetest.Maker) {
	for _, curve := range rangetest.Curves {
		p := newProver(t, maker, curve, 8)
		d := &drawing{Group: vectors.Curve(t, curve)}
		s := maker(t, d, 8)
		items := p.items(t, 20)
		items[7] = items[6]
		for len(items) < 150 {
			items = append(items, items[len(items)-20])
		}
		for _, n := range []int{1, 2, 20, len(items)} {
			weights := d.weights(t, s, items[:n]...)
			require.Len(t, weights, 2*n)
			require.Len(t, distinct(weights), 2*n)
			if n < len(items) {
				continue
			}
			require.NotZero(t, slices.Max(weights)[0], "the largest is at least 2¹²⁰")
			items[n-1] = p.Prove(t, 0)
			require.Len(t, distinct(append(weights, d.weights(t, s, items...)...)), 4*n, "all depend on the last proof")
		}
	}
}

func distinct(weights []string) map[string]bool {
	all := map[string]bool{}
	for _, w := range weights {
		all[w] = true
	}
	return all
}

// drawing is a group that records the weights drawn by a verifier: the only
// integers of weightLen bytes that proofs reduce.
type drawing struct {
	group.Group
	drawn []string
}

const weightLen = 16

func (d *drawing) Reduce(b []byte) group.Scalar {
	if len(b) == weightLen {
		d.drawn = append(d.drawn, string(b))
	}
	return d.Group.Reduce(b)
}

// weights returns the weights that s, a system over d, draws for one
// verification of the items.
func (d *drawing) weights(t *testing.T, s rangeproof.System, items ...rangeproof.Item) []string {
	t.Helper()
	d.drawn = nil
	_ = rangeproof.Verify(d, s, items)
	require.NotEmpty(t, d.drawn)
	return d.drawn
}

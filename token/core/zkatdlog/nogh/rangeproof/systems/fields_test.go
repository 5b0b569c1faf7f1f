package systems_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestEveryFieldIsBound tampers with each scalar and each point of a proof
// separately, also with the value of another field and of another proof. The verifier must
// reject each proof, alone and with an honest one.
func TestEveryFieldIsBound(t *testing.T) {
	systemsDo(t, func(t *testing.T, s rangeproof.Family) { everyFieldIsBound(t, small(s)) })
}

func everyFieldIsBound(t *testing.T, maker rangetest.Maker) {
	for _, curve := range rangetest.Curves[nightly.Pick(1, 0, 0):] {
		p := newProver(t, maker, curve, 16)
		honest := p.Prove(t, 1234)
		rejected := func(it rangeproof.Item, what string, i int) {
			t.Helper()
			require.ErrorIs(t, p.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected, "%s: %s %d", curve,
				what, i)
			require.Equal(t, 1, wrongIn(t, p, []rangeproof.Item{honest, it}), "%s: %s %d", curve, what, i)
		}
		encoded := honest.Proof.Append(nil)
		fresh := func() rangeproof.Proof {
			proof, err := p.Decode(encoded)
			require.NoError(t, err)
			return proof
		}
		scalars, points := bindtest.Fields[group.Scalar](honest.Proof),
			bindtest.Fields[group.Point](honest.Proof)
		require.NotEmpty(t, scalars)
		require.NotEmpty(t, points)
		other := p.Prove(t, 5).Proof
		otherScalars, otherPoints := bindtest.Fields[group.Scalar](other), bindtest.Fields[group.Point](other)
		for i := range scalars {
			changes := append(scalarChanges(p.Group),
				func(group.Scalar) group.Scalar { return *otherScalars[i].At },
				func(group.Scalar) group.Scalar { return *scalars[(i+1)%len(scalars)].At })
			for _, change := range changes {
				proof := fresh()
				s := bindtest.Fields[group.Scalar](proof)[i].At
				*s = change(*s)
				rejected(rangeproof.Item{V: honest.V, Proof: proof}, "scalar", i)
			}
		}
		for i := range points {
			changes := append(pointChanges(p.Group),
				func(group.Point) group.Point { return *otherPoints[i].At },
				func(group.Point) group.Point { return *points[(i+1)%len(points)].At })
			for _, change := range changes {
				proof := fresh()
				q := bindtest.Fields[group.Point](proof)[i].At
				*q = change(*q)
				rejected(rangeproof.Item{V: honest.V, Proof: proof}, "point", i)
			}
		}
		for i, change := range pointChanges(p.Group) {
			rejected(rangeproof.Item{V: change(honest.V), Proof: fresh()}, "statement", i)
		}
	}
}

// TestListsHaveOneEntryForEachRound: the verifier refuses proofs made in memory if lists are shorter or
// longer, one of them or all. No decoder accepts a proof of zeros.
func TestListsHaveOneEntryForEachRound(t *testing.T) {
	systemsDo(t, func(t *testing.T, s rangeproof.Family) {
		p := newProver(t, small(s), "BN254", 16)
		honest := p.Prove(t, 4)
		encoded := honest.Proof.Append(nil)
		refused := func(what string, change func(lists []reflect.Value)) {
			t.Helper()
			proof, err := p.Decode(encoded)
			require.NoError(t, err)
			whole, lists := reflect.ValueOf(proof).Elem(), []reflect.Value(nil)
			for i := range whole.NumField() {
				if field := whole.Field(i); field.Kind() == reflect.Slice && field.CanSet() {
					lists = append(lists, field)
				}
			}
			change(lists)
			require.ErrorIs(t, p.Verify([]rangeproof.Item{{V: honest.V, Proof: proof}}), rangeproof.ErrRejected, what)
		}
		resize := func(list reflect.Value, by int) {
			longer := reflect.Append(list, reflect.Zero(list.Type().Elem()))
			list.Set(longer.Slice(0, list.Len()+by))
		}
		for _, by := range []int{-1, 1} {
			refused(fmt.Sprintf("all %+d", by), func(lists []reflect.Value) {
				for i := range lists {
					resize(lists[i], by)
					refused(fmt.Sprintf("list %d %+d", i, by), func(lists []reflect.Value) { resize(lists[i], by) })
				}
			})
		}
		zero, err := p.Decode(encoded)
		require.NoError(t, err)
		for _, f := range bindtest.Fields[group.Scalar](zero) {
			*f.At = group.Scalar{}
		}
		for _, f := range bindtest.Fields[group.Point](zero) {
			*f.At = group.Point{}
		}
		_, err = p.Decode(zero.Append(nil))
		require.ErrorIs(t, err, group.ErrIdentity)
		if s.Kind == rangeproof.Bulletproof { // with CSP it shows that the identity commits to 0
			require.ErrorIs(t, p.Verify([]rangeproof.Item{{Proof: zero}}), rangeproof.ErrRejected)
		}
	})
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
		for _, field := range bindtest.Fields[group.Point](proof) {
			point, honest := field.At, *field.At
			*point = group.Point{}
			_, err := p.Decode(proof.Append(nil))
			require.ErrorIs(t, err, group.ErrIdentity, "%s: %s", curve, field.Name)
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

package systems_test

import (
	"fmt"
	"reflect"
	"slices"
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
		t.Run(curve, func(t *testing.T) {
			p := newProver(t, maker, curve, nightly.Pick(4, 16, 16))
			honest := p.Prove(t, 9)
			rejected := func(it rangeproof.Item, what string) {
				require.ErrorIs(t, p.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected, what)
				require.Equal(t, 1, wrongIn(t, p, []rangeproof.Item{honest, it}), what)
			}
			changeEach(t, p, honest, scalarChanges(p.Group), rejected)
			changeEach(t, p, honest, pointChanges(p.Group), rejected)
			for _, change := range pointChanges(p.Group) {
				rejected(rangeproof.Item{V: change(honest.V), Proof: honest.Proof}, "statement")
			}
		})
	}
}

// changeEach changes each field of type T of an honest proof, also to the value of another
// field and of another proof.
func changeEach[T any](t *testing.T, p prover, honest rangeproof.Item, changes []func(T) T,
	rejected func(it rangeproof.Item, what string)) {
	t.Helper()
	encoded := honest.Proof.Append(nil)
	fields, others := bindtest.Fields[T](honest.Proof), bindtest.Fields[T](p.Prove(t, 5).Proof)
	require.NotEmpty(t, fields)
	for i, f := range fields {
		for _, change := range append(slices.Clone(changes), func(T) T { return *others[i].At },
			func(T) T { return *fields[(i+1)%len(fields)].At }) {
			proof, err := p.Decode(encoded)
			require.NoError(t, err)
			at := bindtest.Fields[T](proof)[i].At
			*at = change(*at)
			rejected(rangeproof.Item{V: honest.V, Proof: proof}, f.Name)
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
			it := rangeproof.Item{V: honest.V, Proof: proof}
			require.ErrorIs(t, p.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected, what)
		}
		resize := func(list reflect.Value, by int) {
			longer := reflect.Append(list, reflect.Zero(list.Type().Elem()))
			list.Set(longer.Slice(0, list.Len()+by))
		}
		for _, by := range []int{-1, 1} {
			refused(fmt.Sprintf("all %+d", by), func(lists []reflect.Value) {
				for i := range lists {
					resize(lists[i], by)
					refused(fmt.Sprintf("list %d %+d", i, by), func(lists []reflect.Value) {
						resize(lists[i], by)
					})
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

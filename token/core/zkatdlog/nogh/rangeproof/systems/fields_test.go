package systems_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

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

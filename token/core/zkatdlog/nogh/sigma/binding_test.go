package sigma_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// listening is a Group that keeps the commitments that a verifier hashes: the first list
// of points of each challenge.
type listening struct {
	group.Group
	hashed [][]byte
}

func (l *listening) AppendPoints(dst, prefix []byte, ps []group.Point) []byte {
	if len(dst) == 0 && len(prefix) > 0 {
		l.hashed = nil
		for _, p := range ps {
			l.hashed = append(l.hashed, l.AppendPoint(nil, p))
		}
	}
	return l.Group.AppendPoints(dst, prefix, ps)
}

// commitments returns the commitments that a verifier of one item hashes.
func (l *listening) commitments(k *pedersen.Key, it item) [][]byte {
	_ = verifySum(k, it.st, it.p)
	return l.hashed
}

// TestFrozenChallenge changes each message and each response of a transfer while its
// challenge stays as it was. The commitments that depend on it change, and no others; so
// their hash is another challenge, and the proof is refused at its place. The proofs have no
// weights: each commitment is hashed alone.
func TestFrozenChallenge(t *testing.T) {
	const inputs, atType, atSum = 2, 2, 3
	g := &listening{Group: vectors.Curve(t, "BN254")}
	k := vectors.Key(g)
	var made []item
	for range 3 {
		e := newExample(t, k, inputs, 2)
		made = append(made, item{e.st, e.prove(t)})
	}
	v := bindtest.Verifier[item]{
		Claims: func(n int) (claims []*item) {
			for _, it := range made[:n] {
				it.st.Inputs, it.st.Outputs = slices.Clone(it.st.Inputs), slices.Clone(it.st.Outputs)
				it.p.ZR, it.p.ZV = slices.Clone(it.p.ZR), slices.Clone(it.p.ZV)
				claims = append(claims, &it)
			}
			return claims
		},
		Verify: func(claims []*item, _ []bindtest.Draw) (refused []int, _ []bindtest.Draw) {
			list := make([]item, len(claims))
			for i, c := range claims {
				list[i] = *c
			}
			for i, err := range verdictsOnSums(k, list...) {
				if err != nil {
					refused = append(refused, i)
				}
			}
			return refused, nil
		},
	}
	// S = Σ in′ - Σ out′ does not depend on CT, with as many inputs as outputs.
	changes := map[string][]int{"CT": {0, 1, atType}, "C": {0, 1, atType, atSum}, "ZT": {atType},
		"ZB": {atType}, "ZS": {atSum}}
	for i := range inputs {
		changes[fmt.Sprint("ZV ", i)], changes[fmt.Sprint("ZR ", i)] = []int{i}, []int{i}
		changes[fmt.Sprint("Inputs ", i)], changes[fmt.Sprint("Outputs ", i)] = []int{i, atSum}, []int{atSum}
	}
	add := func(name string, change func(it *item)) {
		v.Values = append(v.Values, bindtest.Value[item]{Name: name, Change: change})
		before := g.commitments(k, made[0])
		it := v.Claims(1)[0]
		change(it)
		for i, now := range g.commitments(k, *it) {
			require.Equal(t, slices.Contains(changes[name], i), string(now) != string(before[i]),
				"commitment %d with another %s", i, name)
		}
		delete(changes, name)
	}
	for i, f := range bindtest.Fields[group.Scalar](&made[0].p) {
		add(f.Name, func(it *item) {
			s := bindtest.Fields[group.Scalar](&it.p)[i].At
			*s = g.Add(*s, g.Uint64(1))
		})
	}
	points := func(it *item) []bindtest.Field[group.Point] {
		return append(bindtest.Fields[group.Point](&it.p), bindtest.Fields[group.Point](&it.st)...)
	}
	for i, f := range points(&made[0]) {
		add(f.Name, func(it *item) {
			p := points(it)[i].At
			*p = g.AddPoints(*p, g.Generator())
		})
	}
	require.Empty(t, changes, "values that were not changed")
	v.TestValues(t, len(made))
}

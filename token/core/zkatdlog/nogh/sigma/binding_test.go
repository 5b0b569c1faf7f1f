package sigma_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
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
	add := func(name string, commitments []int, change func(it *item)) {
		v.Values = append(v.Values, bindtest.Value[item]{Name: name, Change: change})
		before := g.commitments(k, made[0])
		it := v.Claims(1)[0]
		change(it)
		for i, now := range g.commitments(k, *it) {
			require.Equal(t, slices.Contains(commitments, i), string(now) != string(before[i]),
				"commitment %d with another %s", i, name)
		}
	}
	scalar := func(name string, commitments []int, at func(p *sigma.TypeAndSum) *group.Scalar) {
		add(name, commitments, func(it *item) {
			s := at(&it.p)
			*s = g.Add(*s, g.Uint64(1))
		})
	}
	point := func(name string, commitments []int, at func(it *item) *group.Point) {
		add(name, commitments, func(it *item) {
			p := at(it)
			*p = g.AddPoints(*p, g.Generator())
		})
	}
	scalar("z_t", []int{atType}, func(p *sigma.TypeAndSum) *group.Scalar { return &p.ZT })
	scalar("z_b", []int{atType}, func(p *sigma.TypeAndSum) *group.Scalar { return &p.ZB })
	scalar("z_s", []int{atSum}, func(p *sigma.TypeAndSum) *group.Scalar { return &p.ZS })
	for i := range inputs {
		scalar(fmt.Sprint("z_v ", i), []int{i}, func(p *sigma.TypeAndSum) *group.Scalar { return &p.ZV[i] })
		scalar(fmt.Sprint("z_r ", i), []int{i}, func(p *sigma.TypeAndSum) *group.Scalar { return &p.ZR[i] })
		point(fmt.Sprint("input ", i), []int{i, atSum}, func(it *item) *group.Point {
			return &it.st.Inputs[i]
		})
		point(fmt.Sprint("output ", i), []int{atSum}, func(it *item) *group.Point {
			return &it.st.Outputs[i]
		})
	}
	// S = Σ in′ - Σ out′ does not depend on CT, with as many inputs as outputs.
	point("CT", []int{0, 1, atType}, func(it *item) *group.Point { return &it.p.CT })
	scalar("c", []int{0, 1, atType, atSum}, func(p *sigma.TypeAndSum) *group.Scalar { return &p.C })
	v.TestValues(t, len(made))
}

package v2 // claim is private: verdicts about responses that no proof encodes are compared with the model

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// toyPrime is the order of the group of the verdicts.
const toyPrime = 1009

// toyShapes are the shapes of honest proofs over the toy group; the last has 16 blocks.
var toyShapes = []shape{
	{bits: 16, inputs: 1, outputs: 1}, {bits: 32, inputs: 2, outputs: 2, publicValue: 3},
	{bits: 64, outputs: 3, publicType: true},
	{bits: 64, inputs: 2, outputs: 2, publicType: true}, {bits: 16, inputs: 5, outputs: 64},
}

// verdicts returns proofs over a toy group with the verdict of the engine, as records of
// docs/proof/Compare.v: of every cheat for some challenges x; of the best liar for challenges
// that it passes and for others; and honest proofs of several shapes, with one item after the
// other wrong.
func verdicts(t *testing.T) (all []string) {
	t.Helper()
	judge := func(lr *liar, x group.Scalar, accepted bool) {
		lr.ch.x = x
		c, _, _ := lr.claimOf(t)
		require.Equal(t, accepted, lr.verdict(c))
		all = append(all, lr.judged(c))
	}
	for i, cheat := range cheats {
		lr := cheat.newLiar(t, toyParams(t, toyPrime, cheat.shape.bits), byte(i))
		lr.start(toyChallenges(t, lr.g))
		for x := uint64(1); x < 6; x++ {
			judge(lr, lr.g.Uint64(x), false)
		}
	}
	lr, chosen := bestLiar(t, toyPrime)
	for _, x := range chosen {
		judge(lr, x, true)
		judge(lr, lr.g.Add(x, lr.g.Uint64(1)), false)
	}
	for i, s := range toyShapes {
		p := toyParams(t, toyPrime, s.bits)
		in := newInstanceOf(t, p, s, byte(i))
		lr := newLiar(t, p, in.st, in.w)
		lr.start(toyChallenges(t, p.group))
		c, _, _ := lr.claimOf(t)
		require.True(t, lr.verdict(c))
		all = append(all, lr.judged(c))
		wrong, refused := lr.wrongItems(t)
		require.Greater(t, refused, len(wrong)*9/10)
		all = append(all, wrong...)
	}
	return all
}

// wrongItems judges the proof with one more at each token, message, response and challenge,
// the public value and a public type, with 0 for each challenge, and with each pole for e.
func (lr *liar) wrongItems(t *testing.T) (all []string, refused int) {
	t.Helper()
	g, st := lr.g, lr.st
	one := g.Uint64(1)
	unit := group.OnCurve(g.Generator())
	right, _, _ := lr.claimOf(t)
	judge := func(change func(st *Statement, c *claim)) {
		changed, c := *st, *right
		changed.Inputs, changed.Outputs = slices.Clone(st.Inputs), slices.Clone(st.Outputs)
		c.points, c.responses.all = slices.Clone(c.points), slices.Clone(c.responses.all)
		change(&changed, &c)
		lr.st = &changed
		if !lr.verdict(&c) {
			refused++
		}
		all = append(all, lr.judged(&c))
		lr.st = st
	}
	more := func(p *group.CurvePoint) {
		*p = g.CurveSum(lr.p.generators, group.Row{}, []group.CurvePoint{*p, unit}, []group.Scalar{one, one})
	}
	add := func(s *group.Scalar) { *s = g.Add(*s, one) }
	for i := range st.Inputs {
		judge(func(st *Statement, _ *claim) { more(&st.Inputs[i]) })
	}
	for i := range st.Outputs {
		judge(func(st *Statement, _ *claim) { st.Outputs[i] = g.AddPoints(st.Outputs[i], g.Generator()) })
	}
	for i := range lr.l.points() {
		judge(func(_ *Statement, c *claim) { more(&c.points[i]) })
	}
	for i := range lr.l.scalars(responseParts) {
		judge(func(_ *Statement, c *claim) { add(&c.responses.all[i]) })
	}
	for i := range lr.ch.list() {
		judge(func(_ *Statement, c *claim) { add(c.ch.list()[i]) })
		judge(func(_ *Statement, c *claim) { *c.ch.list()[i] = group.Scalar{} })
	}
	for i := range slots {
		judge(func(_ *Statement, c *claim) { c.ch.e = g.Neg(g.Uint64(uint64(i))) })
	}
	if st.Kind == Transfer {
		judge(func(st *Statement, _ *claim) { st.PublicValue++ })
	}
	if st.PublicType {
		judge(func(st *Statement, _ *claim) { add(&st.Type) })
	}
	return all, refused
}

// verdict is the verdict of the engine's equations, each checked exactly.
func (lr *liar) verdict(c *claim) bool {
	return !c.ch.exceptional(lr.g) &&
		lr.holdExactly(lr.claimWithout(c, removed{}, group.Scalar{}, group.Scalar{}))
}

// judged is a record of docs/proof/Compare.v with the engine's verdict. Points are numbers.
func (lr *liar) judged(c *claim) string {
	g, st := lr.g, lr.st
	var points []string
	add := func(p group.CurvePoint) {
		points = append(points, new(big.Int).SetBytes(group.AppendCurvePoint(g, nil, p)).String())
	}
	for i := range lr.l.generators() {
		add(group.OnCurve(lr.p.generators.Point(i)))
	}
	generators := len(points)
	for _, p := range st.Inputs {
		add(p)
	}
	for _, p := range st.Outputs {
		add(group.OnCurve(p))
	}
	for _, p := range c.points {
		add(p)
	}
	list := func(texts []string) string { return "[:: " + strings.Join(texts, "; ") + "]%bigN" }
	return fmt.Sprintf(" toy %d %d %d %d %t %t %d %d\n  %s %s %s\n  %s %s %t", g.Order(), lr.p.bits,
		len(st.Inputs), len(st.Outputs),
		st.Kind == Transfer, !st.PublicType, st.PublicValue, number(g, st.Type), numbers(g, c.ch.drawn()...),
		numbers(g, inverses(g, c.ch.e)...), numbers(g, c.responses.all...), list(points[:generators]),
		list(points[generators:]),
		lr.verdict(c))
}

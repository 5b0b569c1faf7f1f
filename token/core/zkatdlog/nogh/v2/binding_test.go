package v2 // claim is private: which challenge an item changes does not show in a verdict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// steps are the challenges of a proof in the order of drawing,
// followed by the digest that determines the weights.
func (in instance) steps(t *testing.T, proof []byte) [4]any {
	t.Helper()
	c := new(claim)
	require.NoError(t, c.read(in.p, in.st, proof))
	five := [5]group.Scalar{c.ch.chi, c.ch.zeta, c.ch.lambda, c.ch.y, c.ch.omega}
	return [4]any{c.ch.e, five, c.ch.x, c.state}
}

// TestBinding checks the table of section 11: an item changes exactly the
// challenges from the named one on.
func TestBinding(t *testing.T) {
	const first, second, third, last = 0, 1, 2, 3
	g := vectors.Curve(t, "BLS12_381_BBS_GURVY")
	in := newInstance(t, g, shape{bits: 64, inputs: 2, outputs: 2, publicValue: 1, publicType: true}, 31)
	proof := in.prove(t)
	was, l := in.steps(t, proof), in.p.layoutOf(in.st)
	changes := func(from int, what string, other instance, proof []byte) {
		t.Run(what, func(t *testing.T) {
			for i, now := range other.steps(t, proof) {
				require.Equal(t, i < from, was[i] == now, "challenge %d", i)
			}
		})
	}
	fewer, of := *in.st, *in.p
	fewer.Inputs = fewer.Inputs[:1]
	of.digest = digest(g, 64, append(derive(g)[:generators-1], g.Generator()))
	changes(first, "numbers", instance{p: in.p, st: &fewer}, proof)
	changes(first, "generator", instance{p: &of, st: in.st}, proof)
	curve := params(t, vectors.Curve(t, "BLS12_381_BBS"), 64)
	changes(first, "curve", instance{p: curve, st: in.st}, proof)

	items := values(g, l, in.st)
	for i, item := range items {
		from := first
		switch at := i - len(items) + l.points() + l.scalars(responseParts); { // in the proof
		case at >= l.points():
			from = last
		case at >= l.at("S", 0):
			from = third
		case at >= l.at("R", 0):
			from = second
		}
		c := copied(Claim{in.st, proof})
		item.Change(c)
		changes(from, item.Name, instance{p: in.p, st: c.Statement}, c.Proof)
	}
}

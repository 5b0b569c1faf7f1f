package v2

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func bigOfBytes(b []byte) *big.Int { return new(big.Int).SetBytes(b) }

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
	s := shape{bits: 64, inputs: 2, outputs: 2, publicValue: 1, publicType: true}
	in := newInstance(t, g, s, 31)
	proof := in.prove(t)
	was := in.steps(t, proof)
	l := in.p.layoutOf(in.st)
	changes := func(from int, what string, other instance, proof []byte) {
		t.Helper()
		for i, now := range other.steps(t, proof) {
			require.Equal(t, i < from, was[i] == now, "%s, challenge %d", what, i)
		}
	}
	for what, change := range map[string]func(*instance){
		"curve":        func(in *instance) { in.p = params(t, vectors.Curve(t, "BLS12_381_BBS"), 64) },
		"type":         func(in *instance) { in.st.Type = g.Uint64(3) },
		"public value": func(in *instance) { in.st.PublicValue = 2 },
		"context":      func(in *instance) { in.st.Context = nil },
		"input 1":      func(in *instance) { in.st.Inputs[0] = group.OnCurve(g.Generator()) },
		"input 2":      func(in *instance) { in.st.Inputs[1] = group.OnCurve(g.Generator()) },
		"output 1":     func(in *instance) { in.st.Outputs[0] = g.Generator() },
		"output 2":     func(in *instance) { in.st.Outputs[1] = g.Generator() },
		"numbers":      func(in *instance) { in.st.Inputs = in.st.Inputs[:1] },
		"generator": func(in *instance) {
			other := *in.p
			points := derive(g)
			points[generators-1] = g.Generator()
			other.digest = digest(g, 64, points)
			in.p = &other
		},
	} {
		t.Run(what, func(t *testing.T) {
			other := newInstance(t, g, s, 31)
			change(&other)
			changes(first, what, other, proof)
		})
	}
	issue := newInstance(t, g, shape{bits: 64, outputs: 2, publicType: true}, 31)
	require.NotEqual(t, was[0], issue.steps(t, issue.prove(t))[0], "kind")
	narrow, wide := params(t, g, 16), params(t, g, 64)
	require.NotEqual(t, narrow.digest, wide.digest, "N")

	n := g.PointLen()
	for i := range l.points() {
		changed := append(g.AppendPoint(clone(proof[:1+i*n]), g.Generator()), proof[1+(i+1)*n:]...)
		from := third
		switch {
		case i < l.at("R", 0):
			from = first
		case i < l.at("S", 0):
			from = second
		}
		changes(from, l.pointName(i), in, changed)
	}
	start := 1 + l.points()*n
	for i := range l.scalars(responseParts) {
		at := start + 32*i
		changed := append(g.AppendScalar(clone(proof[:at]), g.Uint64(uint64(i))), proof[at+32:]...)
		changes(last, "response", in, changed)
	}
}

// TestTheTypeFlagIsBound uses the same bytes of a statement with and without
// the flag.
func TestTheTypeFlagIsBound(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	in := newInstance(t, g, shape{bits: 64, inputs: 1, outputs: 1}, 32)
	in.w.Type = group.Scalar{}
	in.commit()
	public := *in.st
	public.PublicType = true
	hidden, err := in.p.Prove(in.st, in.w, newRandom(1))
	require.NoError(t, err)
	shown, err := in.p.Prove(&public, in.w, newRandom(1))
	require.NoError(t, err)
	require.NotEqual(t, in.steps(t, hidden)[0], instance{in.p, &public, in.w}.steps(t, shown)[0])
}

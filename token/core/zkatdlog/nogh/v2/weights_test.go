package v2 // weightedSum and layout are private: a weight does not show in a verdict

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// binding returns the verifier of proofs of a shape, with all values that it reads and
// without terms.
func binding(t *testing.T, s shape) (v *bindtest.Verifier[Claim], l layout) {
	const different = 5 // claims; the others are equal to these
	g := vectors.Curve(t, "BN254")
	p := params(t, g, s.bits)
	var made []Claim
	for i := range different {
		in := newInstanceOf(t, p, s, byte(i))
		made = append(made, Claim{in.st, in.prove(t)})
	}
	spy := &grouptest.Spy{Group: g, WeightLen: weightBytes}
	v = &bindtest.Verifier[Claim]{Order: g.Order(), Equations: 2}
	v.Claims = func(n int) (claims []*Claim) {
		for i := range n {
			claims = append(claims, copied(made[i%different]))
		}
		return claims
	}
	v.Verify = func(claims []*Claim, held []bindtest.Draw) (refused []int, draws []bindtest.Draw) {
		list := make([]Claim, len(claims))
		for i, c := range claims {
			list[i] = *c
		}
		draws = spy.Watch(held, func() {
			require.NoError(t, round.Run(spy, func(r round.Round) error {
				for i, err := range p.On(spy).VerifyClaims(r.SearchEach(), list) {
					if err != nil {
						refused = append(refused, i)
					}
				}
				return nil
			}))
		})
		return refused, draws
	}
	l = p.layoutOf(made[0].Statement)
	require.Equal(t, added, l.pointName(l.points()-1) == "T")
	v.Values = values(g, l, made[0].Statement)
	return v, l
}

// copied returns a claim that can be changed.
func copied(c Claim) *Claim {
	st := *c.Statement
	st.Inputs, st.Outputs = slices.Clone(st.Inputs), slices.Clone(st.Outputs)
	return &Claim{&st, clone(c.Proof)}
}

// values lists all values of a statement and its proof.
func values(g group.Group, l layout, st *Statement) (values []bindtest.Value[Claim]) {
	add := func(name, hashed string, change func(c *Claim)) {
		values = append(values, bindtest.Value[Claim]{Name: name, Hashed: hashed, Change: change})
	}
	one := g.Uint64(1)
	add("context", "no equation contains it", func(c *Claim) { c.Statement.Context = []byte("another") })
	if st.Kind == Transfer {
		add("public value", "", func(c *Claim) { c.Statement.PublicValue++ })
	}
	if st.PublicType {
		add("type", "", func(c *Claim) { c.Statement.Type = g.Add(c.Statement.Type, one) })
	}
	for i := range st.Inputs {
		add(fmt.Sprint("input ", i), "", func(c *Claim) {
			c.Statement.Inputs[i] = group.OnCurve(g.Generator())
		})
	}
	for i := range st.Outputs {
		add(fmt.Sprint("output ", i), "", func(c *Claim) { c.Statement.Outputs[i] = g.Generator() })
	}
	for i := range l.points() {
		add(l.pointName(i), "", func(c *Claim) { addPoint(g, c, i, g.Generator()) })
	}
	for i := range l.scalars(responseParts) {
		add(fmt.Sprint("response ", i), "", func(c *Claim) { addResponse(g, l, c, i, one) })
	}
	return values
}

// addPoint adds p to point i of a proof.
func addPoint(g group.Group, c *Claim, i int, p group.Point) {
	b := c.Proof[1+i*g.PointLen():][:g.PointLen()]
	q, err := g.DecodePoint(b)
	if err != nil {
		panic(err)
	}
	copy(b, g.AppendPoint(nil, g.AddPoints(q, p)))
}

// addResponse adds s to response i of a proof.
func addResponse(g group.Group, l layout, c *Claim, i int, s group.Scalar) {
	b := c.Proof[1+l.points()*g.PointLen()+i*group.ScalarLen:][:group.ScalarLen]
	z, err := g.DecodeScalar(b)
	if err != nil {
		panic(err)
	}
	copy(b, g.AppendScalar(nil, g.Add(z, s)))
}

// TestWeightsBind: challenges and weights bind all values, and each equation has its weight.
func TestWeightsBind(t *testing.T) {
	v, l := binding(t, shape{bits: 16, inputs: 2, outputs: 2, publicValue: 3})
	g := vectors.Curve(t, "BN254")
	p := params(t, g, 16)
	const main, types = 0, 1
	add := func(name, base string, equation int, factor func(c *Claim) group.Scalar,
		add func(c *Claim, by group.Scalar)) {
		v.Terms = append(v.Terms, bindtest.Term[Claim]{
			Name: name, Base: base, Equation: equation,
			Factor: func(c *Claim) *big.Int { return grouptest.Number(g, factor(c)) },
			Add:    func(c *Claim, by *big.Int) { add(c, grouptest.Scalar(g, by)) },
		})
	}
	response := func(name, base string, equation int) {
		example := named{layout: l, parts: responseParts, all: make([]group.Scalar, l.scalars(responseParts))}
		example.get(name)[0] = g.Uint64(1)
		at := slices.Index(example.all, g.Uint64(1))
		minus := func(*Claim) group.Scalar { return g.Neg(g.Uint64(1)) }
		add(name, base, equation, minus, func(c *Claim, by group.Scalar) { addResponse(g, l, c, at, by) })
	}
	message := func(name string, equation int) {
		factor := func(c *Claim) group.Scalar {
			read := new(claim)
			require.NoError(t, read.read(p, c.Statement, c.Proof))
			power := make([]group.Scalar, l.power(name, 0)+1)
			g.Powers(power, read.ch.x)
			return power[len(power)-1]
		}
		for base, at := range map[string]int{"g₁": atG1, "h": atH} {
			add(name, base, equation, factor, func(c *Claim, by group.Scalar) {
				addPoint(g, c, l.at(name, 0), group.MulPoint(g, p.generators.Point(at), by))
			})
		}
	}
	response("z_h", "h", main)
	response("q_r", "h", types)
	response("q_v", "g₁", types)
	message("S", main)
	message("Q", types)
	v.Test(t)
	others := []shape{{bits: 16, outputs: 1, publicType: true}, {bits: 64, inputs: 1, outputs: 2}}
	for _, s := range others[:nightly.Pick(1, 2, 2)] {
		other, _ := binding(t, s)
		other.TestValues(t, 2)
	}
}

package v2

import (
	"crypto/sha256"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// claim is the state of the verification of one proof; finally it holds the
// scalars of both group equations (section 7).
type claim struct {
	Proof
	st    *Statement
	tr    transcript.Chain
	ch    challenges
	wt    weights
	m     *round.Memory  // of all vectors of scalars
	x     []group.Scalar // x⁰ … x²ᴷ
	fixed []group.Scalar // left side of the main equation: g₀, g₁, h, Gᵢ, H_s

	typeFixed    [3]group.Scalar    // left side of the type equation: g₀, g₁, h
	variable     []group.CurvePoint // tokens, then the messages
	mainVariable []group.Scalar     // their scalars on the right side
	typeVariable []group.Scalar
	state        [sha256.Size]byte // τ₄
}

// read performs everything up to the challenges: bounds, decoding, transcript.
func (c *claim) read(p *Params, st *Statement, proof []byte) error {
	if err := p.check(st); err != nil {
		return err
	}
	c.st = st
	l := p.layoutOf(st)
	if err := c.decode(p.group, l, proof); err != nil {
		return err
	}
	n := p.group.PointLen()
	points := func(s step) []byte {
		first, count := l.span(s)
		return proof[1+first*n:][:count*n]
	}
	tr, ch := &c.tr, &c.ch
	p.begin(tr, st)
	ch.afterDigits(p.group, tr, points(digitStep))
	ch.afterReciprocals(p.group, tr, points(reciprocalStep))
	ch.afterMasks(p.group, tr, points(maskStep))
	afterResponses(tr, proof[1+l.points()*n:])
	c.state = tr.State()
	group.CountWork(group.Phase(p.group, "transcript"), group.HashedBlocks, tr.Blocks)
	if ch.exceptional(p.group) {
		return ErrRejected
	}
	return nil
}

// prepare computes the scalars of both equations of claims from their challenges.
func (p *Params) prepare(claims ...*claim) {
	g := group.Phase(p.group, "scalars")
	setWeights(g, claims)
	for _, c := range claims {
		c.equations(g, c.st)
	}
}

// setWeights computes the weights and the powers of x of claims, with one inversion.
func setWeights(g group.Group, claims []*claim) {
	shared := round.NewMemory()
	defer shared.Wipe()
	poles := shared.Scalars(slots * len(claims))
	for i, c := range claims {
		c.m = round.NewMemory()
		c.wt.cutVectors(c.m, c.responses.layout)
		c.wt.setPoles(g, c.ch.e)
		copy(poles[slots*i:], c.wt.poles)
	}
	g.InvVec(poles, poles)
	for i, c := range claims {
		copy(c.wt.iota, poles[slots*i:])
		l := c.responses.layout
		c.wt.set(g, l, c.st.Kind, &c.ch)
		c.x = c.m.Scalars(2*l.top + 1)
		g.Powers(c.x, c.ch.x)
	}
}

// equations computes the scalars from the weights.
func (c *claim) equations(g group.Group, st *Statement) {
	l, w, z := c.responses.layout, &c.wt, &c.responses
	zv, zh, zt := z.get("z_v")[0], z.get("z_h")[0], st.Type
	if !st.PublicType {
		zt = z.get("z_t")[0]
	}
	fixed := append(c.m.Scalars(l.generators())[:0], g.Mul(w.lambdaSum, zt),
		g.Add(zv, g.Mul(w.beta, g.Uint64(st.PublicValue))), zh)
	fixed = append(append(fixed, z.get("w")...), c.firstError(g, zv))
	c.fixed = append(fixed, z.get("l")...)
	c.typeFixed = [...]group.Scalar{g.Mul(w.omegaSum, zt), z.get("q_v")[0], z.get("q_r")[0]}
	c.setVariable(g, st)
}

// setVariable sets the variable points of both equations and their scalars.
func (c *claim) setVariable(g group.Group, st *Statement) {
	l, w := c.responses.layout, &c.wt
	tokens, n := l.tokens(), l.tokens()+l.points()
	variable := append(resize(c.variable, n)[:0], st.Inputs...)
	for _, out := range st.Outputs {
		variable = append(variable, group.OnCurve(out))
	}
	c.variable, c.mainVariable, c.typeVariable = append(variable, c.points...), c.m.Scalars(n), c.m.Scalars(n)
	for a := range tokens {
		c.mainVariable[a], c.typeVariable[a] = w.ofToken(g, l, a), w.omega[a]
	}
	at := tokens
	for i := range messages {
		m := &messages[i]
		scalars := c.mainVariable
		if m.equation == typeEquation {
			scalars = c.typeVariable
		}
		for j := range l.count(m.size) {
			scalars[at] = m.coefficient(g, l, w, c.x, j)
			at++
		}
	}
}

// firstError solves the field equation for l₀:
//
//	l₀ = -( y·x^(K-3)·( Σᵢ wᵢ·(μᵢ·wᵢ + aᵢ(x)) - κ·x^K - x^K·z_v ) + Σ x^(E-3)·l_slot(E) )
func (c *claim) firstError(g group.Group, zv group.Scalar) group.Scalar {
	l, w := c.responses.layout, &c.wt
	top, responses, form := l.top, c.responses.get("w"), c.evaluateForms(g)
	phi := g.Inner(responses, form)
	g.MulVec(form, responses, responses)
	phi = g.Add(phi, g.Inner(form, w.mu))
	phi = g.Sub(phi, g.Mul(c.x[top], g.Add(w.kappa, zv)))
	total := g.Mul(g.Mul(w.y, c.x[top-3]), phi)
	errors := c.responses.get("l") // l₁ …; errors with E < K have exponent s of x, the others s + 1
	below := l.slot(top-1) + 1
	total = g.Add(total, g.Inner(errors[:below-1], c.x[1:below]))
	total = g.Add(total, g.Inner(errors[below-1:], c.x[below+1:l.errors()+1]))
	return g.Neg(total)
}

// evaluateForms returns a(x):
//
//	aᵢ(x) = 2e·μᵢ·Θ + ζ·Ξ - x·ζ·ιᵢ + 16^(i mod ν)·Y_⌊i/ν⌋
//	Θ = Σ θ_j·x^(K-1-j),  Ξ = Σ x^(K-1-j),  Y_b = Σ_j x^(1+j)·λᵒ,  o = (j-1)·π + b + 1 ≤ m
func (c *claim) evaluateForms(g group.Group) []group.Scalar {
	l, w, x := c.responses.layout, &c.wt, c.x
	a := c.m.Scalars(slots)
	var theta, xi group.Scalar
	for j := range l.blocks {
		power := x[l.power("D", j)]
		theta, xi = g.Add(theta, g.Mul(w.theta[j], power)), g.Add(xi, power)
	}
	theta = g.Mul(g.Add(theta, theta), w.e)
	g.FoldVec(a, w.mu, w.iota, theta, g.Neg(g.Mul(x[1], w.zeta)))
	xi = g.Mul(xi, w.zeta)
	for b := range l.perBlock {
		var y group.Scalar
		for j := range l.blocks {
			if o := j*l.perBlock + b; o < l.outputs {
				y = g.Add(y, g.Mul(x[l.power("R", j)], w.lambda[o]))
			}
		}
		for u := range l.perOutput {
			i := b*l.perOutput + u
			a[i] = g.Add(g.Add(a[i], xi), g.Mul(g.Uint64(1<<(digitBits*u)), y))
		}
	}
	return a
}

package v2

import (
	"crypto/sha256"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// claim is the state of the verification of one proof; finally it holds the
// scalars of both group equations (section 7).
type claim struct {
	Proof
	tr    transcript.Chain
	ch    challenges
	wt    weights
	memo  []group.Scalar // memory of all vectors
	x     []group.Scalar // x⁰ … x²ᴷ
	a     []group.Scalar // aᵢ(x)
	fixed []group.Scalar // left side of the main equation: g₀, g₁, h, Gᵢ, H_s

	typeFixed    [3]group.Scalar    // left side of the type equation: g₀, g₁, h
	variable     []group.CurvePoint // tokens, then M, D, R, S, Q
	mainVariable []group.Scalar     // their scalars on the right side
	typeVariable []group.Scalar
	state        [sha256.Size]byte // τ₄
}

// read performs everything up to the challenges: bounds, decoding, transcript.
func (c *claim) read(p *Params, st *Statement, proof []byte) error {
	if err := p.check(st); err != nil {
		return err
	}
	l := p.layoutOf(len(st.Inputs), len(st.Outputs))
	if err := c.decode(p.group, l, st.PublicType, proof); err != nil {
		return err
	}
	digits, reciprocals, masks, responses := l.segments(p.group, proof)
	p.begin(&c.tr, st)
	c.ch.afterDigits(p.group, &c.tr, digits)
	c.ch.afterReciprocals(p.group, &c.tr, reciprocals)
	c.ch.afterMasks(p.group, &c.tr, masks)
	afterResponses(&c.tr, responses)
	c.state = c.tr.State()
	if c.ch.exceptional(p.group) {
		return ErrRejected
	}
	return nil
}

// prepare computes the scalars of both equations from the challenges.
func (c *claim) prepare(p *Params, st *Statement) {
	g := group.Phase(p.group, "scalars")
	c.cutVectors()
	c.wt.reciprocals(g, c.ch.e)
	c.wt.set(g, c.layout, st.Kind, &c.ch)
	c.equations(g, p, st)
}

// cutVectors divides c.memo into the vectors.
func (c *claim) cutVectors() {
	l := c.layout
	k, m := l.blocks, l.outputs
	total := c.wt.size(l) + 2*l.top + 1 + slots + atErrors + l.errors() + 2*(l.tokens()+l.points())
	c.memo = resize(c.memo, total)
	rest := c.memo
	cut := func(n int) (v []group.Scalar) {
		v, rest = rest[:n:n], rest[n:]
		return v
	}
	c.wt.cutVectors(cut, k, m, l.tokens())
	c.x, c.a, c.fixed = cut(2*l.top+1), cut(slots), cut(atErrors+l.errors())
	c.mainVariable, c.typeVariable = cut(l.tokens()+l.points()), cut(l.tokens()+l.points())
	c.variable = resize(c.variable, l.tokens()+l.points())
}

// equations computes the scalars from the weights.
func (c *claim) equations(g group.Group, p *Params, st *Statement) {
	g.Powers(c.x, c.ch.x)
	z := c.z()
	zv, zh, z := z[0], z[1], z[2:]
	zt := st.Type
	if !st.PublicType {
		zt, z = z[0], z[1:]
	}
	w := &c.wt
	c.fixed[atG0] = g.Mul(w.lambdaSum, zt)
	c.fixed[atG1] = g.Add(zv, g.Mul(w.beta, g.Uint64(st.PublicValue)))
	c.fixed[atH] = zh
	copy(c.fixed[atSlots:], c.w())
	c.fixed[atErrors] = c.firstError(g, p, zv)
	copy(c.fixed[atErrors+1:], c.l())
	c.typeFixed = [3]group.Scalar{g.Mul(w.omegaSum, zt), z[0], z[1]}
	c.setVariable(g, st)
}

// setVariable sets the variable points of both equations and their scalars.
func (c *claim) setVariable(g group.Group, st *Statement) {
	l, w, top := c.layout, &c.wt, c.layout.top
	copy(c.variable, st.Inputs)
	for j, out := range st.Outputs {
		c.variable[l.inputs+j] = g.OnCurve(out)
	}
	for a := range l.tokens() {
		c.mainVariable[a], c.typeVariable[a] = w.ofToken(g, l, a), w.omega[a]
	}
	copy(c.variable[l.tokens():], c.points)
	main, types := c.mainVariable[l.tokens():], c.typeVariable[l.tokens():]
	clear(types)
	main[atM] = c.x[top-1]
	for j := range l.blocks {
		main[l.atD(j)] = g.Mul(w.theta[j], c.x[top-2-j])
		main[l.atR(j)] = c.x[2+j]
	}
	main[l.atS()] = c.x[top]
	main[l.atQ()] = group.Scalar{}
	types[l.atQ()] = c.x[top]
}

// firstError solves the field equation for l₀:
//
//	l₀ = -( y·x^(K-3)·( Σᵢ wᵢ·(μᵢ·wᵢ + aᵢ(x)) - κ·x^K - x^K·z_v ) + Σ x^(E-3)·l_slot(E) )
func (c *claim) firstError(g group.Group, p *Params, zv group.Scalar) group.Scalar {
	l, w, top := c.layout, &c.wt, c.layout.top
	c.evaluateForms(g, p)
	responses := c.w()
	form := c.a
	phi := g.Inner(responses, form)
	g.MulVec(form, responses, responses)
	phi = g.Add(phi, g.Inner(form, w.mu))
	phi = g.Sub(phi, g.Mul(c.x[top], g.Add(w.kappa, zv)))
	total := g.Mul(g.Mul(w.y, c.x[top-3]), phi)
	errors := c.l() // l₁ …; errors with E < K have exponent s of x, the others s + 1
	below := l.slot(top-1) + 1
	total = g.Add(total, g.Inner(errors[:below-1], c.x[1:below]))
	total = g.Add(total, g.Inner(errors[below-1:], c.x[below+1:l.errors()+1]))
	return g.Neg(total)
}

// evaluateForms sets a to a(x):
//
//	aᵢ(x) = 2e·μᵢ·Θ + ζ·Ξ - x·ζ·ιᵢ + 16^(i mod ν)·Y_⌊i/ν⌋
//	Θ = Σ θ_j·x^(K-1-j),  Ξ = Σ x^(K-1-j),  Y_b = Σ_j x^(1+j)·λᵒ,  o = (j-1)·π + b + 1 ≤ m
func (c *claim) evaluateForms(g group.Group, p *Params) {
	l, w, top := c.layout, &c.wt, c.layout.top
	var theta, xi group.Scalar
	for j := range l.blocks {
		theta = g.Add(theta, g.Mul(w.theta[j], c.x[top-2-j]))
		xi = g.Add(xi, c.x[top-2-j])
	}
	theta = g.Mul(g.Add(theta, theta), w.e)
	g.FoldVec(c.a, w.mu, w.iota, theta, g.Neg(g.Mul(c.x[1], w.zeta)))
	xi = g.Mul(xi, w.zeta)
	for b := range l.perBlock {
		var y group.Scalar
		for j := range l.blocks {
			if o := j*l.perBlock + b; o < l.outputs {
				y = g.Add(y, g.Mul(c.x[2+j], w.lambda[o]))
			}
		}
		for u := range l.perOutput {
			i := b*l.perOutput + u
			c.a[i] = g.Add(g.Add(c.a[i], xi), g.Mul(g.Uint64(1<<(digitBits*u)), y))
		}
	}
}

// size is the number of scalars that cutVectors needs.
func (w *weights) size(l layout) int {
	return 3*slots + slots*l.blocks + l.blocks + 2*l.outputs + l.tokens()
}

// cutVectors allocates the vectors with cut.
func (w *weights) cutVectors(cut func(n int) []group.Scalar, blocks, outputs, tokens int) {
	w.mu, w.iota, w.poles = cut(slots), cut(slots), cut(slots)
	w.powersOfCh, w.theta = cut(slots*blocks), cut(blocks)
	w.lambda, w.sigma, w.omega = cut(outputs), cut(outputs), cut(tokens)
}

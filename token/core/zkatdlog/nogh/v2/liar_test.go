package v2 // layout, weights and challenges are private: a second prover has other messages for them

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// coordinates are the coefficients of a point for the generators of a layout.
type coordinates []group.Scalar

func (l layout) newCoordinates() coordinates { return make(coordinates, atErrors+l.errors()) }

// liar is a second prover, written from the definitions: a token or commitment
// is a vector of coordinates, a response is a polynomial in x, and the errors
// are the coefficients that do not vanish. Tests can change any part of it.
type liar struct {
	p      *Params
	g      group.Group
	st     *Statement
	l      layout
	ch     challenges
	wt     weights
	nonces []group.Scalar

	tokens []coordinates  // t·g₀ + v·g₁ + r·h, plus additions by a cheat
	digits []group.Scalar // 16 for each block
	counts []group.Scalar // 16
	recips []group.Scalar // 16 for each block
	m      coordinates
	d, r   []coordinates // without θ
	s, q   coordinates
	noMask int // slot of the mask to set to 0

	// setCounts and setRecips replace the commitments of an honest prover, and
	// commitDigits changes the first commitments.
	setCounts, setRecips, commitDigits func(*liar)
	adjust                             func(*weights) // of the weights, for a verifier without a rule
	zt                                 func(x group.Scalar) group.Scalar
	// send replaces a point: in the proof, and where it is hashed.
	send func(p group.CurvePoint) (sent, absorbed group.CurvePoint)
}

// newLiar returns an honest prover that tests can change.
func newLiar(t testing.TB, p *Params, st *Statement, w *Witness) *liar {
	t.Helper()
	g := p.group
	l := p.layout(len(w.Inputs), len(w.Outputs))
	l.publicType = st.PublicType
	lr := &liar{p: p, g: g, st: st, l: l, nonces: make([]group.Scalar, 6*l.blocks+23), noMask: -1}
	require.NoError(t, group.Sample(g, newRandom(11), lr.nonces))
	token := func(o Opening) {
		c := l.newCoordinates()
		c[atG0], c[atG1], c[atH] = w.Type, g.Uint64(o.Value), o.Blinding
		lr.tokens = append(lr.tokens, c)
	}
	for _, o := range w.Inputs {
		token(o)
	}
	lr.digits = make([]group.Scalar, slots*l.blocks)
	for j, o := range w.Outputs {
		token(o)
		lr.setValue(j, o.Value)
	}
	return lr
}

// setValue sets the digits of output j.
func (lr *liar) setValue(j int, value uint64) {
	for u := range lr.l.perOutput {
		lr.digits[slots*lr.l.block(j)+lr.l.firstSlot(j)+u] = lr.g.Uint64(value >> (4 * u) & 15)
	}
}

func (lr *liar) nonce(i int) group.Scalar { return lr.nonces[i] }

func (lr *liar) eta(exponent int) group.Scalar {
	return lr.nonces[2+2*lr.l.blocks+slots+lr.l.slot(exponent)-1]
}

func (lr *liar) point(c coordinates) group.Point {
	for len(c) > atSlots && c[len(c)-1] == (group.Scalar{}) {
		c = c[:len(c)-1]
	}
	return group.FixedSum(lr.g, lr.p.generators, 0, c...)
}

// commitTokens writes the tokens into the statement.
func (lr *liar) commitTokens() {
	lr.st.Inputs, lr.st.Outputs = nil, nil
	for a, c := range lr.tokens {
		if a < lr.l.inputs {
			lr.st.Inputs = append(lr.st.Inputs, group.OnCurve(lr.point(c)))
		} else {
			lr.st.Outputs = append(lr.st.Outputs, lr.point(c))
		}
	}
}

// first makes M and D.
func (lr *liar) first() {
	g, l, k := lr.g, lr.l, lr.l.blocks
	lr.counts = make([]group.Scalar, slots)
	for _, d := range lr.digits {
		for v := range lr.counts {
			if d == g.Uint64(uint64(v)) {
				lr.counts[v] = g.Add(lr.counts[v], g.Uint64(1))
			}
		}
	}
	if lr.setCounts != nil {
		lr.setCounts(lr)
	}
	lr.m = l.newCoordinates()
	copy(lr.m[atSlots:], lr.counts)
	lr.m[atH], lr.m[atG1] = lr.nonce(0), lr.eta(2*l.top)
	for e := 4; e < 2*l.top; e++ {
		if e != l.top && e != l.top+1 {
			lr.m[atErrors+l.slot(e)] = lr.eta(e)
		}
	}
	lr.d = nil
	for j := range k {
		d := l.newCoordinates()
		copy(d[atSlots:], lr.digits[slots*j:][:slots])
		d[atH] = lr.nonce(2 + j)
		if j == 0 {
			d[atErrors+l.slot(l.top+1)] = lr.eta(l.top + 1)
		}
		lr.d = append(lr.d, d)
	}
	if lr.commitDigits != nil {
		lr.commitDigits(lr)
	}
}

// second makes R from e.
func (lr *liar) second() {
	g, k := lr.g, lr.l.blocks
	lr.wt = newWeights(lr.l)
	lr.wt.reciprocals(g, lr.ch.e)
	lr.recips = make([]group.Scalar, slots*k)
	for i, d := range lr.digits {
		lr.recips[i] = g.Inv(g.Add(lr.ch.e, d))
	}
	if lr.setRecips != nil {
		lr.setRecips(lr)
	}
	lr.r = nil
	for j := range k {
		r := lr.l.newCoordinates()
		copy(r[atSlots:], lr.recips[slots*j:][:slots])
		r[atH] = lr.nonce(2 + k + j)
		lr.r = append(lr.r, r)
	}
}

func newWeights(l layout) (w weights) {
	w.cutVectors(round.NewMemory(), l)
	return w
}

// third makes S and Q from the other challenges; S cancels all terms that it
// can.
func (lr *liar) third() {
	g, l := lr.g, lr.l
	lr.wt.set(g, l, lr.st.Kind, &lr.ch)
	if lr.adjust != nil {
		lr.adjust(&lr.wt)
	}
	masks := lr.nonces[len(lr.nonces)-3:]
	st := masks[0]
	if lr.st.PublicType {
		st = group.Scalar{}
	}
	lr.s, lr.q = l.newCoordinates(), l.newCoordinates()
	lr.q[atG0], lr.q[atG1], lr.q[atH] = g.Mul(lr.wt.omegaSum, st), masks[1], masks[2]
	lr.s[atG0], lr.s[atH] = g.Mul(lr.wt.lambdaSum, st), lr.nonce(1)
	copy(lr.s[atSlots:], lr.nonces[2+2*l.blocks:][:slots])
	if lr.noMask >= 0 {
		lr.s[atSlots+lr.noMask] = group.Scalar{}
	}
	field := lr.field()
	for s := range l.errors() {
		lr.s[atErrors+s] = g.Neg(field[l.top-3+l.exponent(s)])
	}
	lr.s[atG1] = g.Mul(field[3*l.top-3], g.Inv(lr.wt.y))
}

// parts returns the part at each exponent of x in the main equation.
func (lr *liar) parts() []coordinates {
	l, g := lr.l, lr.g
	parts := make([]coordinates, l.top+1)
	for i := range parts {
		parts[i] = l.newCoordinates()
	}
	for a, c := range lr.tokens {
		u := lr.wt.ofToken(g, l, a)
		for i := range c {
			parts[0][i] = g.Add(parts[0][i], g.Mul(u, c[i]))
		}
	}
	for j := range l.blocks {
		parts[2+j] = lr.r[j]
		g.ScaleVec(parts[l.top-2-j], lr.d[j], lr.wt.theta[j])
	}
	parts[l.top-1], parts[l.top] = lr.m, lr.s
	return parts
}

// field returns the coefficients of
//
//	y·x^(K-3)·(Φ(x) - x^K·z_v(x)) + Σ x^(E-3)·l_slot(E)(x)
//
// which must be 0 for the verifier. Φ is computed by its definition.
func (lr *liar) field() []group.Scalar {
	g, l := lr.g, lr.l
	parts := lr.parts()
	field := make([]group.Scalar, 3*l.top+1)
	add := func(exponent int, v group.Scalar) { field[exponent] = g.Add(field[exponent], v) }
	forms := lr.forms()
	for i := range slots {
		factors := make([]group.Scalar, len(parts)) // μ·w + a
		for f, c := range parts {
			factors[f] = g.Mul(lr.wt.mu[i], c[atSlots+i])
			if form, ok := forms[f]; ok {
				factors[f] = g.Add(factors[f], form[i])
			}
		}
		for f, c := range parts {
			if v := g.Mul(lr.wt.y, c[atSlots+i]); v != (group.Scalar{}) {
				for f2 := range factors {
					add(l.top-3+f+f2, g.Mul(v, factors[f2]))
				}
			}
		}
	}
	for f, c := range parts {
		for s := range l.errors() {
			add(l.exponent(s)-3+f, c[atErrors+s])
		}
		add(2*l.top-3+f, g.Neg(g.Mul(lr.wt.y, c[atG1])))
	}
	public := g.Mul(lr.wt.beta, g.Uint64(lr.st.PublicValue))
	add(2*l.top-3, g.Mul(lr.wt.y, g.Sub(public, lr.wt.kappa)))
	return field
}

// forms returns the vectors a_F by exponent.
func (lr *liar) forms() map[int][]group.Scalar {
	g, l, w := lr.g, lr.l, &lr.wt
	forms := map[int][]group.Scalar{1: make([]group.Scalar, slots)}
	g.ScaleVec(forms[1], w.iota, g.Neg(w.zeta))
	for j := range l.blocks {
		sums, products := make([]group.Scalar, slots), make([]group.Scalar, slots)
		for i := range slots {
			if o, ok := l.output(j, i); ok {
				sums[i] = g.Mul(w.lambda[o], g.Uint64(1<<(4*(i%l.perOutput))))
			}
			products[i] = g.Add(w.zeta, g.Mul(g.Add(w.e, w.e), g.Mul(w.theta[j], w.mu[i])))
		}
		forms[2+j], forms[l.top-2-j] = sums, products
	}
	return forms
}

// at evaluates coordinates at x.
func (lr *liar) at(parts []coordinates, x group.Scalar) coordinates {
	g, total := lr.g, lr.l.newCoordinates()
	for f := len(parts) - 1; f >= 0; f-- {
		for i := range total {
			total[i] = g.Add(g.Mul(total[i], x), parts[f][i])
		}
	}
	return total
}

// respond returns the responses to x, and l₀ and z_t, which some proofs do not
// contain.
func (lr *liar) respond() (responses []group.Scalar, l0, zt group.Scalar) {
	g, l, x := lr.g, lr.l, lr.ch.x
	all := lr.at(lr.parts(), x)
	types := make([]coordinates, l.top+1)
	for i := range types {
		types[i] = l.newCoordinates()
	}
	for a, c := range lr.tokens {
		for i := range c {
			types[0][i] = g.Add(types[0][i], g.Mul(lr.wt.omega[a], c[i]))
		}
	}
	types[l.top] = lr.q
	ofType := lr.at(types, x)
	zv := g.Sub(all[atG1], g.Mul(lr.wt.beta, g.Uint64(lr.st.PublicValue)))
	zt = g.Mul(ofType[atG0], g.Inv(lr.wt.omegaSum))
	if lr.zt != nil {
		zt = lr.zt(g.Mul(all[atG0], g.Inv(lr.wt.lambdaSum)))
	}
	responses = append(responses, all[atSlots:atErrors]...)
	responses = append(responses, all[atErrors+1:atErrors+l.errors()]...)
	responses = append(responses, zv, all[atH])
	if !lr.st.PublicType {
		responses = append(responses, zt)
	}
	return append(responses, ofType[atG1], ofType[atH]), all[atErrors], zt
}

// commitments returns M, D, R, S, Q as points.
func (lr *liar) commitments() (points []group.CurvePoint) {
	all := append(append([]coordinates{lr.m}, lr.d...), lr.r...)
	for _, c := range append(all, lr.s, lr.q) {
		points = append(points, group.OnCurve(lr.point(c)))
	}
	return points
}

// prove makes the proof with the challenges of the transcript.
func (lr *liar) prove() (proof []byte, l0, zt group.Scalar) {
	g := lr.g
	lr.commitTokens()
	tr := new(transcript.Chain)
	lr.p.begin(tr, lr.st)
	proof = []byte{version}
	send := func(cs ...coordinates) (hashed []byte) {
		for _, c := range cs {
			sent := group.OnCurve(lr.point(c))
			absorbed := sent
			if lr.send != nil {
				sent, absorbed = lr.send(sent)
			}
			proof = group.AppendCurvePoint(g, proof, sent)
			hashed = group.AppendCurvePoint(g, hashed, absorbed)
		}
		return hashed
	}
	lr.first()
	lr.ch.afterDigits(g, tr, send(append([]coordinates{lr.m}, lr.d...)...))
	lr.second()
	lr.ch.afterReciprocals(g, tr, send(lr.r...))
	lr.third()
	lr.ch.afterMasks(g, tr, send(lr.s, lr.q))
	responses, l0, zt := lr.respond()
	for _, s := range responses {
		proof = g.AppendScalar(proof, s)
	}
	return proof, l0, zt
}

package bulletproof

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Prove implements rangeproof.System (specification, sections 7.1 and 7.3).
func (s *scheme) Prove(r round.Round, v group.Point, opening rangeproof.Witness,
	src nonce.Source) (rangeproof.Proof, error) {
	if !opening.InRange(s.N) {
		return nil, rangeproof.ErrWitness
	}
	m := round.NewMemory()
	defer m.Wipe()
	tr := s.transcripts.Get().(*transcript)
	defer s.transcripts.Put(tr)
	k, err := s.draw(m, src)
	if err != nil {
		return nil, err
	}
	pr := prover{scheme: s, m: m, tr: tr, k: k, p: s.newProof(r.Group)}
	return pr.run(r, v, opening)
}

// prover makes one proof.
type prover struct {
	*scheme
	m  *round.Memory
	tr *transcript
	k  nonces
	p  *Proof
}

// run makes the proof, in the order of the specification.
func (pr *prover) run(r round.Round, v group.Point, opening rangeproof.Witness) (rangeproof.Proof, error) {
	tr, p := pr.tr, pr.p
	if !r.Group.Equal(pr.commit(r.Phase("commit"), opening), v) {
		return nil, rangeproof.ErrWitness
	}
	y, z := challengeYZ(tr.V1, p.C, p.D, v)
	lr, primed := pr.polynomials(r.Phase("polynomials"), opening.Value, y, z)
	x := challengePair(tr.V1, p.T1, p.T2)
	pr.open(r.Group, lr, opening.Blinding, x, z)
	inner := r.Phase("inner product")
	pr.compress(inner, pr.statement(inner, primed, x, z), lr)
	return p, nil
}

// commit sets C and D (step 2), and returns v·g₁ + γ·h:
//
//	C = Σ aᵢ·Gᵢ + Σ (aᵢ-1)·Hᵢ + ρ·P,  D = Σ sLᵢ·Gᵢ + Σ sRᵢ·Hᵢ + η·P
//
// where bits choose all terms of C except the last.
func (pr *prover) commit(r round.Round, opening rangeproof.Witness) group.Point {
	g, tables := r.Group, pr.Tables()
	p, k := pr.p, pr.k
	sums := r.Fixed(tables.Points,
		valueRow(pr.m, g.Uint64(opening.Value), opening.Blinding),
		group.Row{First: atP, Scalars: k.rho},
		group.Row{Index: pr.ofD, Scalars: k.d})
	p.C, p.D = g.AddPoints(g.SumBits(tables.Bits, opening.Value), sums[1]), sums[2]
	return sums[0]
}

// polynomials computes the vector polynomials (step 4), sets Tᵢ = tᵢ·g₁ + τᵢ·h
// (step 5) and returns H′ᵢ = y⁻ⁱ·Hᵢ.
func (pr *prover) polynomials(r round.Round, value uint64, y, z group.Scalar) (lr vectors,
	primed []group.Point) {
	m, p, k := pr.m, pr.p, pr.k
	lr = pr.vectors(r, value, y, z)
	rows := append(m.Rows(pr.N + 2)[:0], valueRow(m, lr.t1, k.tau1), valueRow(m, lr.t2, k.tau2))
	sums := r.Fixed(pr.Table(), pr.appendPrimed(rows, lr.yInv)...)
	p.T1, p.T2, primed = sums[0], sums[1], m.Points(pr.N)
	copy(primed, sums[2:])
	return lr, primed
}

// open sets the opened values (step 7), and l and r to their values at x:
//
//	τ = x·τ₁ + x²·τ₂ + z²·γ,  δ = ρ + x·η,  t̂ = ⟨l(x), r(x)⟩
func (pr *prover) open(g group.Group, lr vectors, gamma, x, z group.Scalar) {
	p, k := pr.p, pr.k
	lr.evaluate(g, x)
	p.Tau = g.Mul(x, g.Add(k.tau1, g.Mul(x, k.tau2)))
	p.Tau = g.Add(p.Tau, g.Mul(g.Mul(z, z), gamma))
	p.Delta = g.Add(k.rho[0], g.Mul(x, k.d[0]))
	p.That = g.Inner(lr.l, lr.r)
}

// statement returns x₀, the challenge that binds K and t̂, the statement of the
// inner-product argument (step 8).
func (pr *prover) statement(r round.Round, primed []group.Point, x, z group.Scalar) (x0 group.Scalar) {
	m, p := pr.m, pr.p
	static := r.Fixed(pr.Table(), appendStatic(r.Group, m, m.Rows(3)[:0], p.Delta, z)...)
	K := r.Sums((&claim{p: p, x: x, z: z}).termsOfK(r.Group, m, primed, static))[0]
	return challengeX0(pr.tr, r.Group, primed, pr.static, K, p.That)
}

// compress makes the inner-product argument of l and r (section 7.3).
func (pr *prover) compress(r round.Round, x0 group.Scalar, lr vectors) {
	p, a := pr.p, pr.newArgument(pr.m, x0, lr)
	for j := range pr.rounds {
		r := r.Phase(roundPhase[j])
		left, right := a.rows(r.Group, j)
		sums := r.Fixed(pr.Table(), left, right)
		p.L[j], p.R[j] = sums[0], sums[1]
		x := challengePair(pr.tr.V1, p.L[j], p.R[j])
		a.fold(r.Group, j, x, r.Inverses(x)[0])
	}
	p.A, p.B = a.a[0], a.b[0]
}

// nonces are the nonces of a proof.
type nonces struct {
	rho        []group.Scalar // ρ alone
	d          []group.Scalar // η, sL₀ … , sR₀ …: the scalars of D
	sL, sR     []group.Scalar // of d
	tau1, tau2 group.Scalar
}

// draw draws the nonces, in the order ρ, η, sL₀, sR₀, sL₁, …, τ₁, τ₂.
func (s *scheme) draw(m *round.Memory, src nonce.Source) (nonces, error) {
	n, all := s.N, m.Scalars(2*s.N+4)
	err := src.Scalars(all)
	k := nonces{rho: all[:1], d: m.Scalars(2*n + 1), tau1: all[2*n+2], tau2: all[2*n+3]}
	k.sL, k.sR = k.d[1:1+n], k.d[1+n:]
	k.d[0] = all[1]
	for i := range n {
		k.sL[i], k.sR[i] = all[2+2*i], all[3+2*i]
	}
	return k, err
}

// valueRow is v·g₁ + b·h.
func valueRow(m *round.Memory, v, b group.Scalar) group.Row {
	by := m.Scalars(2)
	by[0], by[1] = v, b
	return group.Row{First: atG1, Scalars: by}
}

// vectors are l and r of the vector polynomials, first the parts without x and
// after evaluate at x:
//
//	lpᵢ = aᵢ - z,  rpᵢ = yⁱ(aᵢ - 1 + z),  spᵢ = yⁱ·sRᵢ,  zpᵢ = z²·2ⁱ
//	l(x) = lp + x·sL,  r(x) = rp + zp + x·sp
//	t₁ = ⟨lp, sp⟩ + ⟨rp + zp, sL⟩,  t₂ = ⟨sL, sp⟩
type vectors struct {
	l, r, sL, sp []group.Scalar
	yInv         []group.Scalar // y⁻ⁱ
	scratch      []group.Scalar
	t1, t2       group.Scalar
}

// vectors returns the vectors for a value with the challenges y and z.
func (pr *prover) vectors(r round.Round, value uint64, y, z group.Scalar) vectors {
	g, m := r.Group, pr.m
	k, n := pr.k, pr.N
	lr := vectors{
		l: m.Scalars(n), r: m.Scalars(n), sL: k.sL, sp: m.Scalars(n), yInv: m.Scalars(n),
		scratch: m.Scalars(n),
	}
	yPow, one := m.Scalars(n), g.Uint64(1)
	g.Powers(yPow, y)
	g.Powers(lr.yInv, r.Inverses(y)[0])
	ifSet := [2]group.Scalar{g.Sub(one, z), z}
	ifClear := [2]group.Scalar{g.Neg(z), g.Sub(z, one)}
	for i := range n {
		// Both are read for either bit; the choice is still a branch.
		of := ifClear
		if value>>i&1 == 1 {
			of = ifSet
		}
		lr.l[i], lr.r[i] = of[0], of[1]
	}
	g.MulVec(lr.r, lr.r, yPow)
	g.ScaleVec(lr.scratch, pr.Pow2, g.Mul(z, z))
	g.AddVec(lr.r, lr.r, lr.scratch)
	g.MulVec(lr.sp, yPow, k.sR)
	lr.t1 = g.Add(g.Inner(lr.l, lr.sp), g.Inner(lr.r, lr.sL))
	lr.t2 = g.Inner(lr.sL, lr.sp)
	return lr
}

// evaluate sets l and r to l(x) and r(x).
func (lr *vectors) evaluate(g group.Group, x group.Scalar) {
	g.ScaleVec(lr.scratch, lr.sL, x)
	g.AddVec(lr.l, lr.l, lr.scratch)
	g.ScaleVec(lr.scratch, lr.sp, x)
	g.AddVec(lr.r, lr.r, lr.scratch)
}

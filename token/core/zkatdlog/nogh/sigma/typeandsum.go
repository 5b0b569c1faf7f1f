package sigma

import (
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// TypeAndSumStatement is the public part of a transfer's proof, without CT,
// which travels in the proof.
type TypeAndSumStatement struct {
	Inputs, Outputs []group.Point
}

// TypeAndSumWitness opens the statement: the type t and the type blinding b
// with CT = t·g₀ + b·h, values and blindings of the inputs, blindings of the
// outputs.
type TypeAndSumWitness struct {
	Type, TypeBlinding              group.Scalar
	Values                          []group.Scalar // of the inputs
	InputBlindings, OutputBlindings []group.Scalar
}

// TypeAndSum proves that all inputs have the type committed to in CT and that
// the values of the inputs and outputs add up to the same, if outputs have
// that type too, which their range proofs show (specification, section 5).
//
//	public     g₀, g₁, h; In₀ … In₍m₋₁₎, Out₀ … Out₍o₋₁₎; CT
//	derived    in′ᵢ = Inᵢ - CT, out′ⱼ = Outⱼ - CT, S = Σ in′ᵢ - Σ out′ⱼ
//	secret     t, b with CT = t·g₀ + b·h;  vᵢ, rᵢ with in′ᵢ = vᵢ·g₁ + (rᵢ-b)·h;
//	           s = Σ(rᵢ-b) - Σ(r′ⱼ-b) with S = s·h
//	commit     A_type = k_t·g₀ + k_b·h;  A_inᵢ = k_vᵢ·g₁ + k_rᵢ·h;  A_sum = k_s·h
//	challenge  c = H(A_in, A_type, A_sum, in′, out′, CT, S)
//	respond    z_t, z_b, z_vᵢ, z_rᵢ, z_s;  z = c·secret + k
//	accept     H(z_vᵢ·g₁ + z_rᵢ·h - c·in′ᵢ, z_t·g₀ + z_b·h - c·CT, z_s·h - c·S, …) = c
type TypeAndSum struct {
	CT         group.Point
	ZR, ZV     []group.Scalar // one for each input
	ZT, ZB, ZS group.Scalar
	C          group.Scalar
}

// Derived holds the points that a statement and CT determine. Range proofs are
// about Out.
type Derived struct {
	Out  []group.Point // Outⱼ - CT
	open []group.Point // in′, CT, S: the points with openings that are proved
}

// Claim is a proof with the derived points of its statement.
type Claim struct {
	Derived
	Proof TypeAndSum
}

// NewClaim returns the claim that p proves st, in memory of m. Derive computes the
// derived points.
func NewClaim(m *round.Memory, st TypeAndSumStatement, p TypeAndSum) Claim {
	return Claim{st.underived(m, p.CT), p}
}

// Derive is a task that computes the derived points of claims.
func Derive(r round.Round, claims []Claim) {
	derivations.WaitAll(r, claims)
}

// underived returns the points that give the derived ones, in their
// places.
func (st TypeAndSumStatement) underived(m *round.Memory, ct group.Point) Derived {
	o, n := len(st.Outputs), len(st.Outputs)+len(st.Inputs)
	points := m.Points(n + 2)
	copy(points, st.Outputs)
	copy(points[o:], st.Inputs)
	points[n] = ct
	return Derived{Out: points[:o], open: points[o:]}
}

// derivations computes the derived points of many statements together.
var derivations = round.Work[Claim]{Do: func(g group.Group, _ executor.Executor, claims []Claim) []error {
	derive(g, claims...)
	return nil
}}

// derive subtracts the type's commitment from all tokens of the claims, and sets the last opened
// point of each to the difference of its sums. All claims share the subtractions and the sums.
func derive(g group.Group, ds ...Claim) {
	m := round.NewMemory()
	defer m.Wipe()
	n := 0
	for _, d := range ds {
		n += len(d.Out) + len(d.in())
	}
	points, cts := m.Points(n)[:0], m.Points(n)[:0]
	for _, d := range ds {
		points = append(append(points, d.Out...), d.in()...)
		for range len(d.Out) + len(d.in()) {
			cts = append(cts, d.ct())
		}
	}
	g.SubPointVec(points, points, cts)
	sides, sums := m.Terms(2*len(ds)), m.Points(2*len(ds))
	for i, d := range ds {
		points = points[copy(d.Out, points):]
		points = points[copy(d.in(), points):]
		sides[i].Plus, sides[len(ds)+i].Plus = d.in(), d.Out
	}
	g.MSMs(sums, sides)
	in, out := sums[:len(ds)], sums[len(ds):]
	g.SubPointVec(in, in, out)
	for i, d := range ds {
		d.open[len(d.open)-1] = in[i]
	}
}

// in returns in′, ct CT and s S.
func (d Derived) in() []group.Point { return d.open[:len(d.open)-2] }
func (d Derived) ct() group.Point   { return d.open[len(d.open)-2] }
func (d Derived) s() group.Point    { return d.open[len(d.open)-1] }

// typeAndSumChallenge computes c from the messages that it depends on.
// commitments are A_in₀ … A_in₍m₋₁₎, A_type, A_sum.
func typeAndSumChallenge(g group.Group, commitments []group.Point, d Derived) group.Scalar {
	tr := transcripts.Get().(*transcript.V1)
	defer transcripts.Put(tr)
	tr.Reset(g)
	tr.Points(commitments)
	tr.Points(d.in())
	tr.Points(d.Out)
	tr.Point(d.ct())
	tr.Point(d.s())
	return tr.Challenge()
}

// transcripts keep the buffer of a hash.
var transcripts = sync.Pool{New: func() any { return new(transcript.V1) }}

// ProveTypeAndSum returns a proof with CT = t·g₀ + b·h. Nonces are drawn in the
// order k_t, k_b, then k_vᵢ, k_rᵢ for each input, then k_s. ErrWitness if the
// numbers of secrets do not fit the statement, or the error of src. It does
// not check that the secrets open the statement: a proof with wrong ones is
// rejected by the verifier.
func ProveTypeAndSum(k *pedersen.Key, st TypeAndSumStatement, w TypeAndSumWitness,
	src nonce.Source) (TypeAndSum, error) {
	g, n := k.Group(), len(st.Inputs)
	if g == nil || n == 0 || len(w.Values) != n || len(w.InputBlindings) != n ||
		len(w.OutputBlindings) != len(st.Outputs) {
		return TypeAndSum{}, ErrWitness
	}
	m := round.NewMemory()
	defer m.Wipe()
	secrets := m.Scalars(2*n + 5)
	nonces, opening := secrets[:2*n+3], secrets[2*n+3:]
	if err := src.Scalars(nonces); err != nil {
		return TypeAndSum{}, err
	}
	kType, kIn, kSum := nonces[:2], nonces[2:2+2*n], nonces[2+2*n:]

	opening[0], opening[1] = w.Type, w.TypeBlinding
	points, rows := m.Points(n+3), commitmentRows(m.Rows(n + 3)[:0], kIn, kType, kSum)
	g.FixedMSM(points, k.Table(), append(rows, group.Row{Index: typeBases, Scalars: opening}))
	commitments, ct := points[:n+2], points[n+2]

	d := NewClaim(m, st, TypeAndSum{CT: ct})
	derive(g, d)
	c := typeAndSumChallenge(g, commitments, d.Derived)
	return respond(g, w, nonces, c, ct), nil
}

// typeBases are the places of g₀ and h in the table of a key.
var typeBases = []int32{pedersen.G0, pedersen.H}

// commitmentRows appends in₂ᵢ·g₁ + in₂ᵢ₊₁·h for each input, typ₀·g₀ + typ₁·h
// and sum₀·h.
func commitmentRows(rows []group.Row, in, typ, sum []group.Scalar) []group.Row {
	for i := 0; i < len(in); i += 2 {
		rows = append(rows, group.Row{First: pedersen.G1, Scalars: in[i : i+2]})
	}
	return append(rows, group.Row{Index: typeBases, Scalars: typ}, group.Row{First: pedersen.H, Scalars: sum})
}

// respond computes the responses; nonces are in the order of drawing.
func respond(g group.Group, w TypeAndSumWitness, nonces []group.Scalar, c group.Scalar,
	ct group.Point) TypeAndSum {
	m := len(w.Values)
	z := func(secret, nonce group.Scalar) group.Scalar { return g.Add(g.Mul(c, secret), nonce) }
	responses := make([]group.Scalar, 2*m)
	p := TypeAndSum{
		CT: ct, C: c, ZR: responses[:m], ZV: responses[m:],
		ZT: z(w.Type, nonces[0]), ZB: z(w.TypeBlinding, nonces[1]),
	}
	var s group.Scalar
	for i, r := range w.InputBlindings {
		r = g.Sub(r, w.TypeBlinding)
		p.ZV[i] = z(w.Values[i], nonces[2+2*i])
		p.ZR[i] = z(r, nonces[3+2*i])
		s = g.Add(s, r)
	}
	for _, r := range w.OutputBlindings {
		s = g.Sub(s, g.Sub(r, w.TypeBlinding))
	}
	p.ZS = z(s, nonces[2+2*m])
	return p
}

// VerifyTypeAndSum is a task that returns nil if all proofs are right, and otherwise an
// error for each claim: nil if its proof is right, ErrRejected if not.
func VerifyTypeAndSum(r round.Round, k *pedersen.Key, claims []Claim) []error {
	g, n := r.Group, 0
	var errs []error
	reject := func(i int) {
		if errs == nil {
			errs = make([]error, len(claims))
		}
		errs[i] = ErrRejected
	}
	for i, c := range claims {
		if g == nil || k.Group() == nil || !c.fits() || group.IsIdentity(c.ct()) {
			reject(i)
		} else {
			n += len(c.open)
		}
	}
	m := round.NewMemory()
	defer m.Wipe()
	rows, terms, fixed := m.Rows(n)[:0], m.Terms(n)[:0], m.Points(n)
	for i, c := range claims {
		if errs == nil || errs[i] == nil {
			in, typ, sum, minusC := c.responses(g, m)
			rows = commitmentRows(rows, in, typ, sum)
			for i := range c.open {
				terms = append(terms, group.Terms{Points: c.open[i : i+1], Scalars: minusC})
			}
		}
	}
	copy(fixed, r.Fixed(k.Table(), rows...))
	for i := range terms {
		terms[i].Plus = fixed[i : i+1]
	}
	commitments := r.Sums(terms...)
	for i, c := range claims {
		if errs == nil || errs[i] == nil {
			own := commitments[:len(c.open)]
			commitments = commitments[len(own):]
			if typeAndSumChallenge(g, own, c.Derived) != c.Proof.C {
				reject(i)
			}
		}
	}
	return errs
}

// responses returns the responses in the order of the rows, and -c.
func (c Claim) responses(g group.Group, m *round.Memory) (in, typ, sum, minusC []group.Scalar) {
	p, n := c.Proof, len(c.in())
	z := m.Scalars(2*n + 4)
	for i := range n {
		z[2*i], z[2*i+1] = p.ZV[i], p.ZR[i]
	}
	z[2*n], z[2*n+1] = p.ZT, p.ZB
	z[2*n+2], z[2*n+3] = p.ZS, g.Neg(p.C)
	return z[:2*n], z[2*n : 2*n+2], z[2*n+2 : 2*n+3], z[2*n+3:]
}

// fits reports whether there are as many responses as inputs, one or more.
func (c Claim) fits() bool {
	return len(c.open) > 2 && len(c.Proof.ZV) == len(c.in()) && len(c.Proof.ZR) == len(c.in())
}

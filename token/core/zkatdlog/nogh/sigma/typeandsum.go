package sigma

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
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

// derived holds the points that the statement and CT determine.
type derived struct {
	in, out []group.Point
	s       group.Point
	secret  []group.Point // in′, CT, S: the points with openings that are proved
}

func derive(g group.Group, st TypeAndSumStatement, ct group.Point) derived {
	o, n := len(st.Outputs), len(st.Outputs)+len(st.Inputs)
	points := make([]group.Point, 2*n+2)
	cts, points := points[:n], points[n:]
	for i := range cts {
		cts[i] = ct
	}
	copy(points, st.Outputs)
	copy(points[o:], st.Inputs)
	g.SubPointVec(points[:n], points[:n], cts)
	d := derived{out: points[:o], in: points[o:n], secret: points[o:]}
	d.s = g.SubPoints(g.Sum(d.in), g.Sum(d.out))
	points[n], points[n+1] = ct, d.s
	return d
}

// typeAndSumChallenge computes c from the messages that it depends on.
// commitments are A_in₀ … A_in₍m₋₁₎, A_type, A_sum.
func typeAndSumChallenge(g group.Group, commitments []group.Point, d derived, ct group.Point) group.Scalar {
	points := len(commitments) + len(d.in) + len(d.out) + 2
	tr := transcript.NewV1(g, points*(4+g.PointLen()))
	tr.Points(commitments)
	tr.Points(d.in)
	tr.Points(d.out)
	tr.Point(ct)
	tr.Point(d.s)
	return tr.Challenge()
}

// ProveTypeAndSum returns a proof with CT = t·g₀ + b·h. Nonces are drawn in the
// order k_t, k_b, then k_vᵢ, k_rᵢ for each input, then k_s. ErrWitness if the
// numbers of secrets do not fit the statement, or the error of src. It does
// not check that the secrets open the statement: a proof with wrong ones is
// rejected by the verifier.
func ProveTypeAndSum(k *pedersen.Key, st TypeAndSumStatement, w TypeAndSumWitness, src nonce.Source) (TypeAndSum, error) {
	g, m := k.Group(), len(st.Inputs)
	if g == nil || m == 0 || len(w.Values) != m || len(w.InputBlindings) != m || len(w.OutputBlindings) != len(st.Outputs) {
		return TypeAndSum{}, ErrWitness
	}
	nonces := make([]group.Scalar, 2*m+3)
	defer clear(nonces)
	if err := src.Scalars(nonces); err != nil {
		return TypeAndSum{}, err
	}
	kType, kIn, kSum := nonces[:2], nonces[2:2+2*m], nonces[2+2*m:]

	points := make([]group.Point, m+3)
	rows := inputRows(m, kIn)
	rows = append(rows,
		group.Row{Index: typeBases, Scalars: kType},
		group.Row{First: pedersen.H, Scalars: kSum},
		group.Row{Index: typeBases, Scalars: []group.Scalar{w.Type, w.TypeBlinding}})
	g.FixedMSM(points, k.Table(), rows)
	commitments, ct := points[:m+2], points[m+2]

	d := derive(g, st, ct)
	c := typeAndSumChallenge(g, commitments, d, ct)
	return respond(g, w, nonces, c, ct), nil
}

// typeBases are the places of g₀ and h in the table of a key.
var typeBases = []int32{pedersen.G0, pedersen.H}

// inputRows returns the rows s₂ᵢ·g₁ + s₂ᵢ₊₁·h for m inputs, with room for
// three more.
func inputRows(m int, s []group.Scalar) []group.Row {
	rows := make([]group.Row, m, m+3)
	for i := range rows {
		rows[i] = group.Row{First: pedersen.G1, Scalars: s[2*i : 2*i+2]}
	}
	return rows
}

// respond computes the responses; nonces are in the order of drawing.
func respond(g group.Group, w TypeAndSumWitness, nonces []group.Scalar, c group.Scalar, ct group.Point) TypeAndSum {
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

// VerifyTypeAndSum returns nil if p proves st, ErrRejected if not.
func VerifyTypeAndSum(k *pedersen.Key, st TypeAndSumStatement, p TypeAndSum) error {
	g, m := k.Group(), len(st.Inputs)
	if g == nil || m == 0 || len(p.ZV) != m || len(p.ZR) != m || g.IsIdentity(p.CT) {
		return ErrRejected
	}
	responses := make([]group.Scalar, 2*m+3)
	for i := range m {
		responses[2*i], responses[2*i+1] = p.ZV[i], p.ZR[i]
	}
	zType, zSum := responses[2*m:2*m+2], responses[2*m+2:]
	zType[0], zType[1], zSum[0] = p.ZT, p.ZB, p.ZS
	rows := append(inputRows(m, responses),
		group.Row{Index: typeBases, Scalars: zType},
		group.Row{First: pedersen.H, Scalars: zSum})
	commitments := make([]group.Point, m+2)
	g.FixedMSM(commitments, k.Table(), rows)

	d := derive(g, st, p.CT)
	g.SubPointVec(commitments, commitments, multiples(g, d.secret, responses[:1], p.C))
	if typeAndSumChallenge(g, commitments, d, p.CT) != p.C {
		return ErrRejected
	}
	return nil
}

// multiples returns c·P for each point; room holds c meanwhile.
func multiples(g group.Group, ps []group.Point, room []group.Scalar, c group.Scalar) []group.Point {
	room[0] = c
	rows := make([]group.Terms, len(ps))
	for i := range rows {
		rows[i] = group.Terms{Points: ps[i : i+1], Scalars: room}
	}
	dst := make([]group.Point, len(ps))
	g.MSMs(dst, rows)
	return dst
}

package sigma

import (
	"fmt"
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
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

// derive appends a check with the derived points of each item, all computed
// together.
func (ws *workspace) derive(g group.Group, items ...TypeAndSumItem) {
	first := len(ws.checks)
	for _, it := range items {
		st, ct := it.Statement, it.Proof.CT
		o, n := len(st.Outputs), len(st.Outputs)+len(st.Inputs)
		points := take(&ws.points, n+2)
		copy(points, st.Outputs)
		copy(points[o:], st.Inputs)
		points[n] = ct
		ws.checks = append(ws.checks, typeAndSumCheck{derived: derived{out: points[:o], in: points[o:n], secret: points[o:]}})
		for range n {
			ws.right = append(ws.right, ct)
		}
		ws.left = append(ws.left, points[:n]...)
	}
	g.SubPointVec(ws.left, ws.left, ws.right)
	differences, checks := ws.left, ws.checks[first:]
	for _, c := range checks {
		copy(c.out, differences)
		copy(c.in, differences[len(c.out):])
		differences = differences[len(c.out)+len(c.in):]
		ws.lists = append(ws.lists, c.in)
	}
	for _, c := range checks {
		ws.lists = append(ws.lists, c.out)
	}
	sums := take(&ws.points, len(ws.lists))
	g.Sums(sums, ws.lists)
	in, out := sums[:len(checks)], sums[len(checks):]
	g.SubPointVec(in, in, out)
	for i := range checks {
		c := &checks[i]
		c.s = in[i]
		c.secret[len(c.in)+1] = c.s
	}
}

// typeAndSumChallenge computes c from the messages that it depends on.
// commitments are A_in₀ … A_in₍m₋₁₎, A_type, A_sum.
func (ws *workspace) typeAndSumChallenge(g group.Group, commitments []group.Point, d derived, ct group.Point) group.Scalar {
	ws.tr.Reset(g)
	ws.tr.Points(commitments)
	ws.tr.Points(d.in)
	ws.tr.Points(d.out)
	ws.tr.Point(ct)
	ws.tr.Point(d.s)
	return ws.tr.Challenge()
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
	ws := workspaces.Get().(*workspace)
	defer ws.put()
	secrets := take(&ws.scalars, 2*m+5)
	nonces, opening := secrets[:2*m+3], secrets[2*m+3:]
	if err := src.Scalars(nonces); err != nil {
		return TypeAndSum{}, err
	}
	kType, kIn, kSum := nonces[:2], nonces[2:2+2*m], nonces[2+2*m:]

	opening[0], opening[1] = w.Type, w.TypeBlinding
	points := take(&ws.points, m+3)
	ws.askCommitments(kIn, kType, kSum)
	ws.rows = append(ws.rows, group.Row{Index: typeBases, Scalars: opening})
	g.FixedMSM(points, k.Table(), ws.rows)
	commitments, ct := points[:m+2], points[m+2]

	ws.derive(g, TypeAndSumItem{Statement: st, Proof: TypeAndSum{CT: ct}})
	c := ws.typeAndSumChallenge(g, commitments, ws.checks[0].derived, ct)
	return respond(g, w, nonces, c, ct), nil
}

// typeBases are the places of g₀ and h in the table of a key.
var typeBases = []int32{pedersen.G0, pedersen.H}

// askCommitments asks for in₂ᵢ·g₁ + in₂ᵢ₊₁·h for each input, typ₀·g₀ + typ₁·h
// and sum₀·h.
func (ws *workspace) askCommitments(in, typ, sum []group.Scalar) {
	for i := 0; i < len(in); i += 2 {
		ws.rows = append(ws.rows, group.Row{First: pedersen.G1, Scalars: in[i : i+2]})
	}
	ws.rows = append(ws.rows, group.Row{Index: typeBases, Scalars: typ}, group.Row{First: pedersen.H, Scalars: sum})
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

// TypeAndSumItem is a statement with its proof.
type TypeAndSumItem struct {
	Statement TypeAndSumStatement
	Proof     TypeAndSum
	// OutputsWithoutType are Outⱼ - CT, which VerifyTypeAndSums computes. The range
	// proofs of the outputs are about them.
	OutputsWithoutType []group.Point
}

// VerifyTypeAndSum returns nil if p proves st, ErrRejected if not.
func VerifyTypeAndSum(k *pedersen.Key, st TypeAndSumStatement, p TypeAndSum) error {
	if VerifyTypeAndSums(k, []TypeAndSumItem{{Statement: st, Proof: p}}) != 1 {
		return ErrRejected
	}
	return nil
}

// TypeAndSumCheck is a verification of one proof, of which the caller computes the
// sums over variable points. The zero value rejects.
type TypeAndSumCheck struct {
	ws   *workspace
	g    group.Group
	item TypeAndSumItem
}

// Format implements fmt.Formatter for every verb and writes no proof.
func (TypeAndSumCheck) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "check of a type-and-sum proof")
}

// BeginTypeAndSum begins a verification, or returns ErrRejected. The caller ends
// it.
func BeginTypeAndSum(k *pedersen.Key, it TypeAndSumItem) (TypeAndSumCheck, error) {
	if !it.wellFormed(k.Group()) {
		return TypeAndSumCheck{}, ErrRejected
	}
	ws := workspaces.Get().(*workspace)
	ws.derive(k.Group(), it)
	ws.add(k.Group(), it, &ws.checks[0])
	ws.addFixed(k)
	return TypeAndSumCheck{ws, k.Group(), it}, nil
}

// Terms are the sums that End needs.
func (c TypeAndSumCheck) Terms() []group.Terms {
	if c.ws == nil {
		return nil
	}
	return c.ws.multiples
}

// WithoutType returns Out - CT for each output.
func (c TypeAndSumCheck) WithoutType() []group.Point {
	if c.ws == nil {
		return nil
	}
	return c.ws.checks[0].out
}

// End ends the verification, given the sums: ErrRejected if the proof does not
// prove the statement. Terms and WithoutType are no longer valid.
func (c TypeAndSumCheck) End(sums []group.Point) error {
	if c.ws == nil {
		return ErrRejected
	}
	defer c.ws.put()
	if len(sums) != len(c.ws.multiples) || !c.ws.holds(c.g, 0, c.item, sums) {
		return ErrRejected
	}
	return nil
}

// VerifyTypeAndSums returns the index of the first item that VerifyTypeAndSum
// rejects, or their number. It computes the sums of all items together, and sets
// OutputsWithoutType of those that it accepts.
func VerifyTypeAndSums(k *pedersen.Key, items []TypeAndSumItem) int {
	well := 0
	for well < len(items) && items[well].wellFormed(k.Group()) {
		well++
	}
	if well == 0 {
		return 0
	}
	ws := workspaces.Get().(*workspace)
	defer ws.put()
	ws.derive(k.Group(), items[:well]...)
	for i, it := range items[:well] {
		ws.add(k.Group(), it, &ws.checks[i])
	}
	ws.addFixed(k)
	commitments := take(&ws.points, len(ws.multiples))
	k.Group().MSMs(commitments, ws.multiples)
	var room []group.Point
	for i, it := range items[:well] {
		if !ws.holds(k.Group(), i, it, commitments) {
			return i
		}
		room = append(slices.Grow(room, (well-i)*len(it.Statement.Outputs)), ws.checks[i].out...)
		items[i].OutputsWithoutType, room = room[:len(room):len(room)], room[len(room):]
	}
	return well
}

// holds reports whether the challenge of item i is the one that its commitments
// among all determine.
func (ws *workspace) holds(g group.Group, i int, it TypeAndSumItem, commitments []group.Point) bool {
	c := &ws.checks[i]
	own := commitments[c.first:][:len(it.Statement.Inputs)+2]
	return ws.typeAndSumChallenge(g, own, c.derived, it.Proof.CT) == it.Proof.C
}

// wellFormed reports whether the numbers of responses fit the statement.
func (it TypeAndSumItem) wellFormed(g group.Group) bool {
	p, m := it.Proof, len(it.Statement.Inputs)
	return !(g == nil || m == 0 || len(p.ZV) != m || len(p.ZR) != m || g.IsIdentity(p.CT))
}

// typeAndSumCheck is one item of a verification.
type typeAndSumCheck struct {
	derived
	first int // its commitments begin there
}

// add asks for the commitments of an item of a verification.
func (ws *workspace) add(g group.Group, it TypeAndSumItem, check *typeAndSumCheck) {
	p, m := it.Proof, len(it.Statement.Inputs)
	responses := take(&ws.scalars, 2*m+4)
	for i := range m {
		responses[2*i], responses[2*i+1] = p.ZV[i], p.ZR[i]
	}
	zType, zSum, c := responses[2*m:2*m+2], responses[2*m+2:2*m+3], responses[2*m+3:]
	zType[0], zType[1], zSum[0], c[0] = p.ZT, p.ZB, p.ZS, g.Neg(p.C)
	check.first = len(ws.rows)
	ws.askCommitments(responses[:2*m], zType, zSum)
	for i := range check.secret {
		ws.multiples = append(ws.multiples, group.Terms{Points: check.secret[i : i+1], Scalars: c})
	}
}

// addFixed adds the sums over the key to those over variable points.
func (ws *workspace) addFixed(k *pedersen.Key) {
	fixed := take(&ws.points, len(ws.rows))
	k.Group().FixedMSM(fixed, k.Table(), ws.rows)
	for i := range fixed {
		ws.multiples[i].Plus = fixed[i : i+1]
	}
}

package csp // scheme is private: the forger takes the steps of its prover

import (
	"crypto/rand"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// A forger is a prover that knows the code and deviates from the protocol in
// one step. The steps are the steps of Prove; a hook may change the result of a
// step before the transcript absorbs it.
type forger struct {
	*scheme
	g      group.Group
	value  group.Scalar // of the statement; w may contain another value
	guess  group.Scalar // guess of one challenge
	stuck  bool         // the required equation cannot be solved: try again
	m      *round.Memory
	k      nonces
	w, f   []group.Scalar
	tr     *transcript
	ch     challenges
	v      group.Point
	p      *Proof
	lambda group.Scalar // λ, then λ′, then the scalars of the folded vectors
	lagrange
	cf []group.Scalar // of the argument
}

// cheat is one strategy of a cheating prover.
type cheat struct {
	name  string
	early int // the challenge guessed in advance, or honestOrder
	// trueStatement: the value is in the range, and only the proof is wrong.
	trueStatement bool

	witness func(f *forger) // w is filled for the low bits of the value
	commit  func(f *forger) // Pc and A are made
	claim   func(f *forger) // u is made
	mask    func(f *forger) // Sc and σ are made
	round   func(f *forger, j int, m *message)
	folded  func(f *forger, j int)
}

// The challenges in the order of drawing.
const (
	honestOrder = iota - 1
	earlyE
	earlyEta
	earlyC
	earlyPhi
	earlyRho
	earlyC0
)

func call(hook func(*forger), f *forger) {
	if hook != nil {
		hook(f)
	}
}

// forge makes a proof for value·g₁ + blinding·h in the steps of Prove. It
// returns false if it got stuck.
func (c cheat) forge(t *testing.T, s *scheme, value, guess group.Scalar) (rangeproof.Item, bool) {
	m := round.NewMemory()
	defer m.Wipe()
	fresh := nonceList(t, s)
	k, err := s.draw(m, &fresh)
	require.NoError(t, err)
	g, tables := s.Group, s.Tables()
	f := &forger{scheme: s, g: g, value: value, guess: guess, m: m, k: k, tr: newTranscript(g),
		p: s.newProof(g)}
	f.lagrange, f.f = s.basis.newLagrange(m), m.Scalars(s.padded)
	f.w = s.witness(g, m, rangeproof.Witness{Value: low64(g, value), Blinding: random(t, g)}, k.a0)
	f.w[f.atG1()] = value
	f.v = group.FixedSum(g, tables.Points, f.atG1(), f.w[f.atG1():f.atH()+1]...)
	call(c.witness, f)
	f.p.A = group.FixedSum(g, tables.Points, f.atG1(), f.k.kappa...)
	f.p.Pc = group.FixedSum(g, tables.Points, 0, append(f.w[:f.atG1():f.atG1()], group.Scalar{}, f.k.r)...)
	call(c.commit, f)
	f.ch.e = f.tr.knowledge(s.header, f.v, f.p.A)
	g.FoldVec(f.p.Zeta[:], f.k.kappa, f.w[f.atG1():f.atH()+1], f.Ones[0], f.ch.e)
	f.ch.eta, f.ch.c = f.tr.commitment(f.p.Pc)
	f.basis.evaluate(g, &f.lagrange, f.ch.c)
	f.p.U = g.Inner(f.w[:f.N+1], f.mu)
	call(c.claim, f)
	f.ch.phi = f.tr.evaluation(f.p.U)
	f.lambda = f.form(g, f.f, &f.lagrange, f.ch, f.p.U)
	f.p.Sc = sumOf(g, tables, f.maskRow(m, f.k.s, f.ch.eta))
	f.p.Sigma = g.Inner(f.f[:f.width], f.k.s)
	call(c.mask, f)
	f.ch.rho = f.tr.mask(f.p.Sc, f.p.Sigma)
	f.maskWitness(g, f.w, f.k, f.ch)
	f.lambda = g.Add(f.lambda, g.Mul(f.ch.rho, f.p.Sigma))
	w := group.MSM(g, []group.Point{f.p.Pc, f.v, f.p.Sc}, []group.Scalar{f.Ones[0], f.ch.eta, f.ch.rho})
	f.argue(c, w)
	return rangeproof.Item{V: f.v, Proof: f.p}, !f.stuck
}

// nonceList returns random nonces of a proof.
func nonceList(t *testing.T, s *scheme) nonce.Fixed {
	k := make(nonce.Fixed, 4+s.width)
	require.NoError(t, group.Sample(s.Group, rand.Reader, k))
	return k
}

func sumOf(g group.Group, tables rangeproof.Tables, row group.Row) group.Point {
	var sum [1]group.Point
	g.FixedMSM(sum[:], tables.Points, []group.Row{row})
	return sum[0]
}

func (f *forger) argue(c cheat, w group.Point) {
	f.tr.argument(f.header, w, f.f, f.lambda)
	a := f.newArgument(f.m, f.w, f.f, f.ch.eta)
	f.cf = a.cf
	for j := range f.rounds {
		left, right := a.rows(f.g, j)
		m := a.message(f.g, j, []group.Point{sumOf(f.g, f.Tables(), left), sumOf(f.g, f.Tables(), right)})
		if c.round != nil {
			c.round(f, j, &m)
		}
		f.p.setMessage(j, m)
		x := f.tr.round(m)
		f.lambda = f.g.Add(f.g.Mul(x, f.g.Add(f.lambda, f.g.Mul(x, m.r))), m.l)
		a.fold(f.g, j, x)
		if c.folded != nil {
			c.folded(f, j)
		}
	}
}

// short returns ⟨f, w⟩ - λ for the current vectors, the error of the claim.
func (f *forger) short() group.Scalar {
	return f.g.Sub(f.g.Inner(f.f, f.w), f.lambda)
}

// rigged is a group where one challenge is known in advance: reduction
// number at of a hash.
type rigged struct {
	group.Group
	at, count int
	guess     group.Scalar
}

func (r *rigged) Reduce(b []byte) group.Scalar {
	s := r.Group.Reduce(b)
	if len(b) != 32 {
		return s
	}
	r.count++
	if r.count == r.at+1 {
		return r.guess
	}
	return s
}

// rig returns s with one challenge known in advance.
func rig(t *testing.T, s *scheme, at int) (*scheme, *rigged) {
	r := &rigged{Group: s.Group, at: at, guess: random(t, s.Group)}
	c := s.config
	c.Group = r
	known, err := New(c)
	require.NoError(t, err)
	rigged := known.(*scheme)
	rigged.Tables = s.Tables
	return rigged, r
}

// judge encodes a proof, decodes it and verifies the result.
func judge(s *scheme, it rangeproof.Item) error {
	p, err := rangeproof.Decode(s.Group, s, it.Proof.Append(nil))
	if err != nil {
		return err
	}
	return rangeproof.Verify(s.Group, s, []rangeproof.Item{{V: it.V, Proof: p}})
}

// sqrt returns a square root of s, or false.
func sqrt(g group.Group, s group.Scalar) (group.Scalar, bool) {
	root := new(big.Int).ModSqrt(new(big.Int).SetBytes(g.AppendScalar(nil, s)), g.Order())
	if root == nil {
		return group.Scalar{}, false
	}
	r, err := g.DecodeScalar(root.FillBytes(make([]byte, group.ScalarLen)))
	return r, err == nil
}

// low64 returns the low 64 bits of s.
func low64(g group.Group, s group.Scalar) uint64 {
	return new(big.Int).SetBytes(g.AppendScalar(nil, s)[group.ScalarLen-8:]).Uint64()
}

func random(t testing.TB, g group.Group) group.Scalar {
	t.Helper()
	var s [1]group.Scalar
	require.NoError(t, group.Sample(g, rand.Reader, s[:]))
	return s[0]
}

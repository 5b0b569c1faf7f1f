package csp

import (
	"crypto/rand"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// A forger is a prover that knows the code and deviates from the protocol in
// one step. The steps are the steps of Prove; a hook may change the result of a
// step before the transcript absorbs it.
type forger struct {
	*prover
	g     group.Group
	value group.Scalar // of the statement; w may contain another value
	guess group.Scalar // guess of one challenge
	stuck bool         // the required equation has no solution: try again
}

// cheat is one strategy of a cheating prover.
type cheat struct {
	name  string
	early int // the challenge that is guessed in advance, or honestOrder
	// trueStatement: the value is in the range, and only the proof is wrong.
	trueStatement bool

	witness func(f *forger) // w is filled for the low bits of the value
	commit  func(f *forger) // Pc and A are made
	claim   func(f *forger) // u is made
	mask    func(f *forger) // Sc and σ are made
	round   func(f *forger, j int, m *message)
	folded  func(f *forger, j int)
}

// The challenges in the order in which they are drawn.
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
func (c cheat) forge(t *testing.T, s *System, value, guess group.Scalar) (rangeproof.Item, bool) {
	ws := s.Shared.Take()
	defer s.Shared.Put(ws)
	g := s.Group
	require.NoError(t, group.Sample(g, rand.Reader, ws.nonces))
	f := &forger{g: g, value: value, guess: guess, prover: &prover{
		shared: s.Shared, workspace: ws, tables: s.Shared.Tables(), p: s.Shared.newProof(s.Group),
	}}
	f.prover.witness(g, rangeproof.Witness{Value: low64(g, value), Blinding: random(t, g)})
	f.w[f.atG1()] = value
	f.v = group.FixedSum(g, f.tables.Points, f.atG1(), f.w[f.atG1():f.atH()+1]...)
	call(c.witness, f)
	f.p.A = group.FixedSum(g, f.tables.Points, f.atG1(), f.kappa()...)
	f.p.Pc = group.FixedSum(g, f.tables.Points, 0, append(f.w[:f.atG1():f.atG1()], group.Scalar{}, f.r())...)
	call(c.commit, f)
	require.NoError(t, f.respond(g, nil))
	f.ch.eta, f.ch.c = f.tr.commitment(f.p.Pc)
	f.basis.evaluate(g, &f.lagrange, f.ch.c)
	f.p.U = g.Inner(f.w[:f.N+1], f.lagrange.mu)
	call(c.claim, f)
	f.ch.phi = f.tr.evaluation(f.p.U)
	f.lambda = f.form(g, f.f, &f.lagrange, f.ch, f.p.U)
	f.masked.lambda = f.lambda
	ask(g, f.prover, (*prover).askMask, func(pr *prover, sums *rangeproof.Lockstep) {
		pr.p.Sc, pr.scaledV = sums.Next(), sums.Next()
	})
	f.p.Sigma = g.Inner(f.f[:f.width], f.s())
	call(c.mask, f)
	f.applyMask(g)
	f.masked.w = g.MSM([]group.Point{f.p.Pc, f.v, f.p.Sc}, []group.Scalar{f.Ones[0], f.ch.eta, f.ch.rho})
	f.argue(c)
	return rangeproof.Item{V: f.v, Proof: f.p}, !f.stuck
}

// ask computes the sums of one step of one prover.
func ask(g group.Group, pr *prover, ask func(*prover, group.Group, *rangeproof.Lockstep), take func(*prover, *rangeproof.Lockstep)) {
	t := team{Table: pr.tables.Points}
	t.Join(*pr)
	_, err := t.Run(g, []step{{Ask: ask, Then: func(m *prover, _ group.Group, sums *rangeproof.Lockstep) error {
		take(m, sums)
		return nil
	}}})
	if err != nil {
		panic(err) // take does not fail
	}
	*pr = *t.Members[0]
}

func (f *forger) argue(c cheat) {
	f.tr.argument(f.header, f.masked.w, f.f, f.masked.lambda)
	f.cf[0] = f.Ones[0]
	for j := range f.rounds {
		var m message
		ask(f.g, f.prover,
			func(pr *prover, _ group.Group, sums *rangeproof.Lockstep) { pr.askCross(f.g, j, sums) },
			func(pr *prover, sums *rangeproof.Lockstep) { m = pr.takeCross(f.g, j, sums) })
		if c.round != nil {
			c.round(f, j, &m)
		}
		f.p.LeftC[j], f.p.RightC[j], f.p.Left[j], f.p.Right[j] = m.lc, m.rc, m.l, m.r
		x := f.tr.round(m)
		f.masked.lambda = f.g.Add(f.g.Mul(x, f.g.Add(f.masked.lambda, f.g.Mul(x, m.r))), m.l)
		f.fold(f.g, j, x)
		if c.folded != nil {
			c.folded(f, j)
		}
	}
}

// short returns ⟨f, w⟩ - λ for the current vectors, the error of the claim.
func (f *forger) short() group.Scalar {
	return f.g.Sub(f.g.Inner(f.f, f.w), f.masked.lambda)
}

// rigged is a group in which one challenge is known in advance: reduction
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
func rig(t *testing.T, s *System, at int) (*System, *rigged) {
	r := &rigged{Group: s.Group, at: at, guess: random(t, s.Group)}
	c := s.Shared.config
	c.Group = r
	known, err := New(c)
	require.NoError(t, err)
	known.Shared.Tables = s.Shared.Tables
	return known, r
}

// judge encodes a proof, decodes it and verifies the result.
func judge(s *System, it rangeproof.Item) error {
	p, err := s.Decode(it.Proof.Append(nil))
	if err != nil {
		return err
	}
	return s.Verify([]rangeproof.Item{{V: it.V, Proof: p}})
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

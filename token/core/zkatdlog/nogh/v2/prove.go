package v2

import (
	"crypto/rand"
	"io"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// Prove is the task prove alone.
func (p *Params) Prove(st *Statement, w *Witness, random io.Reader) (proof []byte, err error) {
	err = round.Run(p.group, func(r round.Round) (err error) {
		proof, err = p.prove(r, st, w, random)
		return err
	})
	return proof, err
}

// prove is a task that returns a proof of st with the witness w; the caller must have checked
// the openings of inputs. A seed of 32 bytes is read from random; nil means
// crypto/rand. Errors are ErrStatement, ErrWitness, group.ErrRandom, and
// ErrExceptional with probability below 2⁻²⁴⁸. With an error, prove returns no
// bytes.
func (p *Params) prove(r round.Round, st *Statement, w *Witness, random io.Reader) ([]byte, error) {
	if err := p.check(st); err != nil {
		return nil, err
	}
	if err := p.checkWitness(st, w); err != nil {
		return nil, err
	}
	if random == nil {
		random = rand.Reader
	}
	pr := p.spaces.provers.take()
	defer p.spaces.putProver(pr)
	pr.begin(p, st, w)
	state := pr.tr.State()
	if err := pr.hedge.Seed(p.group, random, state[:], pr.secrets...); err != nil {
		return nil, err
	}
	pr.stream.Start(&pr.hedge, "zkatdlog-nogh-v2", 0)
	pr.stream.Fill(pr.nonces.all)
	return pr.run(r)
}

// prover is the state of one proof. Its steps are in the order of section 6;
// each uses the challenge of the previous step.
type prover struct {
	params *Params
	g      group.Group
	st     *Statement
	w      *Witness
	layout layout
	tr     transcript.Chain
	ch     challenges
	wt     weights

	m       *round.Memory  // of all vectors
	secrets []group.Scalar // t, v₁, r₁, v₂, r₂, …
	hedge   nonce.Hedge
	stream  nonce.Stream
	nonces  named
	vectors []group.Scalar // vectors in slots by exponent, 2 … K
	errors  []group.Scalar // ℓ by slot
	sv      group.Scalar   // s_v
	x       []group.Scalar // x⁰ … xᴷ

	digits []uint8       // 16 for each block
	counts [slots]uint16 // multiplicities
	points []group.Point // in the order of messages
	out    []byte        // the proof

	// Memory of one call, without secrets.
	digitRows [][]uint8
	index     []int32
}

// run is a task that makes the proof from statement, witness and nonces.
func (pr *prover) run(r round.Round) ([]byte, error) {
	g, l := pr.g, pr.layout
	pr.out = append(make([]byte, 0, l.proofLen(g)), version)
	if err := pr.proveDigits(r); err != nil {
		return nil, err
	}
	pr.proveReciprocals(r)
	if err := pr.proveErrors(r); err != nil {
		return nil, err
	}
	for _, s := range pr.respond() {
		pr.out = g.AppendScalar(pr.out, s)
	}
	return pr.out, nil
}

// proveDigits is step 3: M, D₁ … D_k and e.
func (pr *prover) proveDigits(r round.Round) error {
	g, ch := pr.g, &pr.ch
	pr.setDigits()
	pr.commitDigits(r)
	ch.afterDigits(g, &pr.tr, pr.send(digitStep))
	if exceptionalPole(g, ch.e) {
		return ErrExceptional
	}
	return nil
}

// proveReciprocals is step 4: R₁ … R_k; χ, ζ, λ, y, ω and the weights made of them.
func (pr *prover) proveReciprocals(r round.Round) {
	g, l := pr.g, pr.layout
	ch, st := &pr.ch, pr.st
	pr.setReciprocals()
	pr.commitReciprocals(r)
	ch.afterReciprocals(g, &pr.tr, pr.send(reciprocalStep))
	pr.wt.set(g, l, st.Kind, ch)
}

// proveErrors is steps 5 and 6: S, Q and x.
func (pr *prover) proveErrors(r round.Round) error {
	g, ch := pr.g, &pr.ch
	pr.setErrors()
	pr.commitMasks(r)
	ch.afterMasks(g, &pr.tr, pr.send(maskStep))
	if ch.exceptional(g) {
		return ErrExceptional
	}
	return nil
}

// send appends the points of a step to the proof and returns their encoding.
func (pr *prover) send(s step) []byte {
	start := len(pr.out)
	first, count := pr.layout.span(s)
	pr.out = pr.g.AppendPoints(pr.out, nil, pr.points[first:first+count])
	return pr.out[start:]
}

// begin stores statement and witness, and absorbs the statement.
func (pr *prover) begin(p *Params, st *Statement, w *Witness) {
	l, m := p.layoutOf(st), round.NewMemory()
	pr.params, pr.g, pr.st = p, p.group, st
	pr.w, pr.layout, pr.m = w, l, m
	p.begin(&pr.tr, st)
	pr.secrets = w.appendSecrets(m.Scalars(1 + 2*l.tokens())[:0], p.group)
	pr.nonces = named{l, nonceParts, m.Scalars(l.scalars(nonceParts))}
}

// appendSecrets appends t, v₁, r₁, v₂, r₂, ….
func (w *Witness) appendSecrets(secrets []group.Scalar, g group.Group) []group.Scalar {
	secrets = append(secrets, w.Type)
	for _, openings := range [...][]Opening{w.Inputs, w.Outputs} {
		for _, o := range openings {
			secrets = append(secrets, g.Uint64(o.Value), o.Blinding)
		}
	}
	return secrets
}

// value and blinding return the secrets of token a + 1.
func (pr *prover) value(a int) group.Scalar    { return pr.secrets[1+2*a] }
func (pr *prover) blinding(a int) group.Scalar { return pr.secrets[2+2*a] }

// wipe clears everything that depends on the witness or on nonces.
func (pr *prover) wipe() {
	pr.m.Wipe()
	clear(pr.digitRows)
	*pr = prover{tr: pr.tr, digitRows: pr.digitRows, index: pr.index}
}

// vector returns the vector in slots at an exponent of x, 2 … K.
func (pr *prover) vector(exponent int) []group.Scalar {
	return pr.vectors[slots*(exponent-2):][:slots]
}

// table returns the table of the generators of the proof.
func (pr *prover) table() group.Table { return pr.params.table(pr.layout.generators()) }

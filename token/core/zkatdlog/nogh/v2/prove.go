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
	pr := p.spaces.prover()
	defer p.spaces.putProver(pr)
	pr.begin(p, st, w)
	state := pr.tr.State()
	hedge, err := nonce.NewHedge(p.group, random, state[:], pr.secrets...)
	if err != nil {
		return nil, err
	}
	hedge.Stream("zkatdlog-nogh-v2", 0).Fill(pr.nonces.drawn)
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
	nonces  nonces
	vectors []group.Scalar // vectors in slots by exponent, 2 … K
	errors  []group.Scalar // ℓ by slot
	sv      group.Scalar   // s_v
	x       []group.Scalar // x⁰ … xᴷ

	digits []uint8       // 16 for each block
	counts [slots]uint16 // multiplicities
	points []group.Point // M, D₁ … D_k, R₁ … R_k, S, Q
	out    []byte        // the proof

	// Memory of one call, without secrets.
	digitRows [][]uint8
	index     []int32
}

// run is a task that makes the proof from statement, witness and nonces.
func (pr *prover) run(r round.Round) ([]byte, error) {
	g, l, st := pr.g, pr.layout, pr.st
	pr.out = append(make([]byte, 0, l.proofLen(g, st.PublicType)), version)
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
	g, l, ch := pr.g, pr.layout, &pr.ch
	pr.setDigits()
	pr.commitDigits(r)
	ch.afterDigits(g, &pr.tr, pr.send(atM, 1+l.blocks))
	if exceptionalPole(g, ch.e) {
		return ErrExceptional
	}
	return nil
}

// proveReciprocals is step 4: R₁ … R_k; χ, ζ, λ, y, ω and the weights made of them.
func (pr *prover) proveReciprocals(r round.Round) {
	g, l, ch, st := pr.g, pr.layout, &pr.ch, pr.st
	pr.setReciprocals()
	pr.commitReciprocals(r)
	ch.afterReciprocals(g, &pr.tr, pr.send(l.atR(0), l.blocks))
	pr.wt.set(g, l, st.Kind, ch)
}

// proveErrors is steps 5 and 6: S, Q and x.
func (pr *prover) proveErrors(r round.Round) error {
	g, l, ch := pr.g, pr.layout, &pr.ch
	pr.setErrors()
	pr.commitMasks(r)
	ch.afterMasks(g, &pr.tr, pr.send(l.atS(), 2))
	if ch.exceptional(g) {
		return ErrExceptional
	}
	return nil
}

// send appends points to the proof and returns their encoding.
func (pr *prover) send(first, count int) []byte {
	start := len(pr.out)
	pr.out = pr.g.AppendPoints(pr.out, nil, pr.points[first:first+count])
	return pr.out[start:]
}

// begin stores statement and witness, and absorbs the statement.
func (pr *prover) begin(p *Params, st *Statement, w *Witness) {
	l, m := p.layoutOf(len(st.Inputs), len(st.Outputs)), round.NewMemory()
	pr.params, pr.g, pr.st, pr.w, pr.layout, pr.m = p, p.group, st, w, l, m
	p.begin(&pr.tr, st)
	pr.secrets = w.appendSecrets(m.Scalars(1 + 2*l.tokens())[:0], p.group)
	pr.nonces = nonces{l, m.Scalars(l.nonces())}
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

// nonces are the nonces of a proof, by name (section 6, step 2).
type nonces struct {
	layout
	drawn []group.Scalar // in the order of drawing
}

func (n nonces) rhoM() group.Scalar            { return n.drawn[0] }
func (n nonces) rhoS() group.Scalar            { return n.drawn[1] }
func (n nonces) rhoD(block int) group.Scalar   { return n.drawn[2+block] }
func (n nonces) rhoR(block int) group.Scalar   { return n.drawn[2+n.blocks+block] }
func (n nonces) mask() []group.Scalar          { return n.drawn[2+2*n.blocks:][:slots] }
func (n nonces) eta(exponent int) group.Scalar { return n.etas()[n.slot(exponent)-1] }

// etas returns η_E for the slots of errors from 1 on, and last for 2K, which counts as
// the slot after them.
func (n nonces) etas() []group.Scalar { return n.drawn[2+2*n.blocks+slots:][:n.errors()] }

// ofType returns s_t, k_v, k_r.
func (n nonces) ofType() (st, kv, kr group.Scalar) {
	last := n.drawn[len(n.drawn)-3:]
	return last[0], last[1], last[2]
}

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

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
	if err := hedge.Stream("zkatdlog-nogh-v2", 0).Scalars(pr.nonces); err != nil {
		return nil, err
	}
	return pr.run(r)
}

// prover is the state of one proof. Its steps are in the order of section 6;
// each uses the challenge of the previous step.
type prover struct {
	params *Params
	st     *Statement
	w      *Witness
	layout layout
	tr     transcript.Chain
	ch     challenges
	wt     weights

	memo      []group.Scalar // memory of all vectors of scalars
	secrets   []group.Scalar // t, v₁, r₁, v₂, r₂, …
	nonces    []group.Scalar // in the order of drawing
	vectors   []group.Scalar // vectors in slots by exponent, 2 … K
	forms     []group.Scalar // b_F by exponent, K … 1
	phi       []group.Scalar // coefficients of Φ, 0 … 2K
	errors    []group.Scalar // ℓ by slot
	row       []group.Scalar // scalars of the rows of one call
	responses []group.Scalar // as on the wire
	x         []group.Scalar // x⁰ … xᴷ
	sv        group.Scalar   // s_v

	digits []uint8  // 16 for each block
	counts []uint16 // multiplicities
	nibble []uint8  // nibbles of the multiplicities, all lowest nibbles first

	points    []group.Point // M, D₁ … D_k, R₁ … R_k, S, Q
	rows      []group.Row
	digitRows [][]uint8
	index     []int32
	out       []byte // the proof
}

// run is a task that makes the proof from statement, witness and nonces.
func (pr *prover) run(r round.Round) ([]byte, error) {
	g, l, n := pr.params.group, pr.layout, pr.params.group.PointLen()
	pr.out = append(make([]byte, 0, l.proofLen(g, pr.st.PublicType)), version)
	absorb := func(first, count int) []byte {
		at := len(pr.out)
		pr.out = g.AppendPoints(pr.out, nil, pr.points[first:first+count])
		return pr.out[at : at+count*n]
	}
	pr.setDigits()
	pr.commitDigits(r)
	pr.ch.afterDigits(g, &pr.tr, absorb(atM, 1+l.blocks))
	if exceptionalPole(g, pr.ch.e) {
		return nil, ErrExceptional
	}
	pr.setReciprocals()
	pr.commitReciprocals(r)
	pr.ch.afterReciprocals(g, &pr.tr, absorb(l.atR(0), l.blocks))
	pr.wt.set(g, l, pr.st.Kind, &pr.ch)
	pr.setErrors()
	pr.commitMasks(r)
	pr.ch.afterMasks(g, &pr.tr, absorb(l.atS(), 2))
	if pr.ch.exceptional(g) {
		return nil, ErrExceptional
	}
	pr.respond()
	for _, s := range pr.responses {
		pr.out = g.AppendScalar(pr.out, s)
	}
	out := pr.out
	pr.out = nil
	return out, nil
}

// begin stores statement and witness, and absorbs the statement.
func (pr *prover) begin(p *Params, st *Statement, w *Witness) {
	pr.params, pr.st, pr.w = p, st, w
	pr.layout = p.layoutOf(len(st.Inputs), len(st.Outputs))
	pr.cutVectors()
	p.begin(&pr.tr, st)
	g := p.group
	pr.secrets[0] = w.Type
	for a := range pr.layout.tokens() {
		o := pr.opening(a)
		pr.secrets[1+2*a], pr.secrets[2+2*a] = g.Uint64(o.Value), o.Blinding
	}
}

// opening returns the opening of token a + 1.
func (pr *prover) opening(a int) *Opening {
	if a < pr.layout.inputs {
		return &pr.w.Inputs[a]
	}
	return &pr.w.Outputs[a-pr.layout.inputs]
}

// value and blinding return the secrets of token a + 1.
func (pr *prover) value(a int) group.Scalar    { return pr.secrets[1+2*a] }
func (pr *prover) blinding(a int) group.Scalar { return pr.secrets[2+2*a] }

// The nonces by name, in the order of drawing (section 6, step 2).

func (pr *prover) rhoM() *group.Scalar           { return &pr.nonces[0] }
func (pr *prover) rhoS() *group.Scalar           { return &pr.nonces[1] }
func (pr *prover) rhoD(block int) *group.Scalar  { return &pr.nonces[2+block] }
func (pr *prover) rhoR(block int) *group.Scalar  { return &pr.nonces[2+pr.layout.blocks+block] }
func (pr *prover) mask() []group.Scalar          { return pr.nonces[2+2*pr.layout.blocks:][:slots] }
func (pr *prover) eta(exponent int) group.Scalar { return *pr.etaOf(pr.layout.slot(exponent)) }

// etaOf returns η_E for the exponent E of a slot of errors, or for 2K, which
// counts as the slot after the last one.
func (pr *prover) etaOf(slot int) *group.Scalar {
	return &pr.nonces[2+2*pr.layout.blocks+slots+slot-1]
}

// typeMasks returns s_t, k_v, k_r.
func (pr *prover) typeMasks() []group.Scalar { return pr.nonces[len(pr.nonces)-3:] }

// cutVectors divides one block of memory into all vectors of scalars, so that wiping
// covers all of them.
func (pr *prover) cutVectors() {
	l := pr.layout
	k, errors := l.blocks, l.errors()
	responses := l.responses(pr.st.PublicType)
	rowLen := max(errors+1+2*k, (slots+1)*k, atErrors+errors+atSlots)
	total := 1 + 2*l.tokens() + l.nonces() + slots*(l.top-1) + slots*l.top + 2*l.top + 1 + errors + rowLen +
		responses + l.top + 1 + pr.wt.size(l)
	pr.memo = resize(pr.memo, total)
	rest := pr.memo
	cut := func(n int) (v []group.Scalar) {
		v, rest = rest[:n:n], rest[n:]
		return v
	}
	pr.secrets, pr.nonces = cut(1+2*l.tokens()), cut(l.nonces())
	pr.vectors, pr.forms = cut(slots*(l.top-1)), cut(slots*l.top)
	pr.phi, pr.errors, pr.row = cut(2*l.top+1), cut(errors), cut(rowLen)
	pr.responses, pr.x = cut(responses), cut(l.top+1)
	pr.wt.cutVectors(cut, k, l.outputs, l.tokens())

	pr.digits, pr.counts = resize(pr.digits, slots*k), resize(pr.counts, slots)
	pr.nibble = resize(pr.nibble, slots*nibbles(k))
	pr.points = resize(pr.points, l.points())
	pr.rows, pr.digitRows, pr.index = resize(pr.rows, k+1), resize(pr.digitRows, k+1), resize(pr.index, errors+2)
}

// nibbles is the number of nibbles of a multiplicity, which is at most 16k.
func nibbles(blocks int) int {
	if blocks < MaxBlocks {
		return 2
	}
	return 3
}

// wipe clears everything that depends on the witness or on nonces.
func (pr *prover) wipe() {
	clear(pr.memo[:cap(pr.memo)])
	clear(pr.digits[:cap(pr.digits)])
	clear(pr.counts[:cap(pr.counts)])
	clear(pr.nibble[:cap(pr.nibble)])
	clear(pr.points[:cap(pr.points)])
	wt := &pr.wt
	*wt = weights{}
	pr.sv, pr.ch = group.Scalar{}, challenges{}
	pr.params, pr.st, pr.w, pr.out = nil, nil, nil, nil
	clear(pr.rows)
}

// vector returns the vector in slots at an exponent of x, 2 … K.
func (pr *prover) vector(exponent int) []group.Scalar {
	return pr.vectors[slots*(exponent-2):][:slots]
}

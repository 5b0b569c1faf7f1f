package transfer

import (
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// Reasons for which a transfer cannot be made.
var (
	ErrNothing = errors.New("transfer has no inputs or no outputs")
	ErrTypes   = errors.New("inputs have more than one type")
	ErrSum     = errors.New("inputs and outputs do not add up to the same")
	ErrValue   = errors.New("value is outside the range of the public parameters")
	ErrWitness = errors.New("witness was prepared under other public parameters")
)

// Spend is a token to spend, with its opening.
type Spend struct {
	ID      token.ID
	Token   token.Token
	Opening token.Opening
	Upgrade *Upgrade
}

// Receive is a token to create. Without Owner it is redeemed.
type Receive struct {
	Owner []byte
	Value uint64
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Receive) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "output of a transfer") }

// Sender makes transfers under one set of parameters.
type Sender struct {
	Params   *params.Params
	Executor executor.Executor // of the range proofs; nil means executor.Serial
	Random   io.Reader         // a seed of 32 bytes is read for each transfer; nil means crypto/rand
}

// Transfer spends the tokens in protocol v1. It returns the action with its proof, and the
// openings of the outputs for their receivers. Errors are the ones above,
// pedersen.ErrOpening if an opening does not belong to its token, or
// group.ErrRandom.
func (s Sender) Transfer(spends []Spend, receives []Receive) (*Action, []token.Opening, error) {
	w, err := s.Prepare(spends, receives)
	if err != nil {
		return nil, nil, err
	}
	a, openings := s.action(w, spends, receives, false)
	if a.Proof, err = s.Prove(w); err != nil {
		return nil, nil, err
	}
	return a, openings, nil
}

// action returns the action of a witness, without its proof, and the openings of its
// outputs. marked says whether tokens are marked (proof.Format).
func (s Sender) action(w *Witness, spends []Spend, receives []Receive, marked bool) (*Action, []token.Opening) {
	a := &Action{Inputs: make([]Input, len(spends)), Outputs: make([]token.Token, len(receives))}
	for i, in := range spends {
		a.Inputs[i] = Input{ID: in.ID, Token: in.Token, Upgrade: in.Upgrade}
	}
	openings := make([]token.Opening, len(receives))
	for j, out := range receives {
		a.Outputs[j] = token.Token{Owner: out.Owner, Data: w.out.Points[j], V2: marked}
		openings[j] = token.Opening{Type: w.typ, Value: s.Params.Group().Uint64(out.Value), Blinding: w.out.Blindings[j]}
	}
	return a, openings
}

// Witness is the input of the proof of one transfer. It already contains the
// commitments and blinding factors of the outputs. It is valid only for the
// parameters that it was prepared under: a proof with its nonces under other
// parameters would reveal its secrets.
type Witness struct {
	params    [32]byte // the digest
	typ       string
	secrets   []group.Scalar // the type, all values, all blinding factors
	inputs    []group.Point
	amounts   []uint64       // of the inputs and outputs
	values    []group.Scalar // the same
	blindings []group.Scalar // of the inputs and outputs
	out       proof.Outputs
	hedge     nonce.Hedge
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Witness) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "transfer witness") }

func (w *Witness) typeScalar() group.Scalar { return w.secrets[0] }

// Outputs returns the commitments to the outputs.
func (w *Witness) Outputs() []group.Point { return w.out.Points }

// Prepare is the first half of Transfer: it checks the openings and sums, and
// commits to the outputs.
func (s Sender) Prepare(spends []Spend, receives []Receive) (*Witness, error) {
	w := new(Witness)
	if err := s.prepare(w, spends, receives, 0); err != nil {
		return nil, err
	}
	return w, nil
}

// prepare sets w as Prepare does, with an additional value redeemed in the clear.
func (s Sender) prepare(w *Witness, spends []Spend, receives []Receive, redeem uint64) error {
	if len(spends) == 0 || len(receives) == 0 {
		return ErrNothing
	}
	if err := s.Params.Check(); err != nil {
		return err
	}
	p, g := s.Params, s.Params.Group()
	tokens := len(spends) + len(receives)
	w.params, w.typ = p.Digest(), spends[0].Opening.Type
	w.secrets = make([]group.Scalar, 1+2*tokens)
	w.secrets[0] = token.TypeScalar(g, w.typ)
	w.values, w.blindings = w.secrets[1:1+tokens], w.secrets[1+tokens:]
	w.amounts = make([]uint64, tokens)
	w.out.Values = w.amounts[len(spends):]
	total, err := w.spend(p, spends)
	if err != nil {
		return err
	}
	for j, out := range receives {
		if out.Value > p.MaxValue() {
			return fmt.Errorf("output %d: %w", j, ErrValue)
		}
		w.out.Values[j], w.values[len(spends)+j] = out.Value, g.Uint64(out.Value)
	}
	if !addsUpTo(w.out.Values, redeem, total) {
		return ErrSum
	}
	return s.commit(w, spends, receives)
}

// total is a sum of up to 2⁶⁴ values of 64 bits.
type total struct{ high, low uint64 }

func (t *total) add(v uint64) {
	var carry uint64
	t.low, carry = bits.Add64(t.low, v, 0)
	t.high += carry
}

func addsUpTo(values []uint64, redeem uint64, want total) bool {
	sum := total{low: redeem}
	for _, v := range values {
		sum.add(v)
	}
	return sum == want
}

// spend checks the types and values of the inputs and returns their total.
func (w *Witness) spend(p *params.Params, spends []Spend) (sum total, err error) {
	g := p.Group()
	for i, in := range spends {
		if in.Opening.Type != w.typ {
			return sum, ErrTypes
		}
		v, err := in.Opening.Uint64(g)
		if err != nil || v > p.MaxValue() {
			return sum, fmt.Errorf("input %d: %w", i, ErrValue)
		}
		sum.add(v)
		w.amounts[i], w.values[i], w.blindings[i] = v, in.Opening.Value, in.Opening.Blinding
	}
	return sum, nil
}

// ownerHint is the memory to reserve for each owner and its metadata.
const ownerHint = 1 << 10

// commit draws the blinding factors of the outputs, commits to all tokens and
// checks the commitments of the inputs.
func (s Sender) commit(w *Witness, spends []Spend, receives []Receive) error {
	p, g, n := s.Params, s.Params.Group(), len(spends)
	public := make([]byte, 0, n*g.PointLen()+len(receives)*ownerHint)
	for _, in := range spends {
		public = g.AppendPoint(public, in.Token.Data)
	}
	for _, out := range receives {
		public = proof.AppendPart(public, out.Owner)
	}
	w.out.Blindings = w.blindings[n:]
	known := w.secrets[:len(w.secrets)-len(receives)]
	if err := proof.SeedHedge(&w.hedge, p, s.Random, public, known...); err != nil {
		return err
	}
	w.hedge.Stream("output", 0).Fill(w.out.Blindings)
	points := p.Pedersen().CommitValues(w.typeScalar(), w.values, w.blindings)
	for i, c := range points[:n] {
		if !g.Equal(c, spends[i].Token.Data) {
			return fmt.Errorf("input %d: %w", i, pedersen.ErrOpening)
		}
	}
	w.inputs, w.out.Points = points[:n], points[n:]
	return nil
}

// Prove is the second half of Transfer: it makes both parts of the proof and
// joins them in their container. The same witness gives the same proof. The
// error is ErrWitness if w was prepared under other parameters.
func (s Sender) Prove(w *Witness) (proof.Proof, error) {
	p := s.Params
	if err := p.Check(); err != nil {
		return proof.Proof{}, err
	}
	if w == nil || w.params != p.Digest() {
		return proof.Proof{}, ErrWitness
	}
	sum, blinding, err := w.proveSum(p)
	if err != nil {
		return proof.Proof{}, err
	}
	var ranges []rangeproof.Proof
	if needsRanges(len(w.inputs), len(w.out.Points)) {
		if ranges, err = w.out.Ranges(p, s.Executor, &w.hedge, sum.CT, blinding); err != nil {
			return proof.Proof{}, err
		}
	}
	encode := func(dst []byte) []byte { return sum.Append(dst, p.Group()) }
	return proof.Join(p.Kind(), encode, ranges), nil
}

// proveSum makes the first part of the proof, and returns the blinding factor of its
// commitment to the type.
func (w *Witness) proveSum(p *params.Params) (sum sigma.TypeAndSum, blinding group.Scalar, err error) {
	src := w.hedge.Stream("type and sum", 0)
	var b [1]group.Scalar
	src.Fill(b[:])
	st := sigma.TypeAndSumStatement{Inputs: w.inputs, Outputs: w.out.Points}
	sw := sigma.TypeAndSumWitness{
		Type: w.typeScalar(), TypeBlinding: b[0],
		Values: w.values[:len(w.inputs)], InputBlindings: w.blindings[:len(w.inputs)], OutputBlindings: w.out.Blindings,
	}
	sum, err = sigma.ProveTypeAndSum(p.Pedersen().On(group.Phase(p.Group(), "type and sum")), st, sw, src)
	return sum, b[0], err
}

// needsRanges is false for one input and one output: equal sums determine the
// value by the input, for which a range proof was verified when it was created.
func needsRanges(inputs, outputs int) bool { return inputs != 1 || outputs != 1 }

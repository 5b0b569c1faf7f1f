package proof

import (
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// Reasons for which an action cannot be made.
var (
	ErrNothing = errors.New("nothing to spend or to create, or an issued token without owner")
	ErrTypes   = errors.New("tokens have more than one type")
	ErrSum     = errors.New("inputs and outputs do not add up to the same")
	ErrValue   = errors.New("value is outside the range of the public parameters")
)

// Maker makes proofs under one set of parameters.
type Maker struct {
	Params   *params.Params
	Executor executor.Executor // of the range proofs; nil means executor.Serial
	Random   io.Reader         // a seed of 32 bytes is read for each action; nil means crypto/rand
}

// Format implements fmt.Formatter for every verb and does not show the random source.
func (Maker) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "maker of proofs") }

// witness opens the tokens of an action: its inputs, which an issue does not have, and
// then its outputs.
type witness struct {
	inputs  int
	typ     string
	secrets []group.Scalar // the type, all values, all blinding factors
	amounts []uint64       // the values again
	few     [8]uint64      // memory of amounts, if they are few
	points  []group.Point  // commitments of all tokens
	hedge   nonce.Hedge
	stream  nonce.Stream // of the part in the making
}

// begin sets the type of a witness and makes room for its tokens.
func (w *witness) begin(g group.Group, typ string, inputs, outputs int) {
	n := inputs + outputs
	w.inputs, w.typ, w.secrets = inputs, typ, make([]group.Scalar, 1+2*n)
	w.amounts = w.few[:min(n, len(w.few))]
	if n > len(w.few) {
		w.amounts = make([]uint64, n)
	}
	w.secrets[0] = token.TypeScalar(g, typ)
}

func (w *witness) values() []group.Scalar    { return w.secrets[1 : 1+len(w.amounts)] }
func (w *witness) blindings() []group.Scalar { return w.secrets[1+len(w.amounts):] }

// wrong returns an error about token i.
func (w *witness) wrong(i int, err error) error {
	if i < w.inputs {
		return fmt.Errorf("input %d: %w", i, err)
	}
	return fmt.Errorf("output %d: %w", i-w.inputs, err)
}

// set sets the value of token i.
func (w *witness) set(p *params.Params, i int, value uint64) error {
	if value > p.MaxValue() {
		return w.wrong(i, ErrValue)
	}
	w.amounts[i], w.values()[i] = value, p.Group().Uint64(value)
	return nil
}

// open sets token i to one with a known opening.
func (w *witness) open(p *params.Params, i int, o token.Opening) error {
	if o.Type != w.typ {
		return ErrTypes
	}
	value, err := o.Uint64(p.Group())
	if err != nil {
		return w.wrong(i, ErrValue)
	}
	w.blindings()[i] = o.Blinding
	return w.set(p, i, value)
}

// balances reports whether the inputs are worth the outputs and a value redeemed in the
// clear.
func (w *witness) balances(redeem uint64) bool {
	in, out := total{}, total{low: redeem}
	for i, v := range w.amounts {
		if i < w.inputs {
			in.add(v)
		} else {
			out.add(v)
		}
	}
	return in == out
}

// total is a sum of up to 2⁶⁴ values of 64 bits.
type total struct{ high, low uint64 }

func (t *total) add(v uint64) {
	var carry uint64
	t.low, carry = bits.Add64(t.low, v, 0)
	t.high += carry
}

// commit draws the blinding factors of all tokens but the first known ones, and commits
// to all tokens. Nonces depend on the public bytes (SeedHedge); the type of an issue is
// a part of these.
func (w *witness) commit(m Maker, public []byte, known int) error {
	secrets := w.secrets[:len(w.secrets)-len(w.amounts)+known]
	if w.inputs == 0 {
		secrets = secrets[1:]
	}
	if err := SeedHedge(&w.hedge, m.Params, m.Random, public, secrets...); err != nil {
		return err
	}
	w.stream.Start(&w.hedge, "output", 0)
	w.stream.Fill(w.blindings()[known:])
	w.points = m.Params.Pedersen().CommitValues(w.secrets[0], w.values(), w.blindings())
	return nil
}

// opens returns pedersen.ErrOpening unless the opening of token i opens its commitment.
func (w *witness) opens(g group.Group, i int, commitment group.Point) error {
	if !g.Equal(commitment, w.points[i]) {
		return w.wrong(i, pedersen.ErrOpening)
	}
	return nil
}

// composed makes both parts of a Composed proof and joins them in their container. The
// same witness gives the same proof.
func (w *witness) composed(m Maker) (Proof, error) {
	var ranges []rangeproof.Proof
	ranged, size := NeedsRanges(w.inputs, len(w.points)-w.inputs), sigmaHint
	if ranged {
		size = sizeHint
	}
	encoded, ct, blinding, err := w.sigma(m.Params, make([]byte, 0, size))
	if err != nil {
		return Proof{}, err
	}
	if ranged {
		out := Outputs{Points: w.points[w.inputs:], Values: w.amounts[w.inputs:],
			Blindings: w.blindings()[w.inputs:]}
		ranges, err = out.Ranges(m.Params, m.Executor, &w.hedge, ct, blinding)
		if err != nil {
			return Proof{}, err
		}
	}
	return Join(m.Params.Kind(), encoded, ranges), nil
}

// sigma appends the first part of a Composed proof, and returns its commitment to the
// type with the blinding factor.
func (w *witness) sigma(p *params.Params, dst []byte) (encoded []byte, ct group.Point, blinding group.Scalar,
	err error) {
	var b [1]group.Scalar
	g, n := p.Group(), w.inputs
	if n == 0 {
		w.stream.Start(&w.hedge, "same type", 0)
		w.stream.Fill(b[:])
		same, err := sigma.ProveSameType(p.Pedersen().On(group.Phase(g, "same type")),
			sigma.SameTypeWitness{Type: w.secrets[0], Blinding: b[0]}, &w.stream)
		return same.Append(dst, g), same.CT, b[0], err
	}
	w.stream.Start(&w.hedge, "type and sum", 0)
	w.stream.Fill(b[:])
	sum, err := sigma.ProveTypeAndSum(p.Pedersen().On(group.Phase(g, "type and sum")),
		sigma.TypeAndSumStatement{Inputs: w.points[:n], Outputs: w.points[n:]},
		sigma.TypeAndSumWitness{
			Type: w.secrets[0], TypeBlinding: b[0],
			Values: w.values()[:n], InputBlindings: w.blindings()[:n], OutputBlindings: w.blindings()[n:],
		}, &w.stream)
	return sum.Append(dst, g), sum.CT, b[0], err
}

// NeedsRanges is false for transfers of one input and one output: equal sums determine
// the value by the input, for which a range proof was verified when it was created.
func NeedsRanges(inputs, outputs int) bool { return inputs != 1 || outputs != 1 }

// openings returns the openings of the tokens for a Whole proof, in memory of to.
func (w *witness) openings(to *v2.Witness) {
	all := to.Inputs[:0]
	if cap(all) < len(w.amounts) {
		all = make([]v2.Opening, 0, len(w.amounts))
	}
	for i, v := range w.amounts {
		all = append(all, v2.Opening{Value: v, Blinding: w.blindings()[i]})
	}
	*to = v2.Witness{Type: w.secrets[0], Inputs: all[:w.inputs], Outputs: all[w.inputs:]}
}

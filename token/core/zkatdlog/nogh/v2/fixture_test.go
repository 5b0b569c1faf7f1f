package v2 // the table generators is private: values of tokens are committed to without a proof

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

func newRandom(seed byte) io.Reader { return rand.NewChaCha8([32]byte{seed}) }

// instance is a statement with its witness.
type instance struct {
	p  *Params
	st *Statement
	w  *Witness
}

// newInstance returns a random instance. Outputs are alternately random, 2ᴺ - 1,
// 0 and 1; the first inputs receive the rest of the total.
func newInstance(t testing.TB, g group.Group, s shape, seed byte) instance {
	t.Helper()
	return newInstanceOf(t, params(t, g, s.bits), s, seed)
}

func newInstanceOf(t testing.TB, p *Params, s shape, seed byte) instance {
	t.Helper()
	g, random := p.group, rand.New(rand.NewChaCha8([32]byte{seed, 1}))
	secrets := make([]group.Scalar, 1+s.inputs+s.outputs)
	require.NoError(t, group.Sample(g, newRandom(seed), secrets))
	w := &Witness{Type: secrets[0]}
	room := uint128{uint64(s.inputs), 0}.minus(uint64(s.inputs)) // inputs times 2⁶⁴ - 1
	room = room.minus(s.publicValue)
	total := uint128{0, s.publicValue}
	for o := range s.outputs {
		v := []uint64{random.Uint64() & p.maxValue(), p.maxValue(), 0, 1}[o%4]
		if s.inputs > 0 {
			if room.high == 0 {
				v = min(v, room.low)
			}
			room = room.minus(v)
			total.add(v)
		}
		w.Outputs = append(w.Outputs, Opening{v, secrets[1+s.inputs+o]})
	}
	for i := range s.inputs {
		v := total.low
		if total.high > 0 {
			v = ^uint64(0)
		} else if i < s.inputs-1 {
			v /= 2
		}
		total = total.minus(v)
		w.Inputs = append(w.Inputs, Opening{v, secrets[1+i]})
	}
	require.Zero(t, total)
	st := &Statement{Kind: Transfer, PublicType: s.publicType, PublicValue: s.publicValue,
		Context: []byte("context")}
	if s.inputs == 0 {
		st.Kind = Issue
	}
	if s.publicType {
		st.Type = w.Type
	}
	in := instance{p, st, w}
	in.commit()
	return in
}

func (s uint128) minus(v uint64) uint128 {
	if s.low < v {
		s.high--
	}
	s.low -= v
	return s
}

// commit writes the tokens that the witness opens into the statement.
func (in instance) commit() {
	g := in.p.group
	commit := func(o Opening) group.Point {
		return group.FixedSum(g, in.p.generators, 0, in.w.Type, g.Uint64(o.Value), o.Blinding)
	}
	in.st.Inputs, in.st.Outputs = nil, nil
	for _, o := range in.w.Inputs {
		in.st.Inputs = append(in.st.Inputs, group.OnCurve(commit(o)))
	}
	for _, o := range in.w.Outputs {
		in.st.Outputs = append(in.st.Outputs, commit(o))
	}
}

// prove returns a proof of the instance.
func (in instance) prove(t testing.TB) []byte {
	t.Helper()
	proof, err := in.p.Prove(in.st, in.w, newRandom(77))
	require.NoError(t, err)
	return proof
}

func clone(b []byte) []byte { return bytes.Clone(b) }

// proveWith makes the proof of the instance with all its nonces.
func (in instance) proveWith(t testing.TB, nonces []group.Scalar) ([]byte, error) {
	t.Helper()
	pr := new(prover)
	pr.begin(in.p, in.st, in.w)
	require.Len(t, nonces, len(pr.nonces.all))
	copy(pr.nonces.all, nonces)
	return proofOf(pr)
}

// proofOf makes the proof of pr alone.
func proofOf(pr *prover) (proof []byte, err error) {
	err = round.Run(pr.params.group, func(r round.Round) (err error) {
		proof, err = pr.run(r)
		return err
	})
	return proof, err
}

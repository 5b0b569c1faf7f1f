package sigma_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

type hex = vectors.Hex

// recorded is typeandsum.json or sametype.json.
type recorded[C any] struct {
	Groups []struct {
		Curve string
		Cases []C
	}
}

// eachCase runs f on every recorded proof.
func eachCase[C any](t *testing.T, file string, f func(t *testing.T, k *pedersen.Key, c C)) {
	for set, file := range vectors.Sets[recorded[C]](t, file) {
		for _, curve := range file.Groups {
			k := vectors.Key(vectors.Curve(t, curve.Curve))
			for i, c := range curve.Cases {
				t.Run(fmt.Sprintf("%s/curve=%s/case=%d", set, curve.Curve, i), func(t *testing.T) {
					f(t, k, c)
				})
			}
		}
	}
}

type sumCase struct {
	Type            hex      `json:"type_scalar"`
	TypeBlinding    hex      `json:"type_blinding_factor"`
	InputValues     []string `json:"input_values"`
	InputBlindings  []hex    `json:"input_blinding_factors"`
	OutputBlindings []hex    `json:"output_blinding_factors"`
	Inputs, Outputs []hex
	Proof           hex
	Nonces          struct {
		Type           hex
		TypeBlinding   hex   `json:"type_bf"`
		InputValues    []hex `json:"in_values"`
		InputBlindings []hex `json:"in_bfs"`
		Sum            hex   `json:"sum_bf"`
	}
}

func (c sumCase) statement(t testing.TB, g group.Group) sigma.TypeAndSumStatement {
	return sigma.TypeAndSumStatement{Inputs: vectors.Points(t, g, c.Inputs),
		Outputs: vectors.Points(t, g, c.Outputs)}
}

func (c sumCase) witness(t testing.TB, g group.Group) sigma.TypeAndSumWitness {
	return sigma.TypeAndSumWitness{
		Type: vectors.Scalar(t, g, c.Type), TypeBlinding: vectors.Scalar(t, g, c.TypeBlinding),
		Values:          vectors.Values(t, g, c.InputValues),
		InputBlindings:  vectors.Scalars(t, g, c.InputBlindings...),
		OutputBlindings: vectors.Scalars(t, g, c.OutputBlindings...),
	}
}

// source yields the recorded nonces in the order of drawing.
func (c sumCase) source(t testing.TB, g group.Group) *nonce.Fixed {
	list := []hex{c.Nonces.Type, c.Nonces.TypeBlinding}
	for i := range c.Nonces.InputValues {
		list = append(list, c.Nonces.InputValues[i], c.Nonces.InputBlindings[i])
	}
	f := nonce.Fixed(vectors.Scalars(t, g, append(list, c.Nonces.Sum)...))
	return &f
}

func TestRecordedTypeAndSumIsReproducedAndAccepted(t *testing.T) {
	eachCase(t, "typeandsum.json", func(t *testing.T, k *pedersen.Key, c sumCase) {
		g, st := k.Group(), c.statement(t, k.Group())
		p, err := sigma.DecodeTypeAndSum(wire.OneByOne(g), c.Proof, len(c.Inputs))
		require.NoError(t, err)
		require.NoError(t, verifySum(k, st, *p))
		require.Equal(t, []byte(c.Proof), p.Append(nil, g))

		made, err := sigma.ProveTypeAndSum(k, st, c.witness(t, g), c.source(t, g))
		require.NoError(t, err)
		require.Equal(t, []byte(c.Proof), made.Append(nil, g))
	})
}

type typeCase struct {
	Type     hex `json:"type_scalar"`
	Blinding hex `json:"blinding_factor"`
	Proof    hex
	Nonces   struct {
		Type     hex
		Blinding hex `json:"blinding_factor"`
	}
}

func TestRecordedSameTypeIsReproducedAndAccepted(t *testing.T) {
	eachCase(t, "sametype.json", func(t *testing.T, k *pedersen.Key, c typeCase) {
		g := k.Group()
		p, err := sigma.DecodeSameType(wire.OneByOne(g), c.Proof)
		require.NoError(t, err)
		require.NoError(t, verifySame(k, *p))
		require.Equal(t, []byte(c.Proof), p.Append(nil, g))

		w := sigma.SameTypeWitness{Type: vectors.Scalar(t, g, c.Type),
			Blinding: vectors.Scalar(t, g, c.Blinding)}
		nonces := nonce.Fixed(vectors.Scalars(t, g, c.Nonces.Type, c.Nonces.Blinding))
		made, err := sigma.ProveSameType(k, w, &nonces)
		require.NoError(t, err)
		require.Equal(t, []byte(c.Proof), made.Append(nil, g))
	})
}

func TestMutatedProofsAreRefusedAndHonestOnesAccepted(t *testing.T) {
	verify := map[string]func(k *pedersen.Key, v vectors.NegativeProof) error{
		"typeandsum": func(k *pedersen.Key, v vectors.NegativeProof) error {
			st := sigma.TypeAndSumStatement{
				Inputs:  vectors.Points(t, k.Group(), v.Statement.Inputs),
				Outputs: vectors.Points(t, k.Group(), v.Statement.Outputs)}
			p, err := sigma.DecodeTypeAndSum(wire.OneByOne(k.Group()), v.Proof, len(st.Inputs))
			if err != nil {
				return err
			}
			return verifySum(k, st, *p)
		},
		"sametype": func(k *pedersen.Key, v vectors.NegativeProof) error {
			p, err := sigma.DecodeSameType(wire.OneByOne(k.Group()), v.Proof)
			if err != nil {
				return err
			}
			return verifySame(k, *p)
		},
	}
	for kind, verify := range verify {
		for _, v := range vectors.NegativeProofs(t, kind) {
			t.Run(kind+"/"+v.ID, func(t *testing.T) {
				err := verify(vectors.Key(vectors.Curve(t, v.Curve)), v)
				require.Equal(t, v.Honest(), err == nil, "%s: %v", v.Mutation, err)
			})
		}
	}
}

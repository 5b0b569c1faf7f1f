package issue_test

import (
	"crypto/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// coin is the content of an output's commitment: value, plus 2ⁿ for a range of
// n bits if overflow is set.
type coin struct {
	typ      string
	value    uint64
	overflow bool
}

// cheat runs the provers of both parts on coins that an Issuer would refuse,
// and claims that all have type EUR. If a range prover refuses, cheat proves
// for a commitment with that type and the value modulo 2ⁿ instead.
func cheat(t *testing.T, p *params.Params, coins ...coin) *issue.Action {
	t.Helper()
	g, k := p.Group(), p.Pedersen()
	secrets := make([]group.Scalar, 1+len(coins))
	require.NoError(t, group.Sample(g, rand.Reader, secrets))
	b, blindings := secrets[0], secrets[1:]
	hedge, err := nonce.NewHedge(g, rand.Reader, nil)
	require.NoError(t, err)
	same, err := sigma.ProveSameType(k, sigma.SameTypeWitness{Type: token.TypeScalar(g, "EUR"), Blinding: b},
		hedge.Stream("same type", 0))
	require.NoError(t, err)
	system, err := p.RangeProof(p.Kind())
	require.NoError(t, err)
	a := &issue.Action{Issuer: []byte("mallory")}
	var ranges []rangeproof.Proof
	for j, c := range coins {
		data := token.Commit(k, c.typ, c.value, blindings[j])
		if c.overflow {
			power := g.Add(g.Uint64(p.MaxValue()), g.Uint64(1))
			data = g.AddPoints(data, k.Commit(group.Scalar{}, power, group.Scalar{}))
		}
		a.Outputs = append(a.Outputs, token.Token{Owner: []byte("mallory"), Data: data})
		w := rangeproof.Witness{Value: c.value & p.MaxValue(), Blinding: g.Sub(blindings[j], b)}
		r, err := rangeproof.Prove(g, system, k.Commit(group.Scalar{}, g.Uint64(w.Value), w.Blinding), w,
			hedge.Stream("range", j))
		require.NoError(t, err)
		ranges = append(ranges, r)
	}
	a.Proof = proof.Join(p.Kind(), same.Append(nil, g), ranges)
	return a
}

// TestOutputsShiftedWithTheType adds a value to CT and to all outputs. The
// differences, which the range proofs are about, stay as they are, so that only
// the same-type proof shows that CT holds no value.
func TestOutputsShiftedWithTheType(t *testing.T) {
	for _, p := range networks(t) {
		g := p.Group()
		a := cheat(t, p, coin{typ: "EUR", value: 4}, coin{typ: "EUR", value: 11})
		require.NoError(t, proof.Verify(p, a, proof.Place{}))
		raw, ranges, err := a.Proof.Split("proof")
		require.NoError(t, err)
		same, err := sigma.DecodeSameType(wire.OneByOne(g), raw)
		require.NoError(t, err)
		for name, by := range map[string]group.Point{
			"value":             p.Pedersen().Commit(group.Scalar{}, g.Uint64(1<<40), group.Scalar{}),
			"type":              p.Pedersen().Commit(g.Uint64(1), group.Scalar{}, group.Scalar{}),
			"another point":     g.HashToPoint([]byte("another")),
			"of the other sign": g.SubPoints(group.Point{}, g.AddPoints(same.CT, same.CT)),
		} {
			shifted, changed := *a, *same
			shifted.Outputs = slices.Clone(a.Outputs)
			changed.CT = g.AddPoints(same.CT, by)
			for j := range shifted.Outputs {
				shifted.Outputs[j].Data = g.AddPoints(a.Outputs[j].Data, by)
			}
			shifted.Proof.Raw = wire.AppendContainer(nil, changed.Append(nil, g), ranges)
			require.ErrorIs(t, proof.Verify(p, &shifted, proof.Place{}), sigma.ErrRejected, name)
		}
	}
}

// networks returns parameters of each system, and in nightly runs of each curve
// and length.
func networks(t *testing.T) (all []*params.Params) {
	t.Helper()
	curves := nightly.Pick([]string{"BN254"}, []string{"BN254"}, []string{"BN254", "BLS12_381_BBS_GURVY"})
	lengths := nightly.Pick([]int{16}, []int{16, 64}, []int{16, 32, 64})
	for _, curve := range curves {
		for _, bits := range lengths {
			for _, kind := range kinds {
				p, err := params.Setup(params.Config{
					Group: vectors.Curve(t, curve), Bits: bits, Systems: []rangeproof.Kind{kind},
					TableBytes: 1,
				})
				require.NoError(t, err)
				all = append(all, p)
			}
		}
	}
	return all
}

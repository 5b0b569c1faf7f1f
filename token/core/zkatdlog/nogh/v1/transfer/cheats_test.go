package transfer_test

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// coin is the content of a token's commitment: value, plus tops times 2ⁿ for a
// range of n bits. Its type scalar exceeds the scalar of typ by skew; no string
// has such a scalar.
type coin struct {
	typ   string
	value int64
	tops  int64
	skew  int64
}

// cheat runs the provers of both parts on coins that a Sender would refuse. It
// knows all secrets. If a range prover refuses, cheat proves for a commitment
// with the claimed type and the value modulo 2ⁿ instead.
func cheat(t *testing.T, p *params.Params, in, out []coin) *transfer.Action {
	t.Helper()
	g, k := p.Group(), p.Pedersen()
	hedge, err := nonce.NewHedge(g, rand.Reader, nil)
	require.NoError(t, err)
	draw := func(n int) []group.Scalar {
		ss := make([]group.Scalar, n)
		require.NoError(t, group.Sample(g, rand.Reader, ss))
		return ss
	}
	scalar := func(v int64) group.Scalar {
		if v < 0 {
			return g.Neg(g.Uint64(uint64(-v)))
		}
		return g.Uint64(uint64(v))
	}
	power := g.Add(g.Uint64(p.MaxValue()), g.Uint64(1))
	amount := func(c coin) group.Scalar { return g.Add(scalar(c.value), g.Mul(scalar(c.tops), power)) }
	commit := func(c coin, blinding group.Scalar) group.Point {
		return k.Commit(g.Add(token.TypeScalar(g, c.typ), scalar(c.skew)), amount(c), blinding)
	}
	w := sigma.TypeAndSumWitness{
		Type: token.TypeScalar(g, in[0].typ), TypeBlinding: draw(1)[0],
		InputBlindings: draw(len(in)), OutputBlindings: draw(len(out)),
	}
	a := &transfer.Action{}
	var st sigma.TypeAndSumStatement
	for i, c := range in {
		w.Values = append(w.Values, amount(c))
		data := commit(c, w.InputBlindings[i])
		st.Inputs = append(st.Inputs, data)
		a.Inputs = append(a.Inputs,
			transfer.Input{ID: token.ID{TxID: "tx"},
				Token: token.Token{Owner: []byte("mallory"), Data: data}})
	}
	for j, c := range out {
		data := commit(c, w.OutputBlindings[j])
		st.Outputs = append(st.Outputs, data)
		a.Outputs = append(a.Outputs, token.Token{Owner: []byte("mallory"), Data: data})
	}
	sum, err := sigma.ProveTypeAndSum(k, st, w, hedge.Stream("type and sum", 0))
	require.NoError(t, err)
	system, err := p.RangeProof(p.Kind())
	require.NoError(t, err)
	var ranges []rangeproof.Proof
	for j, c := range out {
		rw := rangeproof.Witness{Value: uint64(c.value) & p.MaxValue(),
			Blinding: g.Sub(w.OutputBlindings[j], w.TypeBlinding)}
		r, err := rangeproof.Prove(p.Group(), system,
			k.Commit(group.Scalar{}, g.Uint64(rw.Value), rw.Blinding), rw, hedge.Stream("range", j))
		require.NoError(t, err)
		ranges = append(ranges, r)
	}
	if len(in) == 1 && len(out) == 1 {
		ranges = nil
	}
	a.Proof = proof.Join(p.Kind(), sum.Append(nil, g), ranges)
	return a
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

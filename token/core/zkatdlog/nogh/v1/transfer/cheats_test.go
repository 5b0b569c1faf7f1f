package transfer_test

import (
	"bytes"
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
		a.Inputs = append(a.Inputs, transfer.Input{ID: token.ID{TxID: "tx"}, Token: token.Token{Owner: []byte("mallory"), Data: data}})
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
		rw := rangeproof.Witness{Value: uint64(c.value) & p.MaxValue(), Blinding: g.Sub(w.OutputBlindings[j], w.TypeBlinding)}
		r, err := rangeproof.Prove(p.Group(), system, k.Commit(group.Scalar{}, g.Uint64(rw.Value), rw.Blinding), rw, hedge.Stream("range", j))
		require.NoError(t, err)
		ranges = append(ranges, r)
	}
	if len(in) == 1 && len(out) == 1 {
		ranges = nil
	}
	a.Proof = proof.Join(p.Kind(), sum.Append(nil, g), ranges)
	return a
}

func TestProvenFalseStatementsAreRejected(t *testing.T) {
	all := networks(t)
	eur := func(values ...int64) (cs []coin) {
		for _, v := range values {
			cs = append(cs, coin{typ: "EUR", value: v})
		}
		return cs
	}
	mixed := func(inEUR, inUSD int64) []coin {
		return []coin{{typ: "EUR", value: inEUR}, {typ: "USD", value: inUSD}}
	}
	for name, c := range map[string]struct {
		in, out []coin
		want    error // nil for the honest ones, which show that cheat works as a prover
	}{
		"honest":                      {eur(7, 8), eur(4, 11), nil},
		"honest, one to one":          {eur(7), eur(7), nil},
		"one unit more":               {eur(7, 8), eur(4, 12), sigma.ErrRejected},
		"one unit less":               {eur(7, 8), eur(4, 10), sigma.ErrRejected},
		"one unit more, one to one":   {eur(7), eur(8), sigma.ErrRejected},
		"another type, one to one":    {eur(7), []coin{{typ: "USD", value: 7}}, sigma.ErrRejected},
		"inputs of two types":         {mixed(7, 8), eur(4, 11), sigma.ErrRejected},
		"one output of another type":  {eur(7, 8), mixed(4, 11), sigma.ErrRejected},
		"outputs exchange their type": {mixed(7, 8), mixed(7, 8), sigma.ErrRejected},
		// The type-and-sum proof does not cover the types of single outputs.
		"types that cancel out":    {eur(7, 8), []coin{{typ: "EUR", value: 4, skew: 1}, {typ: "EUR", value: 11, skew: -1}}, rangeproof.ErrRejected},
		"a value of 2ⁿ":            {[]coin{{typ: "EUR", value: -1, tops: 1}, {typ: "EUR", value: 1}}, []coin{{typ: "EUR", tops: 1}, {typ: "EUR"}}, rangeproof.ErrRejected},
		"a negative value":         {eur(7, 8), eur(16, -1), rangeproof.ErrRejected},
		"a value of 2ⁿ beside -2ⁿ": {eur(7, 8), []coin{{typ: "EUR", value: 7, tops: 1}, {typ: "EUR", value: 8, tops: -1}}, rangeproof.ErrRejected},
	} {
		for _, p := range all {
			for range nightly.Pick(1, 1, 1000) {
				require.ErrorIs(t, proof.Verify(p, cheat(t, p, c.in, c.out), proof.Place{}), c.want,
					"%s, %s, %s, %d bits", name, p.Kind(), p.Group().Name(), p.Bits())
			}
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
					Group: vectors.Curve(t, curve), Bits: bits, Systems: []rangeproof.Kind{kind}, TableBytes: 1,
				})
				require.NoError(t, err)
				all = append(all, p)
			}
		}
	}
	return all
}

// TestNoncesDependOnTheParameters checks that nonces depend on the parameters.
// Parameters of different bit lengths and systems share the commitment key;
// with a repeating random source, one token could otherwise be proved twice
// with the same nonces, which reveals its value.
func TestNoncesDependOnTheParameters(t *testing.T) {
	g := setup(t, "BN254").Group()
	seen := map[string]bool{}
	count := 0
	for _, bits := range []int{16, 32} {
		for _, kind := range kinds {
			p, err := params.Setup(params.Config{Group: g, Bits: bits, Systems: []rangeproof.Kind{kind}, TableBytes: 1})
			require.NoError(t, err)
			ss := spends(t, p, "EUR", 7, 8)
			for i := range ss { // the same tokens for all parameters
				ss[i].Opening.Blinding = g.Uint64(uint64(i))
				ss[i].Token.Data = token.Commit(p.Pedersen(), "EUR", uint64(7+i), g.Uint64(uint64(i)))
			}
			s := transfer.Sender{Params: p, Random: bytes.NewReader(make([]byte, 32))}
			d, err := s.Draft(ss, receives(4, 11))
			require.NoError(t, err)
			seen[string(g.AppendPoints(nil, nil, []group.Point{d.Action.Outputs[0].Data, d.Action.Outputs[1].Data}))] = true
			count++
		}
	}
	require.Len(t, seen, count)
}

func TestRandomnessIsDrawnWithoutASource(t *testing.T) {
	p := setup(t, "BN254")
	ss := spends(t, p, "EUR", 7, 8)
	var encoded [2][]byte
	for i := range encoded {
		a, _, err := transfer.Sender{Params: p}.Transfer(ss, receives(4, 11))
		require.NoError(t, err)
		require.NoError(t, proof.Verify(p, a, proof.Place{}))
		encoded[i] = a.Encode(p.Group())
	}
	require.NotEqual(t, encoded[0], encoded[1])
}

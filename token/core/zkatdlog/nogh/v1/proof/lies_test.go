package proof_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math"
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
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// coin is the content of a token's commitment: value, plus tops times 2ⁿ for a
// range of n bits. Its type scalar exceeds the scalar of EUR by skew; no string
// has such a scalar.
type coin struct{ value, tops, skew int64 }

// cheat runs the provers of both parts of a transfer, or of an issue if there are no
// inputs, on coins that a Sender or an Issuer would refuse. It knows all secrets, and claims
// the type EUR. If a range prover refuses, cheat proves for a commitment with the claimed type
// and the value modulo 2ⁿ instead.
func cheat(t *testing.T, p *params.Params, in, out []coin) action {
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
	w := sigma.TypeAndSumWitness{
		Type: token.TypeScalar(g, "EUR"), TypeBlinding: draw(1)[0],
		InputBlindings: draw(len(in)), OutputBlindings: draw(len(out)),
	}
	var st sigma.TypeAndSumStatement
	commit := func(coins []coin, blindings []group.Scalar) (points []group.Point, tokens []token.Token) {
		for i, c := range coins {
			points = append(points, k.Commit(g.Add(w.Type, scalar(c.skew)), amount(c), blindings[i]))
			tokens = append(tokens, token.Token{Owner: []byte("mallory"), Data: points[i]})
		}
		return points, tokens
	}
	var spent, made []token.Token
	st.Inputs, spent = commit(in, w.InputBlindings)
	st.Outputs, made = commit(out, w.OutputBlindings)
	var a action
	var ofSigma []byte
	if len(in) == 0 {
		same, err := sigma.ProveSameType(k, sigma.SameTypeWitness{Type: w.Type, Blinding: w.TypeBlinding},
			hedge.Stream("same type", 0))
		require.NoError(t, err)
		a, ofSigma = ofIssue(&issue.Action{Issuer: []byte("mallory"), Outputs: made}), same.Append(nil, g)
	} else {
		act := &transfer.Action{Outputs: made}
		for i, c := range in {
			w.Values = append(w.Values, amount(c))
			act.Inputs = append(act.Inputs, transfer.Input{ID: token.ID{TxID: "tx"}, Token: spent[i]})
		}
		sum, err := sigma.ProveTypeAndSum(k, st, w, hedge.Stream("type and sum", 0))
		require.NoError(t, err)
		a, ofSigma = ofTransfer(act), sum.Append(nil, g)
	}
	*a.proof = proof.Join(p.Kind(), ofSigma, rangesOf(t, p, out, w, hedge, len(in)))
	return a
}

// rangesOf makes the range proofs of outputs, if a transfer has them.
func rangesOf(t *testing.T, p *params.Params, out []coin, w sigma.TypeAndSumWitness, hedge *nonce.Hedge,
	inputs int) (ranges []rangeproof.Proof) {
	t.Helper()
	if !proof.NeedsRanges(inputs, len(out)) {
		return nil
	}
	g, k := p.Group(), p.Pedersen()
	system, err := p.RangeProof(p.Kind())
	require.NoError(t, err)
	for j, c := range out {
		rw := rangeproof.Witness{Value: uint64(c.value) & p.MaxValue(),
			Blinding: g.Sub(w.OutputBlindings[j], w.TypeBlinding)}
		r, err := rangeproof.Prove(g, system,
			k.Commit(group.Scalar{}, g.Uint64(rw.Value), rw.Blinding), rw, hedge.Stream("range", j))
		require.NoError(t, err)
		ranges = append(ranges, r)
	}
	return ranges
}

// networks returns parameters of each system, and in nightly runs of each curve
// and length.
func networks(t *testing.T) (all []*params.Params) {
	t.Helper()
	for _, curve := range nightly.Pick(twoCurves[:1], twoCurves[:1], twoCurves) {
		for _, bits := range nightly.Pick([]int{16}, []int{16}, []int{16, 32, 64}) {
			for _, system := range kindsOfSystems() {
				all = append(all, setupOn(t, curve, bits, system))
			}
		}
	}
	return all
}

// wide are numbers of inputs and outputs of actions with false statements; issues have no
// inputs.
func wide() [][2]int {
	return nightly.Pick(
		[][2]int{{0, 4}, {1, 2}, {4, 1}},
		[][2]int{{0, 2}, {0, 9}, {1, 2}, {4, 1}, {5, 9}},
		[][2]int{{0, 2}, {0, 4}, {0, 8}, {0, 9}, {0, 16}, {0, 17}, {0, 33}, {0, 64}, {1, 2}, {2, 1}, {1, 4},
			{4, 1}, {5, 9}, {9, 5}, {16, 17}, {33, 31}, {1, 64}, {64, 1}, {64, 64}})
}

// positions returns all of n positions if there are few, and otherwise some, the first
// and the last among them.
func positions(n int) []int {
	switch {
	case n > 32 && !nightly.On():
		return []int{0, n - 1}
	case n > 9:
		return []int{0, 1, n / 2, n - 2, n - 1}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// fair returns coins of the same total on both sides, and of the largest value in an issue.
func fair(p *params.Params, inputs, outputs int) (in, out []coin) {
	value := int64(inputs)
	if inputs == 0 {
		value = int64(p.MaxValue() & math.MaxInt64)
	}
	in = slices.Repeat([]coin{{value: int64(outputs)}}, inputs)
	return in, slices.Repeat([]coin{{value: value}}, outputs)
}

// TestLiesAtEveryPosition: an output or an input that contradicts the proof is
// refused at every position of wide actions, with the index of its range proof, alone
// and between honest actions.
func TestLiesAtEveryPosition(t *testing.T) {
	for _, p := range networks(t) {
		for _, shape := range append(wide(), [2]int{1, 1}) {
			n, m := shape[0], shape[1]
			in, out := fair(p, n, m)
			honest := cheat(t, p, in, out)
			require.NoError(t, verified(p, honest), "%d to %d", n, m)
			refused := func(want error, at int, lie func(in, out []coin), what string, of ...int) {
				t.Helper()
				in, out := slices.Clone(in), slices.Clone(out)
				lie(in, out)
				where := fmt.Sprintf("%s, %d to %d: %s %v", p.Kind(), n, m, what, of)
				a := cheat(t, p, in, out)
				err := verified(p, a)
				require.ErrorIs(t, err, want, where)
				if ranged := new(rangeproof.RejectedError); errors.As(err, &ranged) {
					require.Equal(t, at, ranged.Index, where)
				}
				batch := []proof.Placed{{Action: honest}, {Action: a}, {Action: honest}}
				errs := proof.VerifyEach(p, batch)
				require.NoError(t, errs[0], where)
				require.ErrorIs(t, errs[1], want, where)
				require.NoError(t, errs[2], where)
			}
			for _, i := range positions(n) {
				refused(sigma.ErrRejected, 0, func(in, _ []coin) { in[i].value++ }, "more in input", i)
				if n > 1 {
					refused(sigma.ErrRejected, 0, func(in, _ []coin) {
						in[i].skew, in[(i+1)%n].skew = 1, -1
					}, "types of inputs that cancel", i)
				}
			}
			ofType := sigma.ErrRejected
			if n == 0 {
				ofType = rangeproof.ErrRejected
			}
			for _, j := range positions(m) {
				refused(ofType, j, func(_, out []coin) { out[j].skew = 1 }, "another type in output", j)
				if n > 0 {
					refused(sigma.ErrRejected, 0, func(_, out []coin) { out[j].value++ }, "more", j)
				} else {
					refused(rangeproof.ErrRejected, j, func(_, out []coin) {
						out[j] = coin{tops: 1}
					}, "2ⁿ", j)
				}
				if n+m == 2 && n > 0 {
					continue // one to one has no range proof
				}
				refused(rangeproof.ErrRejected, j, func(in, out []coin) {
					out[j].tops = 1
					if n > 0 {
						in[(j+1)%n].tops = 1
					}
				}, "2ⁿ more in output", j)
				for _, k := range positions(m) {
					if k <= j {
						continue
					}
					refused(rangeproof.ErrRejected, j, func(_, out []coin) {
						out[j].skew, out[k].skew = 1, -1
					}, "types that cancel", j, k)
					refused(rangeproof.ErrRejected, k, func(_, out []coin) {
						out[j].value, out[k].value = int64(2*n)+1, -1
					}, "a negative output", j, k)
				}
			}
		}
	}
}

// TestProofsOfOtherOutputs: an exchange of two range proofs is refused at every pair of
// positions, and so is an action with a proof too few or too many.
func TestProofsOfOtherOutputs(t *testing.T) {
	for _, p := range networks(t) {
		system, err := p.RangeProof(p.Kind())
		require.NoError(t, err)
		for _, shape := range wide() {
			n, m := shape[0], shape[1]
			in, out := fair(p, n, m)
			a := cheat(t, p, in, out)
			ofSigma, raw, err := a.proof.Split("proof")
			require.NoError(t, err)
			ranges, err := rangeproof.DecodeList(wire.OneByOne(p.Group()), system, raw, m)
			require.NoError(t, err)
			with := func(ps []rangeproof.Proof) error {
				*a.proof = proof.Join(p.Kind(), slices.Clone(ofSigma), ps)
				return verified(p, a)
			}
			require.NoError(t, with(ranges))
			require.Error(t, with(append(slices.Clone(ranges), ranges[m-1])))
			require.Error(t, with(ranges[:m-1]))
			for _, j := range positions(m) {
				for _, k := range positions(m) {
					if k > j {
						exchanged := slices.Clone(ranges)
						exchanged[j], exchanged[k] = exchanged[k], exchanged[j]
						var wrong *rangeproof.RejectedError
						require.ErrorAs(t, with(exchanged), &wrong, "%d to %d: %d and %d", n, m, j, k)
						require.Equal(t, j, wrong.Index)
					}
				}
			}
		}
	}
}

// TestOutputsShiftedWithTheType adds a value to CT and to all outputs of an issue. The
// differences, which the range proofs are about, stay as they are, so that only
// the same-type proof shows that CT holds no value.
func TestOutputsShiftedWithTheType(t *testing.T) {
	for _, p := range networks(t) {
		g := p.Group()
		a := cheat(t, p, nil, []coin{{value: 4}, {value: 11}})
		require.NoError(t, verified(p, a))
		raw, ranges, err := a.proof.Split("proof")
		require.NoError(t, err)
		same, err := sigma.DecodeSameType(wire.OneByOne(g), raw)
		require.NoError(t, err)
		honest := slices.Clone(*a.outputs)
		for name, by := range map[string]group.Point{
			"value":             p.Pedersen().Commit(group.Scalar{}, g.Uint64(1<<40), group.Scalar{}),
			"type":              p.Pedersen().Commit(g.Uint64(1), group.Scalar{}, group.Scalar{}),
			"another point":     g.HashToPoint([]byte("another")),
			"of the other sign": g.SubPoints(group.Point{}, g.AddPoints(same.CT, same.CT)),
		} {
			t.Run(name, func(t *testing.T) {
				changed := *same
				changed.CT = g.AddPoints(same.CT, by)
				for j := range honest {
					(*a.outputs)[j].Data = g.AddPoints(honest[j].Data, by)
				}
				a.proof.Raw = wire.AppendContainer(nil, changed.Append(nil, g), ranges)
				require.ErrorIs(t, verified(p, a), sigma.ErrRejected, name)
			})
		}
	}
}

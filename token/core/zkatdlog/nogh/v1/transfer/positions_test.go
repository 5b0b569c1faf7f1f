package transfer_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// wide are numbers of inputs and outputs of transfers with false statements.
func wide() [][2]int {
	return nightly.Pick(
		[][2]int{{1, 4}, {4, 1}, {5, 9}},
		[][2]int{{1, 2}, {4, 1}, {5, 9}, {64, 64}},
		[][2]int{{1, 2}, {2, 1}, {1, 4}, {4, 1}, {5, 9}, {9, 5}, {16, 17}, {33, 31}, {1, 64}, {64, 1},
			{64, 64}})
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

// fair returns coins of the same total on both sides.
func fair(inputs, outputs int) (in, out []coin) {
	for range inputs {
		in = append(in, coin{typ: "EUR", value: int64(outputs)})
	}
	for range outputs {
		out = append(out, coin{typ: "EUR", value: int64(inputs)})
	}
	return in, out
}

// TestLiesAtEveryPosition: an output or an input that contradicts the proof is
// refused at every position of wide transfers, with the index of its range proof.
func TestLiesAtEveryPosition(t *testing.T) {
	for _, p := range networks(t) {
		for _, shape := range append(wide(), [2]int{1, 1}) {
			n, m := shape[0], shape[1]
			in, out := fair(n, m)
			honest := cheat(t, p, in, out)
			require.NoError(t, proof.Verify(p, honest, proof.Place{}), "%d to %d", n, m)
			refused := func(want error, at int, lie func(in, out []coin), what string, of ...int) {
				t.Helper()
				in, out := slices.Clone(in), slices.Clone(out)
				lie(in, out)
				where := fmt.Sprintf("%s, %d to %d: %s %v", p.Kind(), n, m, what, of)
				a := cheat(t, p, in, out)
				err := proof.Verify(p, a, proof.Place{})
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
			for _, j := range positions(m) {
				refused(sigma.ErrRejected, 0, func(_, out []coin) { out[j].value++ }, "more in output", j)
				refused(sigma.ErrRejected, 0, func(_, out []coin) {
					out[j].skew = 1
				}, "another type in output", j)
				if n+m > 2 { // one to one has no range proof
					refused(rangeproof.ErrRejected, j, func(in, out []coin) {
						in[(j+1)%n].tops, out[j].tops = 1, 1
					}, "2ⁿ in output", j)
				}
				for _, k := range positions(m) {
					if k > j {
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
}

// TestProofsOfOtherOutputs: an exchange of two range proofs is refused at every pair of
// positions, and so is an action with a proof too few or too many.
func TestProofsOfOtherOutputs(t *testing.T) {
	for _, p := range networks(t) {
		system, err := p.RangeProof(p.Kind())
		require.NoError(t, err)
		for _, shape := range wide() {
			n, m := shape[0], shape[1]
			in, out := fair(n, m)
			a := cheat(t, p, in, out)
			sum, raw, err := a.Proof.Split("proof")
			require.NoError(t, err)
			ranges, err := rangeproof.DecodeList(wire.OneByOne(p.Group()), system, raw, m)
			require.NoError(t, err)
			with := func(ps []rangeproof.Proof) error {
				changed := *a
				changed.Proof = proof.Join(p.Kind(), slices.Clone(sum), ps)
				return proof.Verify(p, &changed, proof.Place{})
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

// TestWideTransfersAreMade: a Sender makes and a verifier accepts the widest transfers,
// with the largest value at each end.
func TestWideTransfersAreMade(t *testing.T) {
	for _, p := range networks(t) {
		for _, shape := range wide() {
			values, most := make([]uint64, shape[0]), p.MaxValue()
			values[0], values[len(values)-1] = most, most
			rs := receives(make([]uint64, shape[1])...)
			rs[shape[1]-1].Value = most
			if len(values) > 1 && shape[1] > 1 {
				rs[0].Value = most
			} else {
				values = append([]uint64{most}, make([]uint64, shape[0]-1)...)
			}
			a := sent(t, p, spends(t, p, "EUR", values...), rs)
			require.NoError(t, proof.Verify(p, a, proof.Place{}), "%v", shape)
			a.Outputs[shape[1]-1] = token.Token{Owner: []byte("bob"), Data: a.Inputs[0].Token.Data}
			require.Error(t, proof.Verify(p, a, proof.Place{}), "%v", shape)
		}
	}
}

// TestWrongPointsOfSeveralProofs: the points of all proofs are decoded together, and each
// transfer gets the error that it gets alone: of its sigma proof, before its range proofs.
func TestWrongPointsOfSeveralProofs(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		p := setup(t, curve, rangeproof.CSP)
		g, a := p.Group(), sent(t, p, spends(t, p, "EUR", 3, 4), receives(5, 2))
		sum, ranges, err := a.Proof.Split("proof")
		require.NoError(t, err)
		header := []byte{wire.TagInteger, 1, byte(g.ID()), wire.TagOctetString, byte(g.PointLen())}
		flip := func(b []byte, at int) []byte {
			b = slices.Clone(b)
			b[at] ^= 1
			return b
		}
		firstPoint := func(b []byte) int { return bytes.Index(b, header) + len(header) + g.PointLen() - 1 }
		with := func(sum, ranges []byte) proof.Placed {
			changed := *a
			changed.Proof.Raw = wire.AppendContainer(nil, sum, ranges)
			return proof.Placed{Action: &changed}
		}
		wrongSum, wrongRange := flip(sum, firstPoint(sum)), flip(ranges, firstPoint(ranges))
		all := []proof.Placed{
			with(wrongSum, wrongRange), with(sum, ranges), with(flip(sum, len(sum)-1), wrongRange),
			with(sum, wrongRange),
			with(wrongSum, ranges), with(sum, ranges), with(append(slices.Clone(wrongSum), 0), ranges),
			with(wrongSum, nil),
		}
		got := proof.VerifyEach(p, all)
		for i, a := range all {
			require.Equal(t, proof.Verify(p, a.Action, a.At), got[i], "%s: %d", curve, i)
		}
		for i, message := range map[int]string{0: "type-and-sum proof", 3: "CSP range proof",
			4: "type-and-sum proof", 7: "type-and-sum proof"} {
			var wrong *wire.DecodeError
			require.ErrorAs(t, got[i], &wrong, i)
			require.EqualValues(t, message, wrong.What, i)
			require.ErrorIs(t, wrong, group.ErrNotOnCurve, i)
		}
		require.ErrorIs(t, got[2], sigma.ErrRejected)
		require.NoError(t, errors.Join(got[1], got[5]))
		require.Error(t, got[6])
	}
}

package proof_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// sent makes a transfer, encodes it and decodes it again.
func sent(t testing.TB, p *params.Params, ss []transfer.Spend, rs []token.Receive) *transfer.Action {
	t.Helper()
	a, _, err := transfer.Sender{Params: p}.Transfer(ss, rs)
	require.NoError(t, err)
	return networktest.Transfer(t, p.Group(), a.Encode(p.Group()))
}

func TestRedeemedOutputIsProvedLikeAnyOther(t *testing.T) {
	p := setup(t, 16)
	rs := receives(3, 4)
	rs[1].Owner = nil
	a := sent(t, p, spends(t, p, "EUR", 7), rs)
	require.True(t, a.Redeems())
	require.NoError(t, verified(p, ofTransfer(a)))
}

// TestProofOfOneInputAndOneOutputHasNoRangePart, and names a system of the parameters all the
// same.
func TestProofOfOneInputAndOneOutputHasNoRangePart(t *testing.T) {
	p := setup(t, 16, rangeproof.CSP)
	a := sent(t, p, spends(t, p, "EUR", 7), receives(7))
	sum, ranges, err := a.Proof.Split("test")
	require.NoError(t, err)
	require.Empty(t, ranges)
	require.NoError(t, verified(p, ofTransfer(a)))
	a.Proof.Kind = rangeproof.Bulletproof
	require.ErrorIs(t, verified(p, ofTransfer(a)), params.ErrNoSystem)
	a.Proof.Kind = rangeproof.CSP

	other := sent(t, p, spends(t, p, "EUR", 7), receives(3, 4))
	_, ranges, err = other.Proof.Split("test")
	require.NoError(t, err)
	for _, part := range [][]byte{ranges, {0}} {
		a.Proof.Raw = wire.AppendContainer(nil, sum, part)
		err := verified(p, ofTransfer(a))
		require.ErrorIs(t, err, wire.ErrTrailing)
		require.ErrorContains(t, err, "transfer proof: range proofs ")
	}
}

// TestSenderRefusesWhatItCannotProve: in v1 and in v2, before a proof is made.
func TestSenderRefusesWhatItCannotProve(t *testing.T) {
	for protocol, p := range map[string]*params.Params{"v1": setup(t, 16), "v2": setupV2(t)} {
		mixed := append(spends(t, p, "EUR", 1), spends(t, p, "USD", 1)...)
		for name, c := range map[string]struct {
			ss   []transfer.Spend
			rs   []token.Receive
			want error
		}{
			"no inputs":          {nil, receives(1), proof.ErrNothing},
			"no inputs, redeems": {nil, []token.Receive{{Value: 1}}, proof.ErrNothing},
			"no outputs":         {spends(t, p, "EUR", 1), nil, proof.ErrNothing},
			"two types":          {mixed, receives(2), proof.ErrTypes},
			"more than there is": {spends(t, p, "EUR", 1, 2), receives(4), proof.ErrSum},
			"less than there is": {spends(t, p, "EUR", 1, 2), receives(2), proof.ErrSum},
			"input too large":    {spends(t, p, "EUR", 65536), receives(65535, 1), proof.ErrValue},
			"redeems 2⁶⁴": {spends(t, p, "EUR", 1),
				append(receives(1), token.Receive{Value: 1 << 63}, token.Receive{Value: 1 << 63}),
				proof.ErrValue},
			"redeems too much": {spends(t, p, "EUR", 1), append(receives(1), token.Receive{Value: 1}),
				proof.ErrSum},
		} {
			t.Run(protocol+" "+name, func(t *testing.T) {
				_, err := transfer.Sender{Params: p}.Draft(c.ss, c.rs)
				require.ErrorIs(t, err, c.want)
				vectors.Formatted(t, err)
			})
		}
	}
	_, err := transfer.Sender{Params: setup(t, 64)}.Draft(spends(t, setup(t, 64), "EUR", ^uint64(0), 2),
		receives(1))
	require.ErrorIs(t, err, proof.ErrSum, "2⁶⁴ + 1 is not 1")
}

// TestEveryInputIsOpened: of ten inputs each in turn is another commitment to the same value.
func TestEveryInputIsOpened(t *testing.T) {
	p := setup(t, 16)
	values := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for at := range values {
		ss := spends(t, p, "EUR", values...)
		ss[at].Token = spends(t, p, "EUR", values...)[at].Token
		_, _, err := transfer.Sender{Params: p}.Transfer(ss, receives(55))
		require.ErrorIs(t, err, pedersen.ErrOpening)
		require.ErrorContains(t, err, fmt.Sprintf("input %d: ", at))
	}
}

// TestExecutorsMakeTheSameBytes proves with a fixed seed.
func TestExecutorsMakeTheSameBytes(t *testing.T) {
	p := setup(t, 16)
	ss := spends(t, p, "EUR", 7, 8)
	made := map[string]bool{}
	for _, name := range executor.Names {
		ex, err := executor.ByName(name)
		require.NoError(t, err)
		a, _, err := transfer.Sender{Params: p, Executor: ex, Random: zeros{}}.Transfer(ss, receives(4, 5, 6))
		require.NoError(t, err)
		made[string(a.Encode(p.Group()))] = true
	}
	require.Len(t, made, 1)
}

// TestRangeListHasOneMember: the outer list holds one list of proofs, and that
// one proof for each output.
func TestRangeListHasOneMember(t *testing.T) {
	for _, system := range kindsOfSystems() {
		p := setup(t, 16, system)
		a := sent(t, p, spends(t, p, "EUR", 7, 8), receives(4, 11))
		sum, ranges, err := a.Proof.Split("test")
		require.NoError(t, err)
		outer, err := wire.Container("test", ranges, 1, 1)
		require.NoError(t, err)
		inner, err := wire.Container("test", outer[0], 2, 2)
		require.NoError(t, err)
		for name, list := range map[string][]byte{
			"the list twice":  wire.AppendContainer(nil, outer[0], outer[0]),
			"a second, empty": wire.AppendContainer(nil, outer[0], nil),
			"no list":         wire.AppendContainer(nil),
			"a third proof": wire.AppendContainer(nil,
				wire.AppendContainer(nil, inner[0], inner[1], inner[1])),
			"one proof":          wire.AppendContainer(nil, wire.AppendContainer(nil, inner[0])),
			"bytes after a list": wire.AppendContainer(nil, append(slices.Clone(outer[0]), 0)),
		} {
			t.Run(name, func(t *testing.T) {
				a.Proof.Raw = wire.AppendContainer(nil, sum, list)
				require.ErrorAs(t, verified(p, ofTransfer(a)), new(*wire.DecodeError), "%s: %s", system, name)
			})
		}
	}
}

// TestWideTransfersAreMade: a Sender makes and a verifier accepts the widest transfers,
// with the largest value at each end.
func TestWideTransfersAreMade(t *testing.T) {
	for _, p := range networks(t) {
		for _, shape := range append(wide(), [2]int{64, 64}) {
			if shape[0] == 0 {
				continue // an issue
			}
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
			require.NoError(t, verified(p, ofTransfer(a)), "%v", shape)
			a.Outputs[shape[1]-1] = token.Token{Owner: []byte("bob"), Data: a.Inputs[0].Token.Data}
			require.Error(t, verified(p, ofTransfer(a)), "%v", shape)
		}
	}
}

// TestWrongPointsOfSeveralProofs: the points of all proofs are decoded together, and each
// transfer gets the error that it gets alone: of its sigma proof, before its range proofs.
func TestWrongPointsOfSeveralProofs(t *testing.T) {
	for _, curve := range twoCurves {
		p := setupOn(t, curve, 16, rangeproof.CSP)
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

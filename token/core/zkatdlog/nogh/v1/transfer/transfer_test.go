package transfer_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func setup(t testing.TB, curve string, kinds ...rangeproof.Kind) *params.Params {
	t.Helper()
	p, err := params.Setup(params.Config{Group: vectors.Curve(t, curve), Bits: 16, Systems: kinds,
		TableBytes: 1})
	require.NoError(t, err)
	return p
}

// spends makes tokens with the given values.
func spends(t testing.TB, p *params.Params, typ string, values ...uint64) (ss []transfer.Spend) {
	t.Helper()
	g := p.Group()
	for i, v := range values {
		var r [1]group.Scalar
		require.NoError(t, group.Sample(g, rand.Reader, r[:]))
		ss = append(ss, transfer.Spend{
			ID:      token.ID{TxID: "tx", Index: uint64(i)},
			Token:   token.Token{Owner: []byte("alice"), Data: token.Commit(p.Pedersen(), typ, v, r[0])},
			Opening: token.Opening{Type: typ, Value: g.Uint64(v), Blinding: r[0]},
		})
	}
	return ss
}

func receives(values ...uint64) (rs []token.Receive) {
	for _, v := range values {
		rs = append(rs, token.Receive{Owner: []byte("bob"), Value: v})
	}
	return rs
}

func sender(p *params.Params) transfer.Sender {
	return transfer.Sender{Params: p, Random: rand.Reader}
}

// sent makes a transfer, encodes it and decodes it again.
func sent(t testing.TB, p *params.Params, ss []transfer.Spend, rs []token.Receive) *transfer.Action {
	t.Helper()
	a, openings, err := sender(p).Transfer(ss, rs)
	require.NoError(t, err)
	for j, o := range openings {
		require.NoError(t, o.Open(p.Pedersen(), a.Outputs[j]))
	}
	b := a.Encode(p.Group())
	again, err := transfer.Decode(p.Group(), b, token.DefaultLimits)
	require.NoError(t, err)
	require.Equal(t, b, again.Encode(p.Group()))
	return again
}

var kinds = []rangeproof.Kind{rangeproof.Bulletproof, rangeproof.CSP}

func TestTransfersOfEveryShapeAreAccepted(t *testing.T) {
	shapes := []struct{ in, out []uint64 }{
		{[]uint64{7}, []uint64{7}},
		{[]uint64{0}, []uint64{0}},
		{[]uint64{7}, []uint64{3, 4}},
		{[]uint64{7, 8}, []uint64{15}},
		{[]uint64{65535, 65535}, []uint64{65535, 65535}},
		{[]uint64{1, 2, 3}, []uint64{6, 0, 0}},
	}
	for _, curve := range nightly.Pick(curves.Names[:2], curves.Names, curves.Names) {
		for _, kind := range kinds {
			p := setup(t, curve, kind)
			for _, s := range shapes {
				a := sent(t, p, spends(t, p, "EUR", s.in...), receives(s.out...))
				require.NoError(t, proof.Verify(p, a, proof.Place{}), "%s %s %v", curve, kind, s)
			}
		}
	}
}

func TestRedeemedOutputIsProvedLikeAnyOther(t *testing.T) {
	p := setup(t, "BN254")
	rs := receives(3, 4)
	rs[1].Owner = nil
	a := sent(t, p, spends(t, p, "EUR", 7), rs)
	require.True(t, a.Redeems())
	require.NoError(t, proof.Verify(p, a, proof.Place{}))
}

func TestProofOfOneInputAndOneOutputHasNoRangePart(t *testing.T) {
	p := setup(t, "BN254")
	a := sent(t, p, spends(t, p, "EUR", 7), receives(7))
	_, ranges, err := a.Proof.Split("test")
	require.NoError(t, err)
	require.Empty(t, ranges)

	other := sent(t, p, spends(t, p, "EUR", 7), receives(3, 4))
	_, ranges, err = other.Proof.Split("test")
	require.NoError(t, err)
	sum, _, err := a.Proof.Split("test")
	require.NoError(t, err)
	for _, part := range [][]byte{ranges, {0}} {
		a.Proof.Raw = wire.AppendContainer(nil, sum, part)
		err := proof.Verify(p, a, proof.Place{})
		require.ErrorIs(t, err, wire.ErrTrailing)
		require.ErrorContains(t, err, "transfer proof: range proofs ")
	}
}

func TestSenderRefusesWhatItCannotProve(t *testing.T) {
	p := setup(t, "BN254")
	mixed := append(spends(t, p, "EUR", 1), spends(t, p, "USD", 1)...)
	foreign := spends(t, p, "EUR", 1, 2)
	foreign[0].Token, foreign[1].Token = foreign[1].Token, foreign[0].Token
	for name, c := range map[string]struct {
		ss   []transfer.Spend
		rs   []token.Receive
		want error
	}{
		"no inputs":          {nil, receives(1), proof.ErrNothing},
		"no outputs":         {spends(t, p, "EUR", 1), nil, proof.ErrNothing},
		"two types":          {mixed, receives(2), proof.ErrTypes},
		"more than there is": {spends(t, p, "EUR", 1, 2), receives(4), proof.ErrSum},
		"less than there is": {spends(t, p, "EUR", 1, 2), receives(2), proof.ErrSum},
		"value too large":    {spends(t, p, "EUR", 65535, 1), receives(65536), proof.ErrValue},
		"input too large":    {spends(t, p, "EUR", 65536), receives(65535, 1), proof.ErrValue},
		"wrong opening":      {foreign, receives(3), pedersen.ErrOpening},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := sender(p).Transfer(c.ss, c.rs)
			require.ErrorIs(t, err, c.want)
			vectors.Formatted(t, err)
		})
	}
	broken := transfer.Sender{Params: p, Random: iotest.ErrReader(errors.New("broken"))}
	_, _, err := broken.Transfer(spends(t, p, "EUR", 1), receives(1))
	require.ErrorIs(t, err, group.ErrRandom)
	lost := sender(p)
	lost.Executor = failing{}
	_, _, err = lost.Transfer(spends(t, p, "EUR", 3), receives(1, 2))
	require.ErrorIs(t, err, errLost)
	draft, err := lost.Draft(spends(t, p, "EUR", 3), receives(1, 2))
	require.NoError(t, err)
	kept := draft.Action.Proof
	require.ErrorIs(t, draft.Prove(proof.Place{}), errLost)
	require.Equal(t, kept, draft.Action.Proof)
	require.ErrorIs(t, new(transfer.Draft).Prove(proof.Place{}), params.ErrInvalid)
}

// TestEveryInputIsOpened: of ten inputs each in turn is another commitment to the same value.
func TestEveryInputIsOpened(t *testing.T) {
	p := setup(t, "BN254")
	for at := range 10 {
		ss, others := spends(t, p, "EUR", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
			spends(t, p, "EUR", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
		ss[at].Token = others[at].Token
		_, _, err := sender(p).Transfer(ss, receives(55))
		require.ErrorIs(t, err, pedersen.ErrOpening)
		require.ErrorContains(t, err, fmt.Sprintf("input %d: ", at))
	}
}

var errLost = errors.New("lost")

// failing is an executor that fails.
type failing struct{ executor.Serial }

func (failing) Run(int, func(int) error) error { return errLost }

// TestExecutorsMakeTheSameBytes proves with a fixed seed.
func TestExecutorsMakeTheSameBytes(t *testing.T) {
	p := setup(t, "BN254")
	ss := spends(t, p, "EUR", 7, 8)
	var first []byte
	for _, name := range executor.Names {
		ex, err := executor.ByName(name)
		require.NoError(t, err)
		s := transfer.Sender{Params: p, Executor: ex, Random: bytes.NewReader(make([]byte, 32))}
		a, _, err := s.Transfer(ss, receives(4, 5, 6))
		require.NoError(t, err)
		if first == nil {
			first = a.Encode(p.Group())
		}
		require.Equal(t, first, a.Encode(p.Group()), name)
	}
}

// forgers change an honest action before it is verified.
var forgers = map[string]func(a, other *transfer.Action){
	"proof of other tokens": func(a, o *transfer.Action) { a.Proof = o.Proof },
	"inputs exchanged":      func(a, _ *transfer.Action) { slices.Reverse(a.Inputs) },
	"outputs exchanged":     func(a, _ *transfer.Action) { slices.Reverse(a.Outputs) },
	"input of another":      func(a, o *transfer.Action) { a.Inputs[0] = o.Inputs[0] },
	"output of another":     func(a, o *transfer.Action) { a.Outputs[0] = o.Outputs[0] },
	"output dropped":        func(a, _ *transfer.Action) { a.Outputs = a.Outputs[:1] },
	"output repeated":       func(a, _ *transfer.Action) { a.Outputs = append(a.Outputs, a.Outputs[0]) },
	"input dropped":         func(a, _ *transfer.Action) { a.Inputs = a.Inputs[:1] },
	"empty proof":           func(a, _ *transfer.Action) { a.Proof.Raw = nil },
	"another range system":  func(a, _ *transfer.Action) { a.Proof.Kind = other(a.Proof.Kind) },
	"sub-proofs of another": func(a, o *transfer.Action) {
		sum, _, _ := a.Proof.Split("test")
		_, ranges, _ := o.Proof.Split("test")
		a.Proof.Raw = wire.AppendContainer(nil, sum, ranges)
	},
}

func other(k rangeproof.Kind) rangeproof.Kind {
	if k == rangeproof.CSP {
		return rangeproof.Bulletproof
	}
	return rangeproof.CSP
}

// shift adds units to the value of an output.
func shift(p *params.Params, a *transfer.Action, j, units int) {
	g := p.Group()
	s := g.Uint64(1)
	if units < 0 {
		s = g.Neg(s)
	}
	a.Outputs[j].Data = g.AddPoints(a.Outputs[j].Data, group.MulPoint(g, p.Pedersen().Base(pedersen.G1), s))
}

func parts(t *testing.T, a *transfer.Action) (sum, ranges []byte) {
	sum, ranges, err := a.Proof.Split("test")
	require.NoError(t, err)
	return sum, ranges
}

func swapped(t *testing.T, p *params.Params, a *transfer.Action) []byte {
	sum, ranges := parts(t, a)
	system, err := p.RangeProof(a.Proof.Kind)
	require.NoError(t, err)
	proofs, err := rangeproof.DecodeList(wire.OneByOne(p.Group()), system, ranges, len(a.Outputs))
	require.NoError(t, err)
	slices.Reverse(proofs)
	return wire.AppendContainer(nil, sum, rangeproof.AppendList(nil, proofs))
}

// TestRangeListHasOneMember: the outer list holds one list of proofs, and that
// one proof for each output.
func TestRangeListHasOneMember(t *testing.T) {
	for _, kind := range kinds {
		p := setup(t, "BN254", kind)
		a := sent(t, p, spends(t, p, "EUR", 7, 8), receives(4, 11))
		sum, ranges := parts(t, a)
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
			a.Proof.Raw = wire.AppendContainer(nil, sum, list)
			require.ErrorAs(t, proof.Verify(p, a, proof.Place{}), new(*wire.DecodeError), "%s: %s", kind,
				name)
		}
	}
}

func TestForgedActionsAreRefused(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		for _, kind := range kinds {
			p := setup(t, curve, kind)
			ss := spends(t, p, "EUR", 7, 8)
			for name, forge := range forgers {
				a, o := sent(t, p, ss, receives(4, 11)),
					sent(t, p, spends(t, p, "EUR", 7, 8), receives(4, 11))
				require.NoError(t, proof.Verify(p, a, proof.Place{}))
				forge(a, o)
				require.Error(t, proof.Verify(p, a, proof.Place{}), "%s %s: %s", curve, kind, name)
			}
		}
	}
}

func TestEachWrongActionIsNamed(t *testing.T) {
	p := setup(t, "BN254", kinds...)
	var actions []*transfer.Action
	for range 5 {
		actions = append(actions, sent(t, p, spends(t, p, "EUR", 7, 8), receives(4, 11)))
	}
	require.NoError(t, proof.VerifyBatch(p, proof.PlaceAll(proof.Place{}, actions)))
	require.NoError(t, proof.VerifyBatch(p, nil))
	for wrong := range actions {
		for name, spoil := range map[string]func(a *transfer.Action){
			"sums":   func(a *transfer.Action) { shift(p, a, 0, 1) },
			"inputs": func(a *transfer.Action) { a.Inputs[0], a.Inputs[1] = a.Inputs[1], a.Inputs[0] },
			"ranges": func(a *transfer.Action) { a.Proof.Raw = swapped(t, p, a) },
			"codec":  func(a *transfer.Action) { a.Proof.Raw = a.Proof.Raw[1:] },
		} {
			batch := slices.Clone(actions)
			spoiled := *actions[wrong]
			spoiled.Inputs, spoiled.Outputs = slices.Clone(spoiled.Inputs), slices.Clone(spoiled.Outputs)
			spoil(&spoiled)
			batch[wrong] = &spoiled
			placed := proof.PlaceAll(proof.Place{}, batch)
			require.Error(t, proof.VerifyBatch(p, placed), name)
			for i, err := range proof.VerifyEach(p, placed) {
				require.Equal(t, i == wrong, err != nil, "%s: action %d", name, i)
			}
		}
	}
}

func TestDecodeIsBoundedAndStrict(t *testing.T) {
	p := setup(t, "BN254")
	g := p.Group()
	a := sent(t, p, spends(t, p, "EUR", 7, 8), receives(4, 11))
	b := a.Encode(g)
	a.Metadata = map[string][]byte{"a": []byte("1"), "b": []byte("2")}
	with := a.Encode(g)
	_, err := transfer.Decode(g, with, token.Limits{Inputs: 2, Outputs: 2, Metadata: 2})
	require.NoError(t, err)
	require.Equal(t, token.Limits{Inputs: 1, Outputs: 2, Metadata: 7},
		token.Limits{Inputs: 3, Outputs: 5, Metadata: 7}.Less(token.Sizes{Inputs: 2, Outputs: 3}))
	for _, limits := range []token.Limits{
		{Inputs: 1, Outputs: 2, Metadata: 2}, {Inputs: 2, Outputs: 1, Metadata: 2},
		{Inputs: 2, Outputs: 2, Metadata: 1},
	} {
		_, err := transfer.Decode(g, with, limits)
		require.ErrorIs(t, err, wire.ErrTooLarge, "%+v", limits)
	}
	for n := range b {
		_, err := transfer.Decode(g, b[:n], token.DefaultLimits)
		var de *wire.DecodeError
		require.ErrorAs(t, err, &de, "truncated to %d", n)
	}
	_, err = transfer.Decode(g, append(slices.Clone(b), 0x3a, 0), token.DefaultLimits)
	require.ErrorIs(t, err, wire.ErrNotCanonical)
}

func FuzzDecode(f *testing.F) {
	for _, kind := range kinds {
		p := setup(f, "BN254", kind)
		f.Add(sent(f, p, spends(f, p, "EUR", 7, 8), receives(4, 11)).Encode(p.Group()))
		f.Add(everything(p.Group(), kind).Encode(p.Group()))
	}
	p := setup(f, "BN254", kinds...)
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := transfer.Decode(p.Group(), b, token.DefaultLimits)
		if err != nil {
			vectors.OneEncoding(t, b, nil, err)
			return
		}
		if len(a.Metadata) < 2 { // more entries may be in any order
			vectors.OneEncoding(t, b, a.Encode(p.Group()), nil)
			m, err := pb.Decode("TransferAction", b)
			require.NoError(t, err)
			again, err := pb.Encode("TransferAction", m)
			require.NoError(t, err)
			require.Equal(t, b, again)
		}
		_ = proof.Verify(p, a, proof.Place{})
	})
}

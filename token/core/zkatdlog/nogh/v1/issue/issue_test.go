package issue_test

import (
	"crypto/rand"
	"errors"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

var kinds = []rangeproof.Kind{rangeproof.Bulletproof, rangeproof.CSP}

func setup(t testing.TB, curve string, kinds ...rangeproof.Kind) *params.Params {
	t.Helper()
	p, err := params.Setup(params.Config{Group: vectors.Curve(t, curve), Bits: 16, Systems: kinds,
		TableBytes: 1})
	require.NoError(t, err)
	return p
}

func receives(values ...uint64) (rs []token.Receive) {
	for _, v := range values {
		rs = append(rs, token.Receive{Owner: []byte("alice"), Value: v})
	}
	return rs
}

func issuer(p *params.Params) issue.Issuer {
	return issue.Issuer{Params: p, Identity: []byte("bank"), Random: rand.Reader}
}

// issued makes an issue, encodes it and decodes it again.
func issued(t testing.TB, p *params.Params, values ...uint64) *issue.Action {
	t.Helper()
	a, openings, err := issuer(p).Issue("EUR", receives(values...))
	require.NoError(t, err)
	for j, o := range openings {
		require.NoError(t, o.Open(p.Pedersen(), a.Outputs[j]))
	}
	b := a.Encode(p.Group())
	again, err := issue.Decode(p.Group(), b, token.DefaultLimits)
	require.NoError(t, err)
	require.Equal(t, b, again.Encode(p.Group()))
	return again
}

func TestIssuesAreAccepted(t *testing.T) {
	for _, curve := range nightly.Pick(curves.Names[:2], curves.Names, curves.Names) {
		for _, kind := range kinds {
			p := setup(t, curve, kind)
			require.NoError(t, proof.Verify(p, issued(t, p, 7), proof.Place{}), "%s %s", curve, kind)
			require.NoError(t, proof.Verify(p, issued(t, p, 0, 65535), proof.Place{}), "%s %s", curve, kind)
		}
	}
}

func TestIssuerRefusesWhatItCannotProve(t *testing.T) {
	p := setup(t, "BN254")
	for name, c := range map[string]struct {
		rs   []token.Receive
		want error
	}{
		"no outputs":      {nil, proof.ErrNothing},
		"no owner":        {[]token.Receive{{Value: 1}}, proof.ErrNothing},
		"value too large": {receives(65536), proof.ErrValue},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := issuer(p).Issue("EUR", c.rs)
			require.ErrorIs(t, err, c.want)
			vectors.Formatted(t, err)
		})
	}
	broken := issue.Issuer{Params: p, Random: iotest.ErrReader(errors.New("broken"))}
	_, _, err := broken.Issue("EUR", receives(1))
	require.ErrorIs(t, err, group.ErrRandom)
	lost := issuer(p)
	lost.Executor = failing{}
	_, _, err = lost.Issue("EUR", receives(1))
	require.ErrorIs(t, err, errLost)
	draft, err := lost.Draft("EUR", receives(1))
	require.NoError(t, err)
	kept := draft.Action.Proof
	require.ErrorIs(t, draft.Prove(proof.Place{}), errLost)
	require.Equal(t, kept, draft.Action.Proof)
	require.ErrorIs(t, new(issue.Draft).Prove(proof.Place{}), params.ErrInvalid)
}

var errLost = errors.New("lost")

// failing is an executor that fails.
type failing struct{ executor.Serial }

func (failing) Run(int, func(int) error) error { return errLost }

// forgers change an honest action before it is verified.
var forgers = map[string]func(a, other *issue.Action){
	"proof of other tokens": func(a, o *issue.Action) { a.Proof = o.Proof },
	"outputs exchanged":     func(a, _ *issue.Action) { slices.Reverse(a.Outputs) },
	"output of another":     func(a, o *issue.Action) { a.Outputs[0] = o.Outputs[0] },
	"output dropped":        func(a, _ *issue.Action) { a.Outputs = a.Outputs[:1] },
	"output repeated": func(a, _ *issue.Action) {
		a.Outputs = append(a.Outputs, a.Outputs[0])
	},
	"empty proof": func(a, _ *issue.Action) { a.Proof.Raw = nil },
	"sub-proof of another": func(a, o *issue.Action) {
		same, _, _ := a.Proof.Split("test")
		_, ranges, _ := o.Proof.Split("test")
		a.Proof.Raw = wire.AppendContainer(nil, same, ranges)
	},
}

func TestForgedActionsAreRefused(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		for _, kind := range kinds {
			p := setup(t, curve, kind)
			for name, forge := range forgers {
				a := issued(t, p, 4, 11)
				require.NoError(t, proof.Verify(p, a, proof.Place{}))
				forge(a, issued(t, p, 4, 11))
				require.Error(t, proof.Verify(p, a, proof.Place{}), "%s %s: %s", curve, kind, name)
			}
		}
	}
}

// TestBatchNamesTheFirstWrongAction: of more actions than are searched, one wrong one at
// every place is refused without its name.
func TestBatchNamesTheFirstWrongAction(t *testing.T) {
	p := setup(t, "BN254")
	var actions []*issue.Action
	for range 10 {
		actions = append(actions, issued(t, p, 4, 11))
	}
	require.NoError(t, proof.VerifyBatch(p, proof.PlaceAll(proof.Place{}, actions)))
	for wrong, a := range actions {
		a.Outputs[0].Data = p.Group().AddPoints(a.Outputs[0].Data, p.Pedersen().Base(pedersen.G1))
		var rejected *proof.RejectedError
		require.ErrorAs(t, proof.VerifyBatch(p, proof.PlaceAll(proof.Place{}, actions)), &rejected, wrong)
		for i, err := range proof.VerifyEach(p, proof.PlaceAll(proof.Place{}, actions)) {
			require.Equal(t, i == wrong, err != nil, "%d, while %d is wrong", i, wrong)
		}
		if wrong < 4 {
			require.ErrorAs(t, proof.VerifyBatch(p, proof.PlaceAll(proof.Place{}, actions[:4])), &rejected)
			require.Equal(t, wrong, rejected.Index)
		}
		a.Outputs[0].Data = p.Group().SubPoints(a.Outputs[0].Data, p.Pedersen().Base(pedersen.G1))
	}
}

func TestDecodeIsBoundedAndStrict(t *testing.T) {
	p := setup(t, "BN254")
	b := issued(t, p, 4, 11).Encode(p.Group())
	with := issued(t, p, 7)
	with.Metadata = map[string][]byte{"a": []byte("1"), "b": []byte("2")}
	for range 2 {
		with.Inputs = append(with.Inputs, issue.Input{ID: token.ID{TxID: "tx"}, Token: []byte("clear")})
	}
	for limits, want := range map[token.Limits]error{
		{Inputs: 2, Outputs: 1, Metadata: 2}: nil, {Inputs: 2, Outputs: 1, Metadata: 1}: wire.ErrTooLarge,
		{Inputs: 1, Outputs: 1, Metadata: 2}: wire.ErrTooLarge, {Inputs: 2, Metadata: 2}: wire.ErrTooLarge,
	} {
		_, err := issue.Decode(p.Group(), with.Encode(p.Group()), limits)
		require.ErrorIs(t, err, want, "%+v", limits)
	}
	_, err := issue.Decode(p.Group(), b, token.Limits{Outputs: 1})
	require.ErrorIs(t, err, wire.ErrTooLarge)
	for n := range b {
		_, err := issue.Decode(p.Group(), b[:n], token.DefaultLimits)
		var de *wire.DecodeError
		require.ErrorAs(t, err, &de, "truncated to %d", n)
	}
}

func FuzzDecode(f *testing.F) {
	for _, kind := range kinds {
		p := setup(f, "BN254", kind)
		f.Add(issued(f, p, 4, 11).Encode(p.Group()))
		f.Add(everything(p.Group(), kind).Encode(p.Group()))
	}
	p := setup(f, "BN254", kinds...)
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := issue.Decode(p.Group(), b, token.DefaultLimits)
		if err != nil {
			vectors.OneEncoding(t, b, nil, err)
			return
		}
		if len(a.Metadata) < 2 { // more entries may be in any order
			vectors.OneEncoding(t, b, a.Encode(p.Group()), nil)
			m, err := pb.Decode("IssueAction", b)
			require.NoError(t, err)
			again, err := pb.Encode("IssueAction", m)
			require.NoError(t, err)
			require.Equal(t, b, again)
		}
		_ = proof.Verify(p, a, proof.Place{})
	})
}

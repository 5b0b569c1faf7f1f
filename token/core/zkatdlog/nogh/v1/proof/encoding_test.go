package proof_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// wholeIssue is an issue with more than eight entries in its lists.
func wholeIssue(g group.Group, system rangeproof.Kind) action {
	a := &issue.Action{
		Issuer: []byte("bank"),
		Inputs: []issue.Input{{ID: token.ID{TxID: "tx", Index: 300}, Token: make([]byte, 200)}},
		Outputs: []token.Token{{Owner: []byte("alice"), Data: g.Generator()},
			{Owner: make([]byte, 200), Data: g.Generator()}},
		Metadata: map[string][]byte{"pub.b": []byte("1"), "pub.a": {}},
		Proof:    proof.Proof{Kind: system, Raw: []byte("no proof")},
	}
	for i := range uint64(9) {
		id := token.ID{TxID: "tx", Index: i}
		a.Inputs = append(a.Inputs, issue.Input{ID: id, Token: []byte{1, byte(i)}})
		a.Outputs = append(a.Outputs, token.Token{Owner: []byte{2, byte(i)}, Data: g.Generator()})
	}
	return ofIssue(a)
}

// wholeTransfer is a transfer with more than eight inputs.
func wholeTransfer(g group.Group, system rangeproof.Kind) action {
	a := &transfer.Action{
		Inputs: []transfer.Input{
			{ID: token.ID{TxID: "tx"}, Token: token.Token{Owner: []byte("alice"), Data: g.Generator()}},
			{
				ID:    token.ID{TxID: "tx", Index: 300},
				Token: token.Token{Owner: make([]byte, 200), Data: g.Generator()},
				Upgrade: &transfer.Upgrade{
					Clear:    token.Clear{Owner: make([]byte, 200), Type: "EUR", Quantity: "0x7"},
					Blinding: g.Uint64(9),
				},
			},
		},
		Outputs:  []token.Token{{Data: g.Generator()}, {Owner: []byte("bob"), Data: g.Generator()}},
		Metadata: map[string][]byte{"pub.b": []byte("1"), "pub.a": {}, "": []byte("2")},
		Issuer:   []byte("bank"),
		Proof:    proof.Proof{Kind: system, Raw: []byte("no proof")},
	}
	for i := range uint64(8) {
		a.Inputs = append(a.Inputs, transfer.Input{ID: token.ID{TxID: "tx", Index: 1 + i},
			Token: token.Token{Owner: []byte{2, byte(i)}, Data: g.Generator()}})
	}
	return ofTransfer(a)
}

// hidden are the fields of a token.
func hidden(g group.Group, t token.Token) pb.Fields {
	return pb.Fields{"owner": t.Owner, "data": pb.Fields{"raw": wire.AppendJSONPoint(nil, g, t.Data)}}
}

// variants are the fields of the proofs of the systems.
var variants = map[rangeproof.Kind]string{rangeproof.Bulletproof: "proof", rangeproof.CSP: "csp_based_proof"}

// commonFields are the fields of both kinds.
func commonFields(g group.Group, a action, inputs []any, metadata map[string][]byte,
	issuer []byte) pb.Fields {
	var outputs []any
	for _, out := range *a.outputs {
		outputs = append(outputs, pb.Fields{"token": hidden(g, out)})
	}
	return pb.Fields{
		"version": 1, "inputs": inputs, "outputs": outputs, "metadata": metadata,
		"proof": pb.Fields{variants[a.proof.Kind]: a.proof.Raw}, "issuer": pb.Fields{"raw": issuer},
	}
}

func issueFields(g group.Group, of action) pb.Fields {
	a, inputs := of.Action.(*issue.Action), []any(nil)
	for _, in := range a.Inputs {
		inputs = append(inputs,
			pb.Fields{"id": pb.Fields{"tx_id": in.ID.TxID, "index": in.ID.Index}, "token": in.Token})
	}
	return commonFields(g, of, inputs, a.Metadata, a.Issuer)
}

func transferFields(g group.Group, of action) pb.Fields {
	a, inputs := of.Action.(*transfer.Action), []any(nil)
	for _, in := range a.Inputs {
		input := pb.Fields{"token_id": pb.Fields{"tx_id": in.ID.TxID, "index": in.ID.Index},
			"input": hidden(g, in.Token)}
		if u := in.Upgrade; u != nil {
			input["upgrade_witness"] = pb.Fields{
				"output": pb.Fields{"owner": u.Clear.Owner, "type": u.Clear.Type,
					"quantity": u.Clear.Quantity},
				"blinding_factor": pb.Fields{"raw": wire.AppendJSONScalar(nil, g, u.Blinding)},
			}
		}
		inputs = append(inputs, input)
	}
	return commonFields(g, of, inputs, a.Metadata, a.Issuer)
}

func TestBytesAreThoseOfTheGeneratedCode(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	eachKind(t, func(t *testing.T, k kind) {
		for _, system := range kindsOfSystems() {
			a := k.everything(g, system)
			want, err := pb.Encode(k.message, k.fields(g, a))
			require.NoError(t, err)
			require.Equal(t, want, a.Encode(g))
			again, err := k.decode(g, want, token.DefaultLimits)
			require.NoError(t, err)
			require.Equal(t, want, again.Encode(g))
		}
	})
}

// TestMalformedActions: a required field is absent, or a field has a wrong value.
func TestMalformedActions(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	otherCurve := wire.AppendJSONPoint(nil, g, g.Generator())
	otherCurve[len(`{"curve":`)] = '7'
	eachKind(t, func(t *testing.T, k kind) {
		refuse := func(path string, value any) {
			t.Helper()
			m := k.fields(g, k.everything(g, rangeproof.CSP))
			m.Set(path, value)
			b, err := pb.Encode(k.message, m)
			require.NoError(t, err)
			_, err = k.decode(g, b, token.DefaultLimits)
			require.ErrorAs(t, err, new(*wire.DecodeError), "%s is %v", path, value)
		}
		for _, path := range k.required {
			refuse(path, nil)
		}
		refuse("version", 2)
		refuse("proof.csp_based_proof", "")
		refuse("outputs.0.token.data.raw", g.AppendPoint(nil, g.Generator())) // without JSON
		refuse("outputs.0.token.data.raw", otherCurve)
	})
}

func TestDecodeIsBoundedAndStrict(t *testing.T) {
	p := setup(t, 16)
	g := p.Group()
	eachKind(t, func(t *testing.T, k kind) {
		b := k.everything(g, rangeproof.CSP).Encode(g)
		_, err := k.decode(g, b, k.sizes)
		require.NoError(t, err)
		for i, lower := range []func(l *token.Limits){
			func(l *token.Limits) { l.Inputs-- }, func(l *token.Limits) { l.Outputs-- },
			func(l *token.Limits) { l.Metadata-- },
		} {
			limits := k.sizes
			lower(&limits)
			_, err := k.decode(g, b, limits)
			require.ErrorIs(t, err, wire.ErrTooLarge, i)
		}
		b = k.made(t, p, 4, 11).Encode(g)
		for n := range b {
			_, err := k.decode(g, b[:n], token.DefaultLimits)
			require.ErrorAs(t, err, new(*wire.DecodeError), "truncated to %d", n)
		}
		_, err = k.decode(g, append(slices.Clone(b), 0x7a, 0), token.DefaultLimits)
		require.ErrorIs(t, err, wire.ErrNotCanonical)
	})
	require.Equal(t, token.Limits{Inputs: 1, Outputs: 2, Metadata: 7},
		token.Limits{Inputs: 3, Outputs: 5, Metadata: 7}.Less(token.Sizes{Inputs: 2, Outputs: 3}))
}

// TestVersionsHaveTheirOwnFields: v2 actions have a proof, owners of all outputs, and a type
// only with a redeemed value; v1 actions have no redeemed value and no input of v2. An action
// is not read as one of another version.
func TestVersionsHaveTheirOwnFields(t *testing.T) {
	n := networktest.New(t, fixture.Config{Protocols: params.Protocols{V2: true}})
	g := n.Params.Group()
	made := map[string]string{"IssueAction": "issues", "TransferAction": "redeems"}
	refuse := func(t *testing.T, k kind, want error, raw []byte, what string) {
		t.Helper()
		_, err := k.decode(g, raw, token.DefaultLimits)
		require.ErrorAs(t, err, new(*wire.DecodeError), what)
		require.ErrorIs(t, err, want, what)
	}
	eachKind(t, func(t *testing.T, k kind) {
		raw := networktest.Request(t, n, made[k.message], 2, 3, 1).Request.Actions[0].Raw
		for own, raw := range map[byte][]byte{2: raw, 1: k.made(t, setup(t, 16), 4, 11).Encode(g)} {
			require.Equal(t, []byte{1 << 3, own}, raw[:2])
			for version := range byte(128) {
				if version != own {
					_, err := k.decode(g, append([]byte{1 << 3, version}, raw[2:]...), token.DefaultLimits)
					require.ErrorAs(t, err, new(*wire.DecodeError), "version %d as %d", own, version)
				}
			}
			refuse(t, k, wire.ErrMissing, raw[2:], "no version")
		}
		a, err := k.decode(g, raw, token.DefaultLimits)
		require.NoError(t, err)
		require.Equal(t, proof.Whole, a.Protocol())
		require.Equal(t, raw, a.Encode(g))
		owner := (*a.outputs)[1].Owner
		(*a.outputs)[1].Owner = nil
		refuse(t, k, wire.ErrMissing, a.Encode(g), "output without owner")
		(*a.outputs)[1].Owner, a.proof.Raw = owner, nil
		refuse(t, k, wire.ErrMissing, a.Encode(g), "empty proof")
	})
	a := networktest.Transfer(t, g, networktest.Request(t, n, "redeems", 2, 3, 1).Request.Actions[0].Raw)
	require.True(t, a.Redeems())
	a.Redeem = ^uint64(0)
	require.Equal(t, a, networktest.Transfer(t, g, a.Encode(g)))
	a.Redeem = 0
	refuse(t, kinds[1], wire.ErrMissing, a.Encode(g), "type without redeemed value")
	old := kinds[1].made(t, setup(t, 16), 4, 11).Action.(*transfer.Action)
	old.Redeem = 1
	_, err := transfer.Decode(g, old.Encode(g), token.DefaultLimits)
	require.ErrorAs(t, err, new(*wire.DecodeError), "redeemed value in v1")
	old.Redeem, old.Inputs[1].Token.V2 = 0, true
	_, err = transfer.Decode(g, old.Encode(g), token.DefaultLimits)
	require.ErrorAs(t, err, new(*wire.DecodeError), "input of v2 in v1")
}

// fuzz decodes bytes as actions. Of v2, only the seeds have a right proof.
func fuzz(f *testing.F, k kind, p *params.Params, at proof.Place, seeds ...[]byte) {
	f.Helper()
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := k.decode(p.Group(), b, token.DefaultLimits)
		if err != nil {
			vectors.OneEncoding(t, b, nil, err)
			return
		}
		if k.entries(a) < 2 { // more entries may be in any order
			vectors.OneEncoding(t, b, a.Encode(p.Group()), nil)
			m, err := pb.Decode(k.message, b)
			require.NoError(t, err)
			again, err := pb.Encode(k.message, m)
			require.NoError(t, err)
			require.Equal(t, b, again)
		}
		err = proof.Verify(p, a, at)
		if a.Protocol() == proof.Whole && !slices.ContainsFunc(seeds, func(seed []byte) bool {
			return bytes.Equal(seed, b)
		}) {
			require.Error(t, err)
		}
	})
}

// fuzzV1 is fuzz with seeds of v1 of each system.
func fuzzV1(f *testing.F, k kind) {
	f.Helper()
	p := setup(f, 16, kindsOfSystems()...)
	var seeds [][]byte
	for _, system := range kindsOfSystems() {
		seeds = append(seeds, k.made(f, setup(f, 16, system), 4, 11).Encode(p.Group()),
			k.everything(p.Group(), system).Encode(p.Group()))
	}
	fuzz(f, k, p, proof.Place{}, seeds...)
}

// fuzzV2 is fuzz with an action of v2.
func fuzzV2(f *testing.F, k kind, of string) {
	f.Helper()
	n := networktest.New(f, fixture.Config{Protocols: params.Protocols{V2: true}})
	seed := networktest.Request(f, n, of, 2, 2, 1).Request.Actions[0].Raw
	fuzz(f, k, n.Params, proof.Place{Anchor: "tx"}, seed)
}

func FuzzDecodeIssue(f *testing.F)      { fuzzV1(f, kinds[0]) }
func FuzzDecodeTransfer(f *testing.F)   { fuzzV1(f, kinds[1]) }
func FuzzDecodeV2Issue(f *testing.F)    { fuzzV2(f, kinds[0], "issues") }
func FuzzDecodeV2Transfer(f *testing.F) { fuzzV2(f, kinds[1], "redeems") }

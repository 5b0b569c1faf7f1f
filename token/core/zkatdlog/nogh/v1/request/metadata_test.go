package request_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// described is the metadata of an issue and of a transfer, with two entries in
// each list.
func described() *request.Metadata {
	party := request.Party{Identity: []byte("bob"), AuditInfo: []byte("info")}
	parties := []request.Party{party, party}
	out := request.OutputMetadata{Opening: []byte("opening"), AuditInfo: []byte("info"), Receivers: parties}
	burned := request.InputMetadata{ID: token.ID{TxID: "tx"}}
	spent := request.InputMetadata{ID: token.ID{TxID: "tx"}, Senders: []request.Party{party}}
	return &request.Metadata{
		Actions: []request.ActionMetadata{
			{
				Kind: request.Issue, Issuer: &party, Inputs: []request.InputMetadata{burned, burned},
				Outputs: []request.OutputMetadata{out, out}, ExtraSigners: parties,
			},
			{
				ActionID: 1, Kind: request.Transfer, Inputs: []request.InputMetadata{spent, spent},
				Outputs: []request.OutputMetadata{out, out}, ExtraSigners: parties,
			},
		},
		Application: map[string][]byte{"a": []byte("1"), "b": []byte("2")},
	}
}

// TestMetadataIsBounded: each list has at most the entries that the limits name.
func TestMetadataIsBounded(t *testing.T) {
	raw := described().Encode()
	limits := request.Limits{Bytes: len(raw), Actions: 2, Tokens: transfer.Limits{Inputs: 2, Outputs: 2, Metadata: 2}}
	md, err := request.DecodeMetadata(raw, limits)
	require.NoError(t, err)
	require.Equal(t, raw, md.Encode())
	for name, lower := range map[string]func(l *request.Limits){
		"bytes":    func(l *request.Limits) { l.Bytes-- },
		"actions":  func(l *request.Limits) { l.Actions-- },
		"inputs":   func(l *request.Limits) { l.Tokens.Inputs-- },
		"outputs":  func(l *request.Limits) { l.Tokens.Outputs-- },
		"metadata": func(l *request.Limits) { l.Tokens.Metadata-- },
	} {
		lowered := limits
		lower(&lowered)
		_, err := request.DecodeMetadata(raw, lowered)
		require.ErrorIs(t, err, wire.ErrTooLarge, name)
	}
	for name, shorten := range map[string]func(a *request.ActionMetadata){
		"parties":         func(a *request.ActionMetadata) { a.ExtraSigners = nil },
		"outputs":         func(a *request.ActionMetadata) { a.ExtraSigners = nil; a.Outputs = a.Outputs[:1] },
		"receivers alone": func(a *request.ActionMetadata) { a.ExtraSigners, a.Outputs = nil, a.Outputs[:1] },
	} {
		md := described()
		for i := range md.Actions {
			shorten(&md.Actions[i])
		}
		lowered := limits
		lowered.Tokens.Outputs = 1
		_, err := request.DecodeMetadata(md.Encode(), lowered)
		require.ErrorIs(t, err, wire.ErrTooLarge, name)
	}
	// Two extra signers, and one entry in every other list.
	few := described()
	for i := range few.Actions {
		a := &few.Actions[i]
		a.Outputs = a.Outputs[:1]
		a.Outputs[0].Receivers = a.Outputs[0].Receivers[:1]
	}
	lowered := limits
	lowered.Tokens.Outputs = 1
	_, err = request.DecodeMetadata(few.Encode(), lowered)
	require.ErrorIs(t, err, wire.ErrTooLarge, "extra signers")
}

// TestMetadataEndsWithItsFields: a further field in the metadata of an issue or
// of a transfer is refused.
func TestMetadataEndsWithItsFields(t *testing.T) {
	for kind, field := range map[request.Kind]byte{request.Issue: 2, request.Transfer: 3} {
		raw := (&request.Metadata{Actions: []request.ActionMetadata{{Kind: kind}}}).Encode()
		_, err := request.DecodeMetadata(raw, request.DefaultLimits)
		require.NoError(t, err)
		end := []byte{field<<3 | 2, 0} // the empty message
		require.Equal(t, end, raw[len(raw)-2:])
		inside := []byte{9<<3 | 2, 0}
		start := len(raw) - 4
		require.Equal(t, []byte{2<<3 | 2, 2}, raw[start:start+2], "the entry of one action")
		longer := append(append(raw[:start:start], 2<<3|2, 4, field<<3|2, 2), inside...)
		_, err = request.DecodeMetadata(longer, request.DefaultLimits)
		require.ErrorIs(t, err, wire.ErrNotCanonical, kind)
	}
}

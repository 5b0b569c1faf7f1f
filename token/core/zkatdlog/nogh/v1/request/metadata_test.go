package request_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
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
	limits := request.Limits{Bytes: len(raw), Actions: 2,
		Tokens: token.Limits{Inputs: 2, Outputs: 2, Metadata: 2}}
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
		t.Run(name, func(t *testing.T) {
			lowered := limits
			lower(&lowered)
			_, err := request.DecodeMetadata(raw, lowered)
			require.ErrorIs(t, err, wire.ErrTooLarge)
		})
	}
	// One list of two entries, and at most one entry in all others.
	one := limits
	one.Tokens.Outputs = 1
	for name, c := range map[string]struct {
		outputs, receivers, signers int
		want                        error
	}{
		"no list":       {1, 1, 1, nil},
		"outputs":       {2, 1, 1, wire.ErrTooLarge},
		"receivers":     {1, 2, 1, wire.ErrTooLarge},
		"extra signers": {1, 1, 2, wire.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			for _, kept := range []int{0, 1} { // the issue, the transfer
				md := described()
				for i := range md.Actions {
					a := &md.Actions[i]
					outputs, receivers, signers := 1, 1, 1
					if i == kept {
						outputs, receivers, signers = c.outputs, c.receivers, c.signers
					}
					a.Outputs, a.ExtraSigners = a.Outputs[:outputs], a.ExtraSigners[:signers]
					for j := range a.Outputs {
						a.Outputs[j].Receivers = a.Outputs[j].Receivers[:receivers]
					}
				}
				_, err := request.DecodeMetadata(md.Encode(), one)
				require.ErrorIs(t, err, c.want, "%s of action %d", name, kept)
			}
		})
	}
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

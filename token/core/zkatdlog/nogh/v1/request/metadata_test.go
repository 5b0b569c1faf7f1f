package request_test

import (
	"bytes"
	"fmt"
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

// TestMetadataEndsWithItsFields: a further field in or behind the metadata of an issue or
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
		behind := append(append(raw[:start:start], 2<<3|2, 4, field<<3|2, 0), inside...)
		_, err = request.DecodeMetadata(behind, request.DefaultLimits)
		require.ErrorIs(t, err, wire.ErrNotCanonical, kind)
	}
}

// placed is the metadata of an issue and of a transfer with three entries in each list. Each
// text is the path of the error if its field has an unknown number; paths has all texts.
func placed() (md request.Metadata, paths []string) {
	path := func(format string, args ...any) string {
		paths = append(paths, fmt.Sprintf(format, args...))
		return paths[len(paths)-1]
	}
	party := func(at string) request.Party {
		return request.Party{
			Identity: []byte(path("%s.identity.message", at)), AuditInfo: []byte(path("%s.message", at)),
		}
	}
	parties := func(list string) (ps []request.Party) {
		for i := range 3 {
			ps = append(ps, party(fmt.Sprintf("%s[%d]", list, i)))
		}
		return ps
	}
	for i, kind := range []request.Kind{request.Issue, request.Transfer} {
		at := fmt.Sprintf("metadata[%d].%s", i, kind)
		issuer := party(at + ".issuer")
		a := request.ActionMetadata{
			Kind: kind, ActionID: uint32(i), Issuer: &issuer, ExtraSigners: parties(at + ".extra signers"),
		}
		for j := range 3 {
			in, out := fmt.Sprintf("%s.inputs[%d]", at, j), fmt.Sprintf("%s.outputs[%d]", at, j)
			input := request.InputMetadata{ID: token.ID{TxID: path("%s.token id.message", in)}}
			if kind == request.Transfer {
				input.Senders = parties(in + ".senders")
			}
			a.Inputs = append(a.Inputs, input)
			a.Outputs = append(a.Outputs, request.OutputMetadata{
				Opening: []byte(path("%s.message", out)), Receivers: parties(out + ".receivers"),
			})
		}
		md.Actions = append(md.Actions, a)
	}
	return md, paths
}

// TestErrorsNameTheirPlace: an unknown field is refused wherever it is, with its path.
func TestErrorsNameTheirPlace(t *testing.T) {
	md, paths := placed()
	raw := md.Encode()
	_, err := request.DecodeMetadata(raw, request.DefaultLimits)
	require.NoError(t, err)
	for _, path := range paths {
		b := bytes.Clone(raw)
		b[bytes.Index(b, []byte(path))-2] = 15<<3 | 2 // before its length
		_, err := request.DecodeMetadata(b, request.DefaultLimits)
		var bad *wire.DecodeError
		require.ErrorAs(t, err, &bad, path)
		require.Equal(t, path, bad.Field)
	}
}

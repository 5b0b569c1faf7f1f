package request_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func TestMessage(t *testing.T) {
	type known struct {
		Messages []struct {
			Anchor  string
			Actions []struct {
				Type request.Kind
				Raw  vectors.Hex
			}
			Message vectors.Hex
		} `json:"message_to_sign"`
	}
	for name, set := range vectors.Sets[known](t, "primitives.json") {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, set.Messages, name)
			for _, m := range set.Messages {
				r := &request.Request{}
				for _, a := range m.Actions {
					r.Actions = append(r.Actions, request.Action{Kind: a.Type, Raw: a.Raw})
				}
				got, err := r.Message(m.Anchor)
				require.NoError(t, err)
				require.Equal(t, []byte(m.Message), got)
			}
		})
	}
}

// TestRecorded decodes every recorded request and its metadata and encodes the
// same bytes again.
func TestRecorded(t *testing.T) {
	for name, file := range vectors.RequestFiles(t) {
		t.Run(name, func(t *testing.T) {
			for id, c := range file.Cases {
				r, err := request.Decode(c.Request, request.DefaultLimits)
				require.NoError(t, err, "%s %s", name, id)
				require.Equal(t, c.Request, r.Encode(), "%s %s", name, id)
				if len(c.Metadata) == 0 {
					continue
				}
				md, err := request.DecodeMetadata(c.Metadata, request.DefaultLimits)
				require.NoError(t, err, "%s %s", name, id)
				require.Equal(t, c.Metadata, md.Encode(), "%s %s", name, id)
			}
		})
	}
}

func TestMillionActions(t *testing.T) {
	r := &request.Request{Actions: make([]request.Action, 1_000_000)}
	_, err := request.Decode(r.Encode(), request.Limits{Bytes: 16 << 20, Actions: 64})
	require.ErrorIs(t, err, wire.ErrTooLarge)
	_, err = request.Decode(r.Encode(), request.DefaultLimits)
	require.ErrorIs(t, err, wire.ErrTooLarge)
}

func recorded(tb testing.TB, pick func(vectors.RequestCase) []byte) (seeds [][]byte) {
	for _, c := range vectors.RequestFiles(tb)["64-BN254-x509"].Cases {
		if b := pick(c); len(b) > 0 {
			seeds = append(seeds, b)
		}
	}
	return seeds
}

func FuzzDecode(f *testing.F) {
	seeds := recorded(f, func(c vectors.RequestCase) []byte { return c.Request })
	vectors.FuzzDecoder(f, seeds, func(b []byte) ([]byte, error) {
		r, err := request.Decode(b, request.DefaultLimits)
		if err != nil {
			return nil, err
		}
		return r.Encode(), nil
	})
}

func FuzzDecodeMetadata(f *testing.F) {
	full := &request.Metadata{
		Actions: []request.ActionMetadata{{
			ActionID: 3, Kind: request.Issue,
			Issuer:  &request.Party{Identity: []byte("i"), AuditInfo: []byte("a")},
			Inputs:  []request.InputMetadata{{}},
			Outputs: []request.OutputMetadata{{Opening: []byte("o"), Receivers: []request.Party{{}}}},
		}},
		Application: map[string][]byte{"k": nil},
	}
	full.Actions[0].Inputs[0].ID.TxID = "t"
	seeds := append(recorded(f, func(c vectors.RequestCase) []byte { return c.Metadata }), full.Encode())
	vectors.FuzzDecoder(f, seeds, func(b []byte) ([]byte, error) {
		md, err := request.DecodeMetadata(b, request.DefaultLimits)
		if err != nil {
			return nil, err
		}
		return md.Encode(), nil
	})
}

// TestNegativeDecode checks that requests that the reference cannot decode are
// refused.
func TestNegativeDecode(t *testing.T) {
	seen := 0
	for _, c := range vectors.Negative(t).Requests {
		r, err := request.Decode(c.Request, request.DefaultLimits)
		switch c.Category {
		case "request/decode", "request/version", "request/empty", "request/empty-signature",
			"request/signature-kind",
			"request/action-type", "request/action-kind", "request/empty-action":
			seen++
			bad := new(wire.DecodeError)
			require.ErrorAs(t, err, &bad, c.ID)
		case "request/anchor":
			require.NoError(t, err, c.ID)
			_, err = r.Message(c.Anchor)
			require.ErrorIs(t, err, request.ErrAnchor, c.ID)
		}
	}
	require.Positive(t, seen)
}

// TestDecodeRefuses checks missing required fields and sizes above the limits.
func TestDecodeRefuses(t *testing.T) {
	raw := (&request.Request{
		Actions: []request.Action{{Kind: request.Transfer, Raw: []byte("raw")}},
		Signatures: []request.Signature{
			{Auditor: []byte("auditor"), Raw: []byte("signature")}, {ActionID: 1, Raw: []byte("signature")},
		},
	}).Encode()
	limits := request.Limits{Bytes: len(raw), Actions: 1, Signatures: 2}
	_, err := request.Decode(raw, limits)
	require.NoError(t, err)
	for i, lower := range []func(l *request.Limits){
		func(l *request.Limits) { l.Bytes-- }, func(l *request.Limits) { l.Actions-- },
		func(l *request.Limits) { l.Signatures-- },
	} {
		lowered := limits
		lower(&lowered)
		_, err := request.Decode(raw, lowered)
		require.ErrorIs(t, err, wire.ErrTooLarge, i)
	}
	refuse := func(path string, value any, want error) {
		t.Helper()
		m, err := pb.Decode("TokenRequest", raw)
		require.NoError(t, err)
		m.Set(path, value)
		b, err := pb.Encode("TokenRequest", m)
		require.NoError(t, err)
		_, err = request.Decode(b, request.DefaultLimits)
		require.ErrorAs(t, err, new(*wire.DecodeError), path)
		require.ErrorIs(t, err, want, path)
	}
	for _, path := range []string{
		"version", "actions.0.typed_action", "actions.0.typed_action.type", "actions.0.typed_action.raw",
		"signatures.0.auditor_signature", "signatures.0.auditor_signature.identity",
		"signatures.0.auditor_signature.identity.raw", "signatures.0.auditor_signature.signature",
		"signatures.0.auditor_signature.signature.raw", "signatures.1.action_signature",
		"signatures.1.action_signature.signature", "signatures.1.action_signature.signature.raw",
	} {
		refuse(path, nil, wire.ErrMissing)
	}
	refuse("actions.0.typed_action.type", 3, wire.ErrTooLarge)
	_, err = request.Decode(nil, limits)
	require.ErrorIs(t, err, wire.ErrMissing)

	md := (&request.Metadata{Actions: []request.ActionMetadata{{Kind: request.Issue}}}).Encode()
	limits.Bytes = len(md)
	_, err = request.DecodeMetadata(md, limits)
	require.NoError(t, err)
	limits.Bytes--
	_, err = request.DecodeMetadata(md, limits)
	require.ErrorIs(t, err, wire.ErrTooLarge)
	_, err = request.DecodeMetadata(md[1:], request.DefaultLimits)
	require.ErrorIs(t, err, wire.ErrMissing)
}

func TestKindsHaveNames(t *testing.T) {
	require.Equal(t, "issue transfer", request.Issue.String()+" "+request.Transfer.String())
}

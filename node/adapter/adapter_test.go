package adapter_test

import (
	"encoding/base64"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/LFDT-Panurus/panurus/token/driver"

	"github.com/zkatbench/zkatbench/node/adapter"
	_ "github.com/zkatbench/zkatbench/node/internal/accept"
	"github.com/zkatbench/zkatbench/node/internal/foreign"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

var testDriver = adapter.Driver{Own: nodeDriver{}, Attributes: adapter.Names{
	Message: "message", Signatures: "sigs",
}}

func newRequest(t *testing.T) (*fixture.Network, []byte) {
	g, err := curves.ByName("BN254")
	require.NoError(t, err)
	n, err := fixture.NewNetwork(fixture.Config{Group: g, Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	a, err := n.Request("tx", fixture.Shape{Kind: "transfers", Inputs: 2, Outputs: 2}, 1)
	require.NoError(t, err)
	return n, a.Request.Encode()
}

// TestAdapter validates a request through the node's interfaces. A refusal has the
// text or the sentinel that callers of a node look for, and our reason.
func TestAdapter(t *testing.T) {
	n, raw := newRequest(t)
	pp, err := testDriver.PublicParametersFromBytes(n.Params.Encode())
	require.NoError(t, err)
	v, err := newValidator(testDriver, pp)
	require.NoError(t, err)
	actions, attributes, err := v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", raw)
	require.NoError(t, err)
	require.Len(t, actions, 1)
	require.Len(t, attributes, 2)

	decoded, err := request.Decode(raw, request.DefaultLimits)
	require.NoError(t, err)
	message, err := decoded.Message("tx")
	require.NoError(t, err)
	require.Equal(t, message, attributes["message"])
	auditor := 0
	for i, s := range decoded.Signatures {
		if s.Auditor != nil {
			auditor = i
		}
	}
	require.Equal(t, 0, auditor, "the auditor of the fixture signs first")
	want := `["` + base64.StdEncoding.EncodeToString(decoded.Signatures[0].Raw) + `"`
	for _, s := range decoded.Signatures[1:] {
		want += `,"` + base64.StdEncoding.EncodeToString(s.Raw) + `"`
	}
	require.Equal(t, want+"]", string(attributes["sigs"]))
	// The auditor's signature is first wherever it is in the request.
	moved := *decoded
	moved.Signatures = append(append([]request.Signature(nil), decoded.Signatures[1:]...),
		decoded.Signatures[0])
	_, attributes, err = v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", moved.Encode())
	require.NoError(t, err)
	require.Equal(t, want+"]", string(attributes["sigs"]))

	// changed returns the request with an edit of its signatures.
	changed := func(edit func(r *request.Request)) []byte {
		r, err := request.Decode(raw, request.DefaultLimits)
		require.NoError(t, err)
		edit(r)
		return r.Encode()
	}
	owner := (auditor + 1) % len(decoded.Signatures)
	for _, wrong := range []struct {
		text string
		ours error
		raw  []byte
	}{
		{"empty token request", nil, nil},
		{"empty token request", validator.ErrNoActions,
			changed(func(r *request.Request) { r.Actions = nil })},
		{"failed signature verification", nil,
			changed(func(r *request.Request) { r.Signatures[owner].Raw = r.Signatures[auditor].Raw })},
		{"failed to verify auditor's signature", nil,
			changed(func(r *request.Request) { r.Signatures[auditor].Raw = r.Signatures[owner].Raw })},
		{"insufficient number of signatures", validator.ErrNoAuditor, changed(func(r *request.Request) {
			r.Signatures = append(r.Signatures[:auditor:auditor], r.Signatures[auditor+1:]...)
		})},
		{"insufficient number of signatures", validator.ErrMissing,
			changed(func(r *request.Request) {
				r.Signatures = append(r.Signatures[:owner:owner], r.Signatures[owner+1:]...)
			})},
	} {
		_, _, err := v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", wrong.raw)
		require.ErrorContains(t, err, wrong.text)
		require.ErrorAs(t, err, new(*validator.RefusedError))
		if wrong.ours != nil {
			require.ErrorIs(t, err, wrong.ours)
		}
	}
	_, _, err = v.VerifyTokenRequestFromRaw(t.Context(), nil, "other", raw)
	require.Error(t, err)
	blind := testDriver
	blind.Own = nodeDriver{unread: io.ErrUnexpectedEOF}
	unread, err := newValidator(blind, pp)
	require.NoError(t, err)
	_, _, err = unread.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", raw)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "the node cannot read the actions")
	v.SetMinProtocolVersion(2)
	_, _, err = v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", raw)
	require.ErrorIs(t, err, driver.ErrVersionBelowMinimum)
	v.SetMinProtocolVersion(1)
	_, _, err = v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", raw)
	require.NoError(t, err)
}

// TestForeignGenerators: parameters with them are taken with the options of Load alone.
func TestForeignGenerators(t *testing.T) {
	n, _ := newRequest(t)
	pp := nodeParameters{raw: foreign.Generators(t, n.Params)}
	d := testDriver
	_, err := newValidator(d, pp)
	require.ErrorContains(t, err, "generators")
	d.Load.AllowForeignGenerators, d.Load.AllowForeignGeneratorsV2 = true, true
	_, err = newValidator(d, pp)
	require.NoError(t, err)
}

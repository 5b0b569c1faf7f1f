package adapter_test

import (
	"encoding/json"
	"io"
	"slices"
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

// validatorOf returns a validator of the network of a request.
func validatorOf(t *testing.T, n *fixture.Network, d adapter.Driver) driver.Validator {
	pp, err := d.PublicParametersFromBytes(n.Params.Encode())
	require.NoError(t, err)
	v, err := newValidator(d, pp)
	require.NoError(t, err)
	return v
}

// decoded returns a request with the auditor's signature first, which the fixture makes.
func decoded(t *testing.T, raw []byte) *request.Request {
	r, err := request.Decode(raw, request.DefaultLimits)
	require.NoError(t, err)
	require.NotNil(t, r.Signatures[0].Auditor)
	return r
}

// TestAttributes: the attributes of a request are its message and its signatures, the auditor's one
// first wherever it is.
func TestAttributes(t *testing.T) {
	n, raw := newRequest(t)
	v, r := validatorOf(t, n, testDriver), decoded(t, raw)
	message, err := r.Message("tx")
	require.NoError(t, err)
	var signatures [][]byte
	for _, s := range r.Signatures {
		signatures = append(signatures, s.Raw)
	}
	want, err := json.Marshal(signatures)
	require.NoError(t, err)
	r.Signatures = append(r.Signatures[1:], r.Signatures[0])
	for _, request := range [][]byte{raw, r.Encode()} {
		actions, attributes, err := v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", request)
		require.NoError(t, err)
		require.Len(t, actions, 1)
		require.Len(t, attributes, 2)
		require.Equal(t, message, attributes["message"])
		require.Equal(t, string(want), string(attributes["sigs"]))
	}
}

// TestRefusals: a refusal has the text or the sentinel that callers of a node look for, and our reason.
func TestRefusals(t *testing.T) {
	n, raw := newRequest(t)
	v := validatorOf(t, n, testDriver)
	for name, wrong := range map[string]struct {
		edit func(r *request.Request)
		text string
		ours error
	}{
		"no actions": {func(r *request.Request) { r.Actions = nil }, "empty token request",
			validator.ErrNoActions},
		"an owner's signature": {func(r *request.Request) { r.Signatures[1].Raw = r.Signatures[0].Raw },
			"failed signature verification", nil},
		"the auditor's signature": {func(r *request.Request) { r.Signatures[0].Raw = r.Signatures[1].Raw },
			"failed to verify auditor's signature", nil},
		"no auditor": {func(r *request.Request) { r.Signatures = r.Signatures[1:] },
			"insufficient number of signatures", validator.ErrNoAuditor},
		"no owner": {func(r *request.Request) { r.Signatures = slices.Delete(r.Signatures, 1, 2) },
			"insufficient number of signatures", validator.ErrMissing},
	} {
		t.Run(name, func(t *testing.T) {
			r := decoded(t, raw)
			wrong.edit(r)
			_, _, err := v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", r.Encode())
			require.ErrorContains(t, err, wrong.text)
			require.ErrorAs(t, err, new(*validator.RefusedError))
			if wrong.ours != nil {
				require.ErrorIs(t, err, wrong.ours)
			}
		})
	}
	verify := func(v driver.Validator, anchor driver.TokenRequestAnchor, raw []byte) error {
		_, _, err := v.VerifyTokenRequestFromRaw(t.Context(), nil, anchor, raw)
		return err
	}
	require.ErrorContains(t, verify(v, "tx", nil), "empty token request")
	require.Error(t, verify(v, "other", raw))
	blind := testDriver
	blind.Own = nodeDriver{unread: io.ErrUnexpectedEOF}
	require.ErrorIs(t, verify(validatorOf(t, n, blind), "tx", raw), io.ErrUnexpectedEOF,
		"the node cannot read the actions")
	v.SetMinProtocolVersion(2)
	require.ErrorIs(t, verify(v, "tx", raw), driver.ErrVersionBelowMinimum)
	v.SetMinProtocolVersion(1)
	require.NoError(t, verify(v, "tx", raw))
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

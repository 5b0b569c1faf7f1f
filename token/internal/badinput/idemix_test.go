package badinput_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// manyMembers makes requests of owners with many Idemix members, in a network
// without auditors. All members are the same pseudonym, which costs the same as
// different ones.
type manyMembers struct {
	action *transfer.Action
	params *params.Params
	wallet *library.Wallet
	keys   *idemix.Keys
	spent  int // cost of the opened owners
}

func newManyMembers(t testing.TB, curve string) *manyMembers {
	t.Helper()
	n := networktest.New(t, fixture.Config{Group: vectors.Curve(t, curve),
		Systems: []rangeproof.Kind{rangeproof.CSP}, TableBytes: 1 << 18})
	part := networktest.Parts(t, n, "transfers", 1, 1, 1)[0]
	m := &manyMembers{action: networktest.Transfer(t, n.Params.Group(), part.Action.Raw)}
	issuer, wallets := networktest.Idemix(t, n.Params.Group().ID(), 1)
	m.wallet = wallets[0]
	var err error
	m.keys, err = idemix.New([]idemix.Key{issuer.Key()})
	require.NoError(t, err)
	m.params, err = params.Setup(params.Config{
		Group: n.Params.Group(), Bits: 16, Issuers: n.Params.Issuers(),
		Idemix: []params.IdemixKey{params.IdemixKey(issuer.Key())}, TableBytes: 1 << 18,
	})
	require.NoError(t, err)
	return m
}

// validator returns a validator that counts the cost of the owners that it
// opens.
func (m *manyMembers) validator() *validator.Validator {
	registry := identity.Registry{identity.X509: x509.NewVerifier}
	m.keys.Register(registry)
	open := registry[identity.Idemix]
	registry[identity.Idemix] = func(raw []byte) (identity.Verifier, error) {
		v, err := open(raw)
		if c, ok := v.(identity.Costly); ok {
			m.spent += c.Cost()
		}
		return v, err
	}
	return validator.New(m.params, validator.Options{Identities: registry, Follow: request.V0_14})
}

// request returns a request of at most size bytes: inputs with one owner each,
// of the most members that fit, or that the verification budget allows. change
// edits the identity of each member, and
// the members sign the message returned by signed.
func (m *manyMembers) request(t testing.TB, s idemixSize, change func(id []byte),
	signed func(message []byte) []byte) []byte {
	t.Helper()
	id := bytes.Clone(m.wallet.Identity())
	change(id)
	const signatureLen = 160
	most := request.DefaultLimits.Verifications / m.keys.Cost()
	members := make([][]byte, (s.bytes-8192)/s.inputs/(len(id)+signatureLen))
	if s.fits {
		members = members[:min(most, len(members))]
	}
	signatures := make([][]byte, len(members))
	for i := range members {
		members[i] = id
	}
	a := *m.action
	a.Inputs = nil
	for i := range s.inputs {
		in := m.action.Inputs[0]
		in.ID.Index = uint64(i)
		in.Token.Owner = multisig.Encode(members...)
		a.Inputs = append(a.Inputs, in)
	}
	r := &request.Request{Actions: []request.Action{{Kind: request.Transfer,
		Raw: a.Encode(m.params.Group())}}}
	message, err := r.Message(anchor)
	require.NoError(t, err)
	signature, err := m.wallet.Sign(signed(message))
	require.NoError(t, err)
	for i := range signatures {
		signatures[i] = signature
	}
	for range s.inputs {
		r.Signatures = append(r.Signatures, request.Signature{Raw: multisig.Join(signatures...)})
	}
	raw := r.Encode()
	require.LessOrEqual(t, len(raw), s.bytes)
	require.True(t, s.fits || len(raw) > s.bytes*7/10, "not the worst")
	return raw
}

// lastResponse changes a scalar of the presentation.
func lastResponse(curve string) func(id []byte) {
	return func(id []byte) {
		if curve == "BN254" { // the response of the revocation handle ends the identity
			id[len(id)-1] ^= 1
			return
		}
		// The nonce follows the envelope, the pseudonym, and the main part.
		id[len(id)-identityLen+2+96+3+3+543+2+31] ^= 1
	}
}

// identityLen is the length of an identity of type 1 on BLS12-381 without its
// envelope, from an issuer of package idemix.
const identityLen = 1636

func asMade([]byte) {}

func whole(message []byte) []byte { return message }

func another(message []byte) []byte { return append(bytes.Clone(message), 0) }

// idemixCases are owners with many Idemix members.
var idemixCases = []struct {
	name, reason string
	make         func(t testing.TB, m *manyMembers, curve string, s idemixSize) []byte
}{
	{"unsigned", "signature of the pseudonym",
		func(t testing.TB, m *manyMembers, _ string, s idemixSize) []byte {
			return m.request(t, s, asMade, another)
		}},
	{"uncredentialed", "presentation", func(t testing.TB, m *manyMembers, curve string, s idemixSize) []byte {
		return m.request(t, s, lastResponse(curve), whole)
	}},
	{"credentialed", "", func(t testing.TB, m *manyMembers, _ string, s idemixSize) []byte {
		return m.request(t, s, asMade, whole)
	}},
}

// idemixSize is the size of a request with many members.
type idemixSize struct {
	name          string
	bytes, inputs int
	fits          bool // the members are within the verification budget
}

var (
	idemixCurves = []string{"BN254", "BLS12_381_BBS_GURVY", "BLS12_381_BBS_GURVY_FAST_RNG"}
	idemixSizes  = []idemixSize{
		{"budget", 64 << 10, 1, true}, {"64KiB", 64 << 10, 1, false}, {"1MiB", 1 << 20, 64, false},
	}
)

// TestManyIdemixMembers checks that Verifications bounds the members that are
// opened, and that more of them are refused before any signature is verified.
func TestManyIdemixMembers(t *testing.T) {
	for _, curve := range idemixCurves {
		m := newManyMembers(t, curve)
		v := m.validator()
		for _, size := range idemixSizes {
			for _, c := range idemixCases {
				raw := c.make(t, m, curve, size)
				m.spent = 0
				_, err := v.Validate(anchor, raw)
				what := fmt.Sprintf("%s %s %s: %v", curve, size.name, c.name, err)
				require.LessOrEqual(t, m.spent, request.DefaultLimits.Verifications+m.keys.Cost(), what)
				switch {
				case !size.fits:
					require.ErrorIs(t, err, validator.ErrManySigners, what)
				case c.reason == "":
					require.NoError(t, err, what)
				default:
					require.ErrorIs(t, err, identity.ErrSignature, what)
					require.ErrorContains(t, err, "owner of input 0: member 0: "+c.reason, what)
				}
			}
		}
	}
}

func BenchmarkWorstIdemix(b *testing.B) {
	for _, curve := range idemixCurves[:2] {
		m := newManyMembers(b, curve)
		v := m.validator()
		for _, size := range idemixSizes {
			for _, c := range idemixCases {
				raw := c.make(b, m, curve, size)
				b.Run(fmt.Sprintf("curve=%s/bytes=%s/input=%s", curve, size.name, c.name),
					func(b *testing.B) {
						m.spent = 0
						b.ReportAllocs()
						now, done := cputime.Thread()
						defer done()
						start := now()
						for b.Loop() {
							if _, err := v.Validate(anchor, raw); (err == nil) != (size.fits &&
								c.reason == "") {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64((now()-start).Nanoseconds())/float64(b.N), "cpu-ns/op")
						b.ReportMetric(float64(m.spent)/float64(b.N), "verifications/op")
					})
			}
		}
	}
}

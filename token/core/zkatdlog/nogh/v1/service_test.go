package v1_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

func orders(t *testing.T, curve string) (*fixture.Network, v1.Service, v1.TransferOrder) {
	t.Helper()
	g, err := curves.ByName(curve)
	require.NoError(t, err)
	n, err := fixture.NewNetwork(fixture.Config{Group: g, Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	service, order, err := n.TransferOrder(1, 2, 2, false)
	require.NoError(t, err)
	return n, service, order
}

// brokenTokens panic when they are loaded.
type brokenTokens struct{}

func (brokenTokens) Load(token.ID) (v1.Held, error) { panic("broken") }

func TestServiceErrors(t *testing.T) {
	_, service, order := orders(t, "BN254")
	twice := order
	twice.Spend = []token.ID{order.Spend[0], order.Spend[0]}
	_, err := service.Transfer(twice)
	require.ErrorIs(t, err, v1.ErrRepeated)

	unknown := order
	unknown.Spend = []token.ID{{TxID: "nowhere"}}
	_, err = service.Transfer(unknown)
	require.ErrorIs(t, err, fixture.ErrNotHeld)

	short := order
	short.Issuer = []byte{1}
	_, err = service.Transfer(short)
	require.ErrorIs(t, err, fixture.ErrNotHeld, "the issuer signs, whatever its identity")

	_, err = service.Transfer(v1.TransferOrder{})
	require.ErrorIs(t, err, transfer.ErrNothing)

	service.Tokens = brokenTokens{}
	_, err = service.Transfer(order)
	require.ErrorContains(t, err, "panicked")
}

// brokenSigner has no key.
type brokenSigner struct{ fixture.Wallet }

var errNoKey = errors.New("no key")

func (brokenSigner) Sign([]byte) ([]byte, error) { return nil, errNoKey }

// TestErrorsOfSignersAreReturned: a request without the signature of an owner is none.
func TestErrorsOfSignersAreReturned(t *testing.T) {
	n, _, _ := orders(t, "BN254")
	for at := range 2 {
		parts, err := n.Parts(fixture.Shape{Kind: "transfers", Inputs: 2, Outputs: 1}, 1)
		require.NoError(t, err)
		parts[0].Signers[at] = brokenSigner{}
		a, err := v1.Assemble("anchor", parts...)
		require.NoError(t, err)
		require.ErrorIs(t, a.Sign(), errNoKey)
	}
}

// TestMetadataIsWhatTheReferenceWrites checks that redeemed outputs have one
// receiver without identity, and that a transfer without an issuer names none.
func TestMetadataIsWhatTheReferenceWrites(t *testing.T) {
	n, _, _ := orders(t, "BN254")
	a, err := n.Request("tx", fixture.Shape{Kind: "redeems", Inputs: 1, Outputs: 2}, 1)
	require.NoError(t, err)
	md := a.Metadata.Actions[0]
	require.Len(t, md.Outputs[0].Receivers, 1)
	require.Empty(t, md.Outputs[0].Receivers[0].Identity)
	require.True(t, bytes.Equal(md.Issuer.Identity, n.Issuer.Identity()))
	a, err = n.Request("tx", fixture.Shape{Kind: "transfers", Inputs: 1, Outputs: 2}, 1)
	require.NoError(t, err)
	require.Nil(t, a.Metadata.Actions[0].Issuer)
}

// TestServicesOfNoParameters are not made, and make nothing.
func TestServicesOfNoParameters(t *testing.T) {
	_, service, order := orders(t, "BN254")
	for _, p := range []*params.Params{nil, {}} {
		made, err := v1.NewService(v1.Service{Params: p, Tokens: service.Tokens, Party: service.Party})
		require.ErrorIs(t, err, params.ErrInvalid)
		require.Nil(t, made.Tokens)
		_, err = v1.Service{Params: p, Tokens: service.Tokens, Party: service.Party}.Transfer(order)
		require.ErrorIs(t, err, params.ErrInvalid)
		_, err = v1.Service{Params: p, Tokens: service.Tokens, Party: service.Party}.Issue(v1.IssueOrder{Receive: []issue.Receive{{Owner: []byte{1}}}})
		require.ErrorIs(t, err, params.ErrInvalid)
	}
}

// forgetful is a party that lacks one key or one piece of audit information.
type forgetful struct {
	v1.Party
	signer, info []byte
}

func (f forgetful) Signer(id []byte) (identity.Signer, error) {
	if bytes.Equal(id, f.signer) {
		return nil, fixture.ErrNotHeld
	}
	return f.Party.Signer(id)
}

func (f forgetful) AuditInfo(id []byte) ([]byte, error) {
	if bytes.Equal(id, f.info) {
		return []byte("partial"), fixture.ErrNotHeld
	}
	return f.Party.AuditInfo(id)
}

// TestMissingPartiesAreNamed: a key or audit information that the party lacks.
func TestMissingPartiesAreNamed(t *testing.T) {
	n, _, _ := orders(t, "BN254")
	service, order, err := n.TransferOrder(1, 2, 3, true)
	require.NoError(t, err)
	first, err := service.Tokens.Load(order.Spend[0])
	require.NoError(t, err)
	second, err := service.Tokens.Load(order.Spend[1])
	require.NoError(t, err)
	honest := service.Party
	for _, c := range []struct {
		party forgetful
		want  string
	}{
		{forgetful{signer: second.Token.Owner}, ""}, {forgetful{signer: n.Issuer.Identity()}, ""},
		{forgetful{info: first.Token.Owner}, "owner of input 0: "}, {forgetful{info: second.Token.Owner}, "owner of input 1: "},
		{forgetful{info: order.Receive[1].Owner}, "owner of output 1: "},
	} {
		c.party.Party = honest
		service.Party = c.party
		_, err := service.Transfer(order)
		require.ErrorIs(t, err, fixture.ErrNotHeld)
		require.ErrorContains(t, err, c.want)
	}
	issuer, orderOfIssue, err := n.IssueOrder(1, 2)
	require.NoError(t, err)
	honest = issuer.Party
	for _, c := range []struct {
		party forgetful
		want  string
	}{
		{forgetful{signer: n.Issuer.Identity()}, ""}, {forgetful{info: n.Issuer.Identity()}, ""},
		{forgetful{info: orderOfIssue.Receive[0].Owner}, "owner of output 0: "},
	} {
		c.party.Party = honest
		issuer.Party = c.party
		_, err := issuer.Issue(orderOfIssue)
		require.ErrorIs(t, err, fixture.ErrNotHeld)
		require.ErrorContains(t, err, c.want)
	}
}

// TestInputsThatCannotBeSpentAreNamed: the second one is spent twice or not held.
func TestInputsThatCannotBeSpentAreNamed(t *testing.T) {
	_, service, order := orders(t, "BN254")
	for _, id := range []token.ID{order.Spend[0], {TxID: "nowhere"}} {
		changed := order
		changed.Spend = []token.ID{order.Spend[0], id}
		_, err := service.Transfer(changed)
		require.ErrorContains(t, err, "input 1: ")
	}
}

// counting is a party that counts how often it is asked for audit information.
type counting struct {
	v1.Party
	asked *int
}

func (c counting) AuditInfo(id []byte) ([]byte, error) {
	*c.asked++
	return c.Party.AuditInfo(id)
}

// TestAuditInformationIsAskedOnce for each owner, who is the receiver too.
func TestAuditInformationIsAskedOnce(t *testing.T) {
	_, service, order := orders(t, "BN254")
	asked := 0
	service.Party = counting{service.Party, &asked}
	_, err := service.Transfer(order)
	require.NoError(t, err)
	require.Equal(t, len(order.Spend)+len(order.Receive), asked)
}

package v1_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

func orders(t *testing.T) (*fixture.Network, v1.Service, v1.TransferOrder) {
	t.Helper()
	n := networktest.New(t, fixture.Config{})
	service, order, err := n.TransferOrder(1, 2, 2, false)
	require.NoError(t, err)
	return n, service, order
}

// brokenTokens panic when they are loaded.
type brokenTokens struct{}

func (brokenTokens) Load(token.ID) (v1.Held, error) { panic("broken") }

// failing is an executor that fails.
type failing struct{ executor.Serial }

func (failing) Run(int, func(int) error) error { return errEntropy }

// TestServiceErrors: of an order of nothing, an executor that fails, and a store that panics.
// TestEveryPlaceOfAnOrder has wrong tokens and missing keys.
func TestServiceErrors(t *testing.T) {
	_, service, order := orders(t)
	_, err := service.Transfer(v1.TransferOrder{})
	require.ErrorIs(t, err, proof.ErrNothing)
	service.Executor = failing{}
	_, err = service.Transfer(order)
	require.ErrorIs(t, err, errEntropy)
	service.Tokens = brokenTokens{}
	_, err = service.Transfer(order)
	require.ErrorContains(t, err, "panicked")
}

// panicking is a random source that panics after n bytes.
type panicking struct{ n int }

func (p *panicking) Read(b []byte) (int, error) {
	if p.n -= len(b); p.n < 0 {
		panic("no more bytes")
	}
	return len(b), nil
}

// TestAssembleNeverPanics: a random source that panics while Assemble makes a proof is an
// error.
func TestAssembleNeverPanics(t *testing.T) {
	n := network(t, onlyV2)
	service, order, err := n.TransferOrder(1, 1, 2, false)
	require.NoError(t, err)
	service.Random = &panicking{n: 32} // for the draft
	part, err := service.Transfer(order)
	require.NoError(t, err)
	_, err = v1.Assemble("tx", part)
	require.ErrorAs(t, err, new(*executor.PanicError))
}

// TestPartsAreAssembledAgain: a part of v2 has another proof in each request.
func TestPartsAreAssembledAgain(t *testing.T) {
	n := network(t, onlyV2)
	parts := networktest.Parts(t, n, "issues", 0, 1, 1)
	for _, anchor := range []string{"first", "second"} {
		a, err := v1.Assemble(anchor, parts...)
		require.NoError(t, err)
		require.NoError(t, a.Sign())
		require.NoError(t, a.Endorse(n.Audit(), n.Auditor))
		_, err = n.Validator(validator.Options{}).Validate(anchor, a.Request.Encode())
		require.NoError(t, err)
	}
}

// TestMetadataIsWhatTheReferenceWrites checks that redeemed outputs have one
// receiver without identity, and that a transfer without an issuer does not name one.
func TestMetadataIsWhatTheReferenceWrites(t *testing.T) {
	n, _, _ := orders(t)
	a := networktest.Request(t, n, "redeems", 1, 2, 1)
	md := a.Metadata.Actions[0]
	require.Equal(t, request.Transfer, md.Kind)
	require.Len(t, md.Outputs[0].Receivers, 1)
	require.Empty(t, md.Outputs[0].Receivers[0].Identity)
	require.True(t, bytes.Equal(md.Issuer.Identity, n.Issuer.Identity()))
	a = networktest.Request(t, n, "transfers", 1, 2, 1)
	require.Nil(t, a.Metadata.Actions[0].Issuer)
}

// TestServicesOfNoParameters are not made, and their methods return errors.
func TestServicesOfNoParameters(t *testing.T) {
	_, service, order := orders(t)
	for _, p := range []*params.Params{nil, {}} {
		made, err := v1.NewService(v1.Service{Params: p, Tokens: service.Tokens, Party: service.Party})
		require.ErrorIs(t, err, params.ErrInvalid)
		require.Nil(t, made.Tokens)
		_, err = v1.Service{Params: p, Tokens: service.Tokens, Party: service.Party}.Transfer(order)
		require.ErrorIs(t, err, params.ErrInvalid)
		_, err = v1.Service{Params: p, Tokens: service.Tokens,
			Party: service.Party}.Issue(v1.IssueOrder{Receive: []token.Receive{{Owner: []byte{1}}}})
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

// TestEveryPlaceOfAnOrder: of a right order, one token is unknown or ordered twice, or one
// key or piece of audit information is missing, or one signer fails: the error names it.
func TestEveryPlaceOfAnOrder(t *testing.T) {
	n := nightly.Pick(3, 10, 10)
	w := newWorld(t, params.Protocols{V1: true})
	book := fixture.NewBook(w.issuers[2])
	service := v1.Service{Params: w.params, Tokens: book, Party: book, Random: fixture.Random(1)}
	honest := v1.TransferOrder{Issuer: w.issuers[2].Identity()}
	issuing := v1.IssueOrder{Issuer: honest.Issuer, Type: "EUR"}
	var owners [2][][]byte
	for k := range owners {
		for i := range n {
			made := networktest.Wallet(t, uint64(100+n*k+i), "owner")
			book.Know(made)
			owners[k] = append(owners[k], made.Identity())
		}
	}
	for i := range n {
		in := w.spend(several{id: owners[0][i]}, false)
		book.Held[in.ID] = v1.Held{Token: in.Token, Opening: in.Opening}
		honest.Spend = append(honest.Spend, in.ID)
		honest.Receive = append(honest.Receive, token.Receive{Owner: owners[1][i], Value: 5})
		issuing.Receive = append(issuing.Receive, token.Receive{Owner: owners[1][i], Value: 5})
	}
	honest.Receive = slices.Insert(honest.Receive, 1, token.Receive{Value: uint64(n)}) // redeemed
	part, err := service.Transfer(honest)
	require.NoError(t, err)
	_, err = service.Issue(issuing)
	require.NoError(t, err)
	toAll := issuing
	toAll.Receive = []token.Receive{{Owner: multisig.Encode(owners[1]...)}}
	made, err := service.Issue(toAll)
	require.NoError(t, err)
	require.Len(t, made.Metadata.Outputs[0].Receivers, n)
	fails := func(err, want error, place string) {
		t.Helper()
		require.ErrorIs(t, err, want)
		require.ErrorContains(t, err, place)
	}
	spending := func(i int, id token.ID) error {
		order := honest
		order.Spend = slices.Clone(honest.Spend)
		order.Spend[i] = id
		_, err := service.Transfer(order)
		return err
	}
	without := func(forgets forgetful) (transferred, issued error) {
		forgets.Party = book
		other := service
		other.Party = forgets
		_, transferred = other.Transfer(honest)
		_, issued = other.Issue(issuing)
		return transferred, issued
	}
	for i := range n {
		place := fmt.Sprintf("input %d: ", i)
		for _, earlier := range honest.Spend[:i] {
			fails(spending(i, earlier), v1.ErrRepeated, place)
		}
		fails(spending(i, token.ID{TxID: honest.Spend[i].TxID, Index: 1 << 20}), fixture.ErrNotHeld, place)
		err, _ := without(forgetful{signer: owners[0][i]})
		fails(err, fixture.ErrNotHeld, "")
		err, _ = without(forgetful{info: owners[0][i]})
		fails(err, fixture.ErrNotHeld, "owner of "+place)
		transferred, issued := without(forgetful{info: owners[1][i]})
		fails(transferred, fixture.ErrNotHeld, fmt.Sprintf("owner of output %d: ", i+min(i, 1)))
		fails(issued, fixture.ErrNotHeld, fmt.Sprintf("owner of output %d: ", i))
	}
	for _, forgets := range []forgetful{{signer: honest.Issuer}, {info: honest.Issuer}} {
		transferred, issued := without(forgets)
		fails(issued, fixture.ErrNotHeld, "")
		require.Equal(t, forgets.signer != nil, transferred != nil)
	}
	for i := range part.Signers {
		broken := *part
		broken.Signers = slices.Clone(part.Signers)
		broken.Signers[i] = several{nil, func([]byte) ([]byte, error) { return nil, fixture.ErrNotHeld }}
		a := networktest.Assemble(t, &broken)
		require.ErrorIs(t, a.Sign(), fixture.ErrNotHeld)
	}
}

// TestLimitsOfEveryPart: a request is beyond the limits of any of its parts, not of the
// last one alone.
func TestLimitsOfEveryPart(t *testing.T) {
	n, _, _ := orders(t)
	var parts []*v1.Part
	for i := range uint64(10) {
		parts = append(parts, networktest.Parts(t, n, "issues", 0, 1, i)...)
	}
	for i, md := range networktest.Assemble(t, parts...).Metadata.Actions {
		require.Equal(t, uint32(i), md.ActionID)
		require.Equal(t, request.Issue, md.Kind)
	}
	for strict, part := range parts {
		part.Resources.MaxActions = len(parts) - 1
		_, err := v1.Assemble("tx", parts...)
		require.ErrorIs(t, err, request.ErrResources, strict)
		part.Resources.MaxActions = 0
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
	_, service, order := orders(t)
	asked := 0
	service.Party = counting{service.Party, &asked}
	_, err := service.Transfer(order)
	require.NoError(t, err)
	require.Equal(t, len(order.Spend)+len(order.Receive), asked)
}

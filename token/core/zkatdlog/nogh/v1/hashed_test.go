package v1_test

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

var allowHashed = params.Protocols{V1: true, V2: true, HashedOwners: true}

// hashedNetwork is a network with owners by hash and a party that has all keys.
type hashedNetwork struct {
	*fixture.Network
	testing.TB
	service v1.Service
	book    *fixture.Book
	made    int
}

func newHashedNetwork(t testing.TB, kind identity.Type, protocols params.Protocols) *hashedNetwork {
	t.Helper()
	n := networktest.New(t, fixture.Config{Owners: kind, Protocols: protocols})
	h := &hashedNetwork{Network: n, TB: t, book: fixture.NewBook(n.Issuer)}
	h.service = n.Service(h.book, 1)
	return h
}

// wallets returns plain wallets.
func (h *hashedNetwork) wallets(n int) (list []fixture.Wallet) {
	for i := range n {
		i, err := h.NewIssue(uint64(100+i), 1)
		require.NoError(h, err)
		h.book.Know(i.Receiver)
		list = append(list, i.Receiver)
	}
	return list
}

// order is an order to issue a token of value 7 to each owner.
func (h *hashedNetwork) order(byHash bool, owners ...[]byte) v1.IssueOrder {
	o := v1.IssueOrder{Issuer: h.Issuer.Identity(), Type: "EUR", Hashed: byHash}
	for _, owner := range owners {
		o.Receive = append(o.Receive, token.Receive{Owner: owner, Value: 7})
	}
	return o
}

// issue issues a token to each owner in one request, and returns their ids.
func (h *hashedNetwork) issue(byHash bool, owners ...[]byte) (ids []token.ID) {
	part, err := h.service.Issue(h.order(byHash, owners...))
	require.NoError(h, err)
	return h.accept(part)
}

func (h *hashedNetwork) transfer(byHash bool, spend []token.ID, to ...[]byte) (*v1.Part, error) {
	o := v1.TransferOrder{Spend: spend, Hashed: byHash}
	for range spend {
		o.Receive = append(o.Receive, token.Receive{Owner: to[len(o.Receive)%len(to)], Value: 7})
	}
	return h.service.Transfer(o)
}

// accept has the request of a part signed, audited, validated and received.
func (h *hashedNetwork) accept(parts ...*v1.Part) (ids []token.ID) {
	h.Helper()
	h.made++
	anchor := fmt.Sprint("tx", h.made)
	a, err := h.Signed(anchor, parts...)
	require.NoError(h, err)
	accepted, err := h.Validator(validator.Options{}).Validate(anchor, a.Request.Encode())
	require.NoError(h, err)
	require.Empty(h, accepted.Differences)
	for _, p := range parts {
		for _, md := range p.Metadata.Outputs {
			out := accepted.Created[len(ids)]
			ids = append(ids, out.ID)
			held, err := h.service.Receive(out.Token, md)
			require.NoError(h, err)
			h.book.Held[out.ID] = held
			typed := networktest.Typed(h, held.Token.Owner)
			require.Equal(h, typed.Type == identity.Hashed, held.Owner.Inner != nil)
		}
	}
	return ids
}

// TestOwnersByHashOfEveryKind issues tokens to owners of every kind by hash, and moves
// them to owners by hash and to plain ones.
func TestOwnersByHashOfEveryKind(t *testing.T) {
	for _, kind := range ownerKinds() {
		h := newHashedNetwork(t, kind, allowHashed)
		owners := h.ofEveryKind()
		for name, o := range owners {
			t.Run(fmt.Sprint(kind, " ", name), func(t *testing.T) {
				_, err := h.service.Issue(h.order(true, o.id))
				switch {
				case name == "script":
					require.ErrorIs(t, err, hashed.ErrInner)
					require.ErrorContains(t, err, "owner of output 0: inner identity: htlc")
					return
				case name == "policy" && kind != identity.X509: // three members
					require.ErrorIs(t, err, request.ErrResources)
					require.ErrorContains(t, err,
						"owner of output 0: beyond a resource limit: maxSignatureBytes is 4096, ")
					return
				}
				ids := h.issue(true, o.id, o.id, owners["plain"].id)
				for _, step := range []bool{true, false, true} { // by hash, plain, by hash again
					part, err := h.transfer(step, ids, o.id, owners["plain"].id)
					require.NoError(t, err)
					ids = h.accept(part)
				}
				part, err := h.service.Transfer(v1.TransferOrder{
					Spend: ids[:2], Issuer: h.Issuer.Identity(), Hashed: true,
					Receive: []token.Receive{{Value: 9}, {Owner: o.id, Value: 5}},
				})
				require.NoError(t, err)
				h.accept(part)
			})
		}
	}
}

// TestOwnersByHashNeedTheFlag: under every version of the reference, type 7 is an unknown type.
// Services of networks without the flag make no owner by hash, and TestEveryPlaceV1 and V2 have
// one in an output.
func TestOwnersByHashNeedTheFlag(t *testing.T) {
	allowed := newHashedNetwork(t, identity.X509, allowHashed)
	w := allowed.wallets(2)
	ids := allowed.issue(true, w[0].Identity())
	spending, err := allowed.transfer(false, ids, w[1].Identity())
	require.NoError(t, err)
	making, err := allowed.service.Issue(allowed.order(true, w[0].Identity()))
	require.NoError(t, err)
	for name, part := range map[string]*v1.Part{"spend": spending, "make": making} {
		t.Run(name, func(t *testing.T) {
			a, err := allowed.Signed("tx", part)
			require.NoError(t, err)
			_, err = allowed.Validator(validator.Options{}).Validate("tx", a.Request.Encode())
			require.NoError(t, err)
			for _, follow := range request.Versions {
				_, err = allowed.Validator(validator.Options{Follow: follow}).Validate("tx",
					a.Request.Encode())
				if name == "spend" {
					require.ErrorIs(t, err, identity.ErrUnknownType, follow)
				} else { // as for any unknown type: the token cannot be spent
					require.NoError(t, err)
				}
				_, err = audit.New(allowed.Params, audit.Options{Follow: follow}).Check(a.AuditRequest())
				require.ErrorIs(t, err, identity.ErrUnknownType, follow)
			}
		})
	}
	for _, protocols := range []params.Protocols{{V2: true}, {V1: true, V2: true}, {V1: true}} {
		h := newHashedNetwork(t, identity.X509, protocols)
		h.book.Know(w[0])
		_, err := h.service.Issue(h.order(true, w[0].Identity()))
		require.ErrorIs(t, err, params.ErrProtocol)
		_, err = h.transfer(true, h.issue(false, w[0].Identity()), w[0].Identity())
		require.ErrorIs(t, err, params.ErrProtocol)
	}
}

// TestOwnersByHashInActionsOfV1 are of an unknown type, also if the network allows them.
func TestOwnersByHashInActionsOfV1(t *testing.T) {
	n := network(t, allowHashed)
	part := oldIssue(t, n, 1)
	networktest.EditIssue(t, n, part, func(a *issue.Action) {
		a.Outputs[0].Owner = identity.Typed{Type: identity.Hashed, Raw: make([]byte, 32)}.Encode()
	})
	_, err := n.Validator(validator.Options{}).Validate("tx", networktest.Signed(t, n, part).Encode())
	require.ErrorIs(t, err, identity.ErrUnknownType)
	require.ErrorContains(t, err, "issue: owners: ")
}

// TestHashesElsewhere: a token of v1 spent by a v2 action cannot have an owner by hash, and
// neither an issuer nor the issuer of a redeem is one, though the signature shows a
// wallet with the hash.
func TestHashesElsewhere(t *testing.T) {
	h := newHashedNetwork(t, identity.X509,
		params.Protocols{V1: true, V2: true, SoundV1: true, HashedOwners: true})
	w := h.wallets(2)
	ids := h.issue(true, w[0].Identity(), w[1].Identity())
	plain := h.issue(false, w[0].Identity())
	held := h.book.Held[ids[1]]
	held.Token.V2 = false
	h.book.Held[ids[1]] = held
	for place, spend := range map[string][]token.ID{"1": {ids[0], ids[1]}, "0": {ids[1], ids[0]}} {
		t.Run(place, func(t *testing.T) {
			part, err := h.transfer(true, spend, w[0].Identity())
			require.NoError(t, err)
			r := networktest.Signed(t, h.Network, part)
			_, err = h.Validator(validator.Options{}).Validate("tx", r.Encode())
			require.ErrorIs(t, err, identity.ErrUnknownType)
			require.ErrorContains(t, err, "signatures: action 0: owner of input "+place+": hashed")
			a := networktest.Assemble(t, part)
			_, err = h.Audit().Check(a.AuditRequest())
			require.ErrorIs(t, err, identity.ErrUnknownType)
		})
	}

	digest, err := h.Params.OwnerDigest()
	require.NoError(t, err)
	o := hashed.Opening{Inner: w[0].Identity()}
	issuer := o.Owner(digest)
	h.book.Wallets[string(issuer)] = several{issuer, func(message []byte) ([]byte, error) {
		return new(hashed.Shown).Sign(o, w[0], message)
	}}
	for _, p := range []params.Config{{Issuers: [][]byte{issuer}},
		{Issuers: [][]byte{h.Issuer.Identity(), issuer}}} {
		p.Group, p.Bits, p.TableBytes, p.Protocols, p.Auditors = h.Params.Group(), 16, 1,
			h.Params.Protocols(), [][]byte{h.Auditor.Identity()}
		byHash, err := params.Setup(p)
		require.NoError(t, err)
		service := h.service
		service.Params = byHash
		redeem := v1.TransferOrder{Spend: plain, Issuer: issuer,
			Receive: []token.Receive{{Value: 3}, {Owner: w[0].Identity(), Value: 4}}}
		part, err := service.Transfer(redeem)
		require.NoError(t, err)
		parts := []*v1.Part{part}
		h.book.Wallets[string(issuer)] = audited{h.book.Wallets[string(issuer)]}
		order := h.order(false, w[0].Identity())
		order.Issuer = issuer
		part, err = service.Issue(order)
		require.NoError(t, err)
		for _, part := range append(parts, part) {
			r := networktest.Signed(t, h.Network, part)
			_, err = validator.New(byHash, validator.Options{}).Validate("tx", r.Encode())
			require.ErrorIs(t, err, identity.ErrUnknownType)
			require.ErrorContains(t, err, "signatures: action 0: issuer: hashed")
		}
	}
}

// audited is a wallet with audit information.
type audited struct{ fixture.Wallet }

func (audited) AuditInfo() ([]byte, error) { return []byte("information"), nil }

// TestReceiveRefusesWhatCannotBeSpent: a wallet refuses a token if its openings are wrong,
// or its owner could not sign within the limits. Package hashed tests all inner owners.
func TestReceiveRefusesWhatCannotBeSpent(t *testing.T) {
	h := newHashedNetwork(t, identity.X509, allowHashed)
	g, plain := h.Params.Group(), h.wallets(1)[0].Identity()
	digest, err := h.Params.OwnerDigest()
	require.NoError(t, err)
	held := h.book.Held[h.issue(true, plain)[0]]
	require.Equal(t, plain, held.Owner.Inner)
	sent := func(held v1.Held) (raw []byte, md request.OutputMetadata) {
		md.Opening = held.Opening.Encode(g)
		md.AuditInfo, err = hashed.Info{Opening: held.Owner}.Encode()
		require.NoError(t, err)
		return held.Token.Encode(g), md
	}
	commit := func(held *v1.Held, value uint64) {
		held.Opening.Value = g.Uint64(value)
		held.Token.Data = token.Commit(h.Params.Pedersen(), held.Opening.Type, value, held.Opening.Blinding)
	}
	give := func(held *v1.Held, inner []byte) {
		held.Owner, err = hashed.New(nil, inner)
		require.NoError(t, err)
		held.Token.Owner = held.Owner.Owner(digest)
	}
	ofLong := func(members int) []byte {
		var ids [][]byte
		for i := range members {
			ids = append(ids, identity.Typed{Type: identity.Idemix, Raw: make([]byte, 1000+i)}.Encode())
		}
		return multisig.Encode(ids...)
	}
	for name, c := range map[string]struct {
		edit func(held *v1.Held)
		want error
	}{
		"type":  {func(held *v1.Held) { held.Opening.Type = "USD" }, pedersen.ErrOpening},
		"value": {func(held *v1.Held) { held.Opening.Value = g.Uint64(8) }, pedersen.ErrOpening},
		"blinding": {func(held *v1.Held) {
			held.Opening.Blinding = g.Uint64(1)
		}, pedersen.ErrOpening},
		"largest value":      {func(held *v1.Held) { commit(held, 1<<16-1) }, nil},
		"larger value":       {func(held *v1.Held) { commit(held, 1<<16) }, token.ErrRange},
		"salt":               {func(held *v1.Held) { held.Owner.Salt[0] ^= 1 }, hashed.ErrHash},
		"token of v1":        {func(held *v1.Held) { held.Token.V2 = false }, identity.ErrUnknownType},
		"untyped owner":      {func(held *v1.Held) { held.Token.Owner = []byte("?") }, wire.ErrMalformed},
		"three long members": {func(held *v1.Held) { give(held, ofLong(3)) }, nil},
		"four long members": {func(held *v1.Held) { give(held, ofLong(4)) },
			request.ErrResources},
		"script": {func(held *v1.Held) {
			give(held, identity.Typed{Type: identity.HTLC, Raw: []byte("{}")}.Encode())
		}, hashed.ErrInner},
	} {
		t.Run(name, func(t *testing.T) {
			changed := held
			c.edit(&changed)
			got, err := h.service.Receive(sent(changed))
			require.ErrorIs(t, err, c.want)
			if c.want != nil {
				changed = v1.Held{}
			}
			require.Equal(t, changed, got)
		})
	}
	raw, md := sent(held)
	for _, c := range []struct {
		raw []byte
		md  request.OutputMetadata
	}{{nil, md}, {raw, request.OutputMetadata{AuditInfo: md.AuditInfo}},
		{raw, request.OutputMetadata{Opening: md.Opening}}} {
		_, err := h.service.Receive(c.raw, c.md)
		require.ErrorIs(t, err, wire.ErrMalformed)
	}
	_, err = v1.Service{}.Receive(raw, md)
	require.ErrorIs(t, err, params.ErrInvalid)
	_, err = newHashedNetwork(t, identity.X509, params.Protocols{V2: true}).service.Receive(raw, md)
	require.ErrorIs(t, err, params.ErrProtocol)

	// The limits are those of the service.
	give(&held, ofLong(3))
	raw, md = sent(held)
	longest, err := hashed.Longest(held.Owner.Inner, 5, 16)
	require.NoError(t, err)
	for limits, want := range map[request.Resources]error{
		{MaxSignatureBytes: longest}:     nil,
		{MaxSignatureBytes: longest - 1}: request.ErrResources,
		{MaxIdentityComponents: 3}:       nil,
		{MaxIdentityComponents: 2}:       hashed.ErrMembers,
	} {
		service := h.service
		service.Resources = limits
		_, err := service.Receive(raw, md)
		require.ErrorIs(t, err, want, "%+v", limits)
	}
}

// TestSaltsAreHedged: with a constant source, salts differ if the output, the secrets of
// the action or the owners differ.
func TestSaltsAreHedged(t *testing.T) {
	h := newHashedNetwork(t, identity.X509, allowHashed)
	w := h.wallets(2)
	a, b := w[0].Identity(), w[1].Identity()
	first, second := h.issue(false, a), h.issue(false, a)
	h.service.Random = constant{}
	salts := map[[hashed.SaltLen]byte]bool{}
	add := func(part *v1.Part, err error) {
		require.NoError(t, err)
		for _, o := range part.Owners {
			salts[o.Salt] = true
		}
	}
	for _, to := range [][]byte{a, b} {
		for value := range uint64(2) {
			order := h.order(true, a, to)
			order.Receive[0].Value = value
			add(h.service.Issue(order))
		}
	}
	add(h.transfer(true, first, a))
	add(h.transfer(true, second, a))
	for range 2 { // the same action has the same salt
		add(h.transfer(true, first, b))
	}
	add(h.service.Issue(h.order(true, slices.Repeat([][]byte{a}, 10)...)))
	require.Len(t, salts, 4*2+3+10)
}

// TestSaltsNeedRandomness: a source that ends is an error, and no salt is used twice.
func TestSaltsNeedRandomness(t *testing.T) {
	h := newHashedNetwork(t, identity.X509, allowHashed)
	w := h.wallets(1)
	order := h.order(true, w[0].Identity(), w[0].Identity())
	for n := range 32 { // the seed of the action
		h.service.Random = io.LimitReader(fixture.Random(1), int64(n))
		_, err := h.service.Issue(order)
		require.ErrorIs(t, err, group.ErrRandom, n)
	}
	h.service.Random = nil
	part, err := h.service.Issue(order)
	require.NoError(t, err)
	require.Len(t, part.Owners, 2)
	require.Equal(t, w[0].Identity(), order.Receive[0].Owner, "the order is not changed")
	h.book.Wallets[string(w[0].Identity())] = several{id: w[0].Identity()}
	h.service.Random = fixture.Random(2)
	_, err = h.service.Issue(order)
	require.ErrorContains(t, err, "owner of output 0: asked for an owner of several")
}

// TestModelOfOwnersByHash: wallets pay each other 1000 times, to owners by hash and to
// plain ones; every balance is right, and at the end every token is spent.
func TestModelOfOwnersByHash(t *testing.T) {
	m := newModel(t, params.Protocols{V2: true, HashedOwners: true})
	n := nightly.Pick(60, 400, 1000)
	m.run(n)
	require.Greater(t, m.byHash, n/4)
	require.Less(t, m.byHash, len(m.old)*3)
	to := m.wallets[0].Identity()
	for i, id := range slices.Clone(m.order) {
		if c, ok := m.coins[id]; ok {
			delete(m.coins, id)
			m.add(m.service().Transfer(v1.TransferOrder{Spend: []token.ID{id},
				Receive: []token.Receive{{Owner: to, Value: c.value}}}))
			m.commit(fmt.Sprint("last ", i))
		}
	}
	m.check()
}

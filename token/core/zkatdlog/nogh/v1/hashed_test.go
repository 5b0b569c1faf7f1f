package v1_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
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
	for _, kind := range []identity.Type{identity.X509, identity.Idemix, identity.IdemixNym} {
		h := newHashedNetwork(t, kind, allowHashed)
		w := h.wallets(2)
		owners := ownersOf(t, w[0], w[1])
		for name, o := range owners {
			if name != "plain" {
				h.book.Know(o)
			}
			switch {
			case name == "script":
				_, err := h.service.Issue(h.order(true, o.id))
				require.ErrorIs(t, err, hashed.ErrInner)
				require.ErrorContains(t, err, "owner of output 0: inner identity: htlc")
				continue
			case name == "policy" && kind != identity.X509: // three members
				_, err := h.service.Issue(h.order(true, o.id))
				require.ErrorIs(t, err, request.ErrResources)
				require.ErrorContains(t, err,
					"owner of output 0: beyond a resource limit: maxSignatureBytes is 4096, ")
				continue
			}
			ids := h.issue(true, o.id, o.id, owners["plain"].id)
			for _, step := range []bool{true, false, true} { // by hash, plain, by hash again
				part, err := h.transfer(step, ids, o.id, owners["plain"].id)
				require.NoError(t, err, "%s %s", kind, name)
				ids = h.accept(part)
			}
			part, err := h.service.Transfer(v1.TransferOrder{
				Spend: ids[:2], Issuer: h.Issuer.Identity(), Hashed: true,
				Receive: []token.Receive{{Value: 9}, {Owner: o.id, Value: 5}},
			})
			require.NoError(t, err)
			rest := h.accept(part)
			one, err := h.transfer(true, rest, o.id)
			require.Error(t, err, "5 are not 7")
			require.Nil(t, one)
		}
	}
}

// TestOwnersByHashNeedTheFlag: without the flag, for tokens of v1 and under every version
// of the reference, type 7 is an unknown type.
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
		order := h.order(true, w[0].Identity())
		_, err := h.service.Issue(order)
		require.ErrorIs(t, err, params.ErrProtocol)
		_, err = h.transfer(true, h.issue(false, w[0].Identity()), w[0].Identity())
		require.ErrorIs(t, err, params.ErrProtocol)
		order.Hashed, order.Receive[0].Owner = false,
			hashed.Opening{Inner: w[0].Identity()}.Owner(hashed.Digest{})
		h.book.Wallets[string(order.Receive[0].Owner)] = w[0]
		part, err := h.service.Issue(order)
		require.NoError(t, err)
		r := networktest.Signed(t, h.Network, part)
		_, err = h.Validator(validator.Options{}).Validate("tx", r.Encode())
		require.ErrorIs(t, err, identity.ErrUnknownType)
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

// TestAuditOfOwnersByHash changes each part of the audit information of each input and
// output. The auditor's report has the inner owners.
func TestAuditOfOwnersByHash(t *testing.T) {
	h := newHashedNetwork(t, identity.X509, allowHashed)
	w := h.wallets(3)
	a, b := w[0].Identity(), multisig.Encode(w[1].Identity(), w[2].Identity())
	h.book.Wallets[string(b)] = several{b, func(message []byte) ([]byte, error) {
		signatures, err := signedBy(message, w[1], w[2])
		return multisig.Join(signatures...), err
	}}
	ids := h.issue(true, a, b, a)
	part, err := h.transfer(true, ids, a, b)
	require.NoError(t, err)
	assembly := networktest.Assemble(t, part)
	audited, err := h.Audit().Check(assembly.AuditRequest())
	require.NoError(t, err)
	require.Equal(t, [][]byte{a, b, a}, audited.Actions[0].Senders)
	require.Equal(t, [][]byte{a, b, a}, audited.Actions[0].Receivers)
	for _, clear := range append(audited.Actions[0].Inputs, audited.Actions[0].Outputs...) {
		require.NoError(t, hashed.CheckLen(clear.Owner[len(clear.Owner)-32:]))
	}
	digest, err := h.Params.OwnerDigest()
	require.NoError(t, err)
	for at := range 6 {
		place := fmt.Sprintf("audit: action 0: input %d: sender: ", at%3)
		if at >= 3 {
			place = fmt.Sprintf("audit: action 0: output %d: owner: ", at%3)
		}
		owner := networktest.Typed(t, slices.Concat(ownersIn(t, h, assembly))[at])
		changed := func(name string, info func(old []byte) []byte) {
			md, err := request.DecodeMetadata(assembly.Metadata.Encode(), request.DefaultLimits)
			require.NoError(t, err)
			to := &md.Actions[0].Outputs[at%3].AuditInfo
			if at < 3 {
				to = &md.Actions[0].Inputs[at].Senders[0].AuditInfo
			}
			*to = info(*to)
			r := assembly.AuditRequest()
			r.Metadata = md.Encode()
			_, err = h.Audit().Check(r)
			require.Error(t, err, "%s%s", place, name)
			require.True(t, strings.HasPrefix(err.Error(), place), "%v is not %s: %s", err, place, name)
		}
		edit := func(name string, change func(i *hashed.Info)) {
			changed(name, func(old []byte) []byte {
				i, err := hashed.OpenInfo(digest, owner.Raw, old)
				require.NoError(t, err)
				i.Inner, i.Info = slices.Clone(i.Inner), slices.Clone(i.Info)
				change(&i)
				b, err := i.Encode()
				require.NoError(t, err)
				return b
			})
		}
		edit("salt", func(i *hashed.Info) { i.Salt[hashed.SaltLen-1] ^= 1 })
		edit("no inner", func(i *hashed.Info) { i.Inner = nil })
		edit("another inner", func(i *hashed.Info) { i.Inner = w[1].Identity() })
		edit("info", func(i *hashed.Info) { i.Info[len(i.Info)-1] ^= 1 })
		changed("nothing", func([]byte) []byte { return nil })
		changed("of the inner owner alone", func(old []byte) []byte {
			i, err := hashed.OpenInfo(digest, owner.Raw, old)
			require.NoError(t, err)
			return i.Info
		})
	}
	md := assembly.Metadata.Actions[0]
	md.Outputs[0].Receivers[0].Identity = h.book.Held[ids[0]].Token.Owner // a hash is not a receiver
	_, err = h.Audit().Check(assembly.AuditRequest())
	require.ErrorIs(t, err, audit.ErrParty)
	md.Outputs[0].Receivers[0].Identity = a
	md.Inputs[2].Senders[0].Identity = a
	_, err = h.Audit().Check(assembly.AuditRequest())
	require.ErrorIs(t, err, audit.ErrParty)
}

// ownersIn returns the owners of the inputs and of the outputs of the first action.
func ownersIn(t testing.TB, h *hashedNetwork, a *v1.Assembly) (inputs, outputs [][]byte) {
	t.Helper()
	action := networktest.Transfer(t, h.Params.Group(), a.Request.Actions[0].Raw)
	for _, in := range action.Inputs {
		inputs = append(inputs, in.Token.Owner)
	}
	for _, out := range action.Outputs {
		outputs = append(outputs, out.Owner)
	}
	return inputs, outputs
}

// TestReceiveRefusesWhatCannotBeSpent: a wallet refuses a token if its openings are wrong,
// or its owner could not sign within the limits.
func TestReceiveRefusesWhatCannotBeSpent(t *testing.T) {
	h := newHashedNetwork(t, identity.X509, allowHashed)
	w := h.wallets(2)
	part, err := h.service.Issue(h.order(true, w[0].Identity()))
	require.NoError(t, err)
	a, err := h.Signed("tx", part)
	require.NoError(t, err)
	accepted, err := h.Validator(validator.Options{}).Validate("tx", a.Request.Encode())
	require.NoError(t, err)
	raw, md, g := accepted.Created[0].Token, part.Metadata.Outputs[0], h.Params.Group()
	held, err := h.service.Receive(raw, md)
	require.NoError(t, err)
	require.Equal(t, w[0].Identity(), held.Owner.Inner)
	require.Equal(t, part.Owners[string(held.Token.Owner)], held.Owner)
	digest, err := h.Params.OwnerDigest()
	require.NoError(t, err)
	// to returns the token with another owner by hash.
	to := func(inner []byte) ([]byte, request.OutputMetadata) {
		o, err := hashed.New(nil, inner)
		require.NoError(t, err)
		tok, other := held.Token, md
		tok.Owner = o.Owner(digest)
		other.AuditInfo, err = hashed.Info{Opening: o}.Encode()
		require.NoError(t, err)
		return tok.Encode(g), other
	}
	refuse := func(want error, raw []byte, md request.OutputMetadata) {
		t.Helper()
		held, err := h.service.Receive(raw, md)
		require.ErrorIs(t, err, want)
		require.Zero(t, held)
	}
	wrong := md
	wrong.AuditInfo = nil
	refuse(wire.ErrMalformed, raw, wrong)
	info, err := hashed.Info{Opening: hashed.Opening{Inner: held.Owner.Inner}}.Encode()
	require.NoError(t, err)
	wrong.AuditInfo = info // without the salt
	refuse(hashed.ErrHash, raw, wrong)
	for _, change := range []func(o *token.Opening){
		func(o *token.Opening) { o.Type = "USD" }, func(o *token.Opening) {
			o.Value = g.Uint64(8)
		}, func(o *token.Opening) { o.Blinding = g.Uint64(1) },
	} {
		o, wrong := held.Opening, md
		change(&o)
		wrong.Opening = o.Encode(g)
		refuse(pedersen.ErrOpening, raw, wrong)
	}
	for value, want := range map[uint64]error{1<<16 - 1: nil, 1 << 16: token.ErrRange} {
		o, tok, other := held.Opening, held.Token, md
		o.Value = g.Uint64(value)
		other.Opening = o.Encode(g)
		tok.Data = token.Commit(h.Params.Pedersen(), o.Type, value, o.Blinding)
		_, err := h.service.Receive(tok.Encode(g), other)
		require.ErrorIs(t, err, want, value)
	}
	wrong.Opening = nil
	refuse(wire.ErrMalformed, raw, wrong)
	refuse(wire.ErrMalformed, nil, md)
	tok := held.Token
	tok.V2 = false
	refuse(identity.ErrUnknownType, tok.Encode(g), md)
	tok.Owner = []byte("?")
	refuse(wire.ErrMalformed, tok.Encode(g), md)

	plain := w[0].Identity()
	var many [][]byte
	for i := range 9 {
		many = append(many, identity.Typed{Type: identity.Idemix, Raw: make([]byte, 1000+i)}.Encode())
	}
	for _, c := range []struct {
		inner []byte
		want  error
	}{
		{multisig.Encode(plain, plain), identity.ErrRepeated},
		{identity.Typed{Type: identity.HTLC, Raw: []byte("{}")}.Encode(), hashed.ErrInner},
		{multisig.Encode(plain, identity.Typed{Type: identity.Hashed, Raw: make([]byte, 32)}.Encode()),
			hashed.ErrInner},
		{multisig.Encode(many...), request.ErrResources},
		{multisig.Encode(many[:4]...), request.ErrResources},
	} {
		raw, md := to(c.inner)
		refuse(c.want, raw, md)
	}
	raw, md = to(multisig.Encode(many[:3]...))
	_, err = h.service.Receive(raw, md)
	require.NoError(t, err)
	small := h.service
	longest, err := hashed.Longest(multisig.Encode(many[:3]...), 5, 16)
	require.NoError(t, err)
	small.Resources.MaxSignatureBytes = longest
	_, err = small.Receive(raw, md)
	require.NoError(t, err)
	small.Resources.MaxSignatureBytes--
	_, err = small.Receive(raw, md)
	require.ErrorIs(t, err, request.ErrResources)
	small.Resources = request.Resources{MaxIdentityComponents: 3}
	_, err = small.Receive(raw, md)
	require.NoError(t, err)
	small.Resources.MaxIdentityComponents--
	_, err = small.Receive(raw, md)
	require.ErrorIs(t, err, hashed.ErrMembers)
	_, err = v1.Service{}.Receive(raw, md)
	require.ErrorIs(t, err, params.ErrInvalid)
	none := newHashedNetwork(t, identity.X509, params.Protocols{V2: true})
	_, err = none.service.Receive(raw, md)
	require.ErrorIs(t, err, params.ErrProtocol)
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
	n := nightly.Pick(120, 400, 1000)
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

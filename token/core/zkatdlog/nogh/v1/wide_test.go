package v1_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// A wide request has actions of all kinds, and lists of every kind of item with more
// than five items. A test changes one item after the other; all parties sign the change,
// so that only the rule about the item can refuse it. Add a new kind of owner
// to ownersOf, and ways to make it wrong to unspendable.
type wide struct {
	*world
	anchor  string
	turn    int
	actions []*wideAction
	ledger  map[token.ID]string
	honest  []request.Signature
}

// wideAction is one action with its signers, in the order of their signatures.
type wideAction struct {
	kind    request.Kind
	raw     []byte
	signers []identity.Signer
}

// world is a network with three issuers and three auditors, and owners of every kind.
type world struct {
	testing.TB
	params            *params.Params
	issuers, auditors []*x509.Wallet
	owners            []several                 // of every kind but scripts
	parties           []several                 // owners that may be parties of others
	openings          map[string]hashed.Opening // of owners by hash
	alice, stranger   *x509.Wallet
	members           [][]byte // of the multisig owner, the first of owners
	tokens            int
	unspent           map[string]unspendable
}

func newWorld(t testing.TB, protocols params.Protocols) *world { return newWorldOf(t, protocols, 3) }

// newWorldOf is newWorld with other numbers of issuers and auditors.
func newWorldOf(t testing.TB, protocols params.Protocols, signers int) *world {
	t.Helper()
	w, seed := &world{TB: t, openings: map[string]hashed.Opening{}}, uint64(0)
	wallet := func(name string) *x509.Wallet {
		seed++
		return networktest.Wallet(t, seed, name)
	}
	var issuers, auditors [][]byte
	for range signers {
		w.issuers, w.auditors = append(w.issuers, wallet("issuer")), append(w.auditors, wallet("auditor"))
		issuers, auditors = append(issuers, w.issuers[len(issuers)].Identity()),
			append(auditors, w.auditors[len(auditors)].Identity())
	}
	w.alice, w.stranger = wallet("alice"), wallet("stranger")
	bob := wallet("bob")
	owners := ownersOf(t, w.alice, bob)
	w.members = [][]byte{w.alice.Identity(), bob.Identity()}
	delete(owners, "script")
	owners["with a proof"] = several{multisig.Encode(w.alice.Identity(), proved(right)),
		func(message []byte) ([]byte, error) {
			raw, err := w.alice.Sign(message)
			return multisig.Join(raw, []byte(right)), err
		}}
	for _, name := range slices.Sorted(maps.Keys(owners)) {
		w.owners = append(w.owners, owners[name])
	}
	w.parties = w.owners
	var err error
	w.params, err = params.Setup(params.Config{
		Group: vectors.Curve(t, "BN254"), Bits: 16, TableBytes: 1, Protocols: protocols, Issuers: issuers,
		Auditors: auditors,
	})
	require.NoError(t, err)
	if digest, err := w.params.OwnerDigest(); err == nil && protocols.HashedOwners {
		for _, inner := range []several{{w.alice.Identity(), w.alice.Sign}, w.parties[0]} {
			o, err := hashed.New(fixture.Random(seed), inner.id)
			require.NoError(t, err)
			inner.id = o.Owner(digest)
			w.owners, w.openings[string(inner.id)] = append(w.owners, inner), o
		}
	}
	return w
}

// proved is an identity with a proof, which is right or not. Its signature is equal to it.
func proved(proof string) []byte { return identity.Typed{Type: 77, Raw: []byte(proof)}.Encode() }

const right = "right proof"

var errProof = errors.New("wrong proof")

type provedVerifier string

func (v provedVerifier) Begin(_ identity.Message, signature []byte) (identity.Task, error) {
	return round.TaskOf(func(round.Round) error {
		if string(signature) != string(v) {
			return identity.ErrSignature
		}
		return nil
	}), nil
}

func (v provedVerifier) BeginOpen() (identity.Task, error) {
	return round.TaskOf(func(round.Round) error {
		if v != right {
			return errProof
		}
		return nil
	}), nil
}

// owner returns owner i of a list with all kinds.
func (w *world) owner(i int) several { return w.owners[i%len(w.owners)] }

func (w *world) party(i int) several { return w.parties[i%len(w.parties)] }

// lock returns script i, and the owner of a token with it. A claim is due, or its sender
// has the token back.
func (w *world) lock(i int, claim bool) (htlc.Script, several) {
	s := htlc.Script{
		Sender: w.party(i).id, Recipient: w.party(i + 1).id, Deadline: now.Add(time.Hour),
		HashInfo: htlc.NewLock(preimage(i)),
	}
	signer := several{nil, func(message []byte) ([]byte, error) {
		return htlc.Sign(w.party(i+1), message, preimage(i))
	}}
	if !claim {
		s.Deadline, signer = now.Add(-time.Hour), w.party(i)
	}
	id, err := s.Encode()
	require.NoError(w, err)
	signer.id = id
	return s, signer
}

func preimage(i int) []byte { return fmt.Append(nil, "pre-image ", i) }

// spend makes a token of value 6 to spend; ids share a transaction or an index.
func (w *world) spend(owner several, upgrade bool) transfer.Spend {
	w.tokens++
	g, blinding := w.params.Group(), w.params.Group().Uint64(uint64(w.tokens)+100)
	s := transfer.Spend{
		ID: token.ID{TxID: fmt.Sprint("made", w.tokens%2), Index: uint64(w.tokens / 2)},
		Token: token.Token{
			Owner: owner.id, Data: token.Commit(w.params.Pedersen(), "EUR", 6, blinding),
			V2: !upgrade && proof.Of(w.params).Format().MarksTokens,
		},
		Opening: token.Opening{Type: "EUR", Value: g.Uint64(6), Blinding: blinding},
	}
	if upgrade {
		s.Upgrade = &transfer.Upgrade{Clear: token.Clear{Owner: owner.id, Type: "EUR", Quantity: "0x6"},
			Blinding: blinding}
	}
	return s
}

// addTransfer adds a transfer of the tokens of owners. Every third token from index first on
// is upgraded. Receivers without identity redeem.
func (r *wide) addTransfer(first int, from, to []several, metadata map[string][]byte, issuer *x509.Wallet) {
	var spends []transfer.Spend
	var receives []token.Receive
	for i, owner := range from {
		_, byHash := r.openings[string(owner.id)]
		s := r.spend(owner, first >= 0 && i%3 == first%3 && !byHash)
		raw := s.Token.Encode(r.params.Group())
		if s.Upgrade != nil {
			var err error
			raw, err = s.Upgrade.Clear.Encode()
			require.NoError(r, err)
		}
		r.ledger[s.ID] = string(raw)
		spends = append(spends, s)
	}
	for range to {
		receives = append(receives, token.Receive{Value: 1})
	}
	for j := range to {
		receives[j].Owner = to[j].id
	}
	receives[len(to)-1].Value = uint64(6*len(from) - len(to) + 1)
	d, err := transfer.Sender{Params: r.params, Random: fixture.Random(uint64(r.tokens))}.Draft(spends,
		receives)
	require.NoError(r, err)
	d.Action.Metadata = metadata
	a := &wideAction{kind: request.Transfer}
	for _, owner := range from {
		a.signers = append(a.signers, owner)
	}
	if issuer != nil {
		d.Action.Issuer, a.signers = issuer.Identity(), append(a.signers, issuer)
	}
	require.NoError(r, d.Prove(proof.Place{Anchor: r.anchor, Index: len(r.actions)}))
	a.raw = d.Encode()
	r.actions = append(r.actions, a)
}

// addIssue adds an issue that burns clear tokens.
func (r *wide) addIssue(burned int, to []several, issuer *x509.Wallet) {
	var receives []token.Receive
	for _, owner := range to {
		receives = append(receives, token.Receive{Owner: owner.id, Value: 1})
	}
	d, err := issue.Issuer{Params: r.params, Identity: issuer.Identity(),
		Random: fixture.Random(uint64(len(r.actions)))}.Draft("EUR", receives)
	require.NoError(r, err)
	for range burned {
		s := r.spend(r.owner(r.tokens), true)
		raw, err := s.Upgrade.Clear.Encode()
		require.NoError(r, err)
		r.ledger[s.ID] = string(raw)
		d.Action.Inputs = append(d.Action.Inputs, issue.Input{ID: s.ID, Token: raw})
	}
	d.Action.Metadata = map[string][]byte{"pub.a": {1}, "pub.b": {2}}
	require.NoError(r, d.Prove(proof.Place{Anchor: r.anchor, Index: len(r.actions)}))
	r.actions = append(r.actions, &wideAction{request.Issue, d.Encode(), []identity.Signer{issuer}})
}

// wide makes a wide request. Every list begins with item number turn of its kinds, so
// that over all turns each kind of item stands before each other one.
func (w *world) wide(turn int) *wide { return w.wider(turn, 7, 3) }

// wider is wide with other numbers of outputs and of burned tokens, and with as many
// actions as outputs, but six at least.
func (w *world) wider(turn, outputs, burned int) *wide {
	r := &wide{world: w, anchor: "tx", turn: turn, ledger: map[token.ID]string{}}
	kinds := func(n int) (list []several) {
		for i := range n {
			list = append(list, w.owner(turn+i))
		}
		return list
	}
	issuer := func(i int) *x509.Wallet { return w.issuers[(turn+i)%len(w.issuers)] }
	script, locked := w.lock(0, true)
	r.addTransfer(-1, []several{locked}, []several{{id: script.Recipient}},
		map[string][]byte{script.HashInfo.ClaimKey(): preimage(0)}, nil)
	r.addIssue(burned, kinds(outputs-1), issuer(0))
	// Locks stand among other owners, behind and before redeemed outputs, with public entries.
	for _, redeemed := range []bool{false, true} {
		to, metadata := kinds(outputs), map[string][]byte{"pub.a": {1}, "pub.z": {2}}
		for j := range to {
			switch (j + turn) % 3 {
			case 0:
				var s htlc.Script
				s, to[j] = w.lock(10+j, true)
				key, value := s.HashInfo.LockEntry()
				metadata[key] = value
			case 1:
				if redeemed {
					to[j] = several{}
				}
			}
		}
		if redeemed {
			r.addTransfer(turn+1, slices.Repeat([]several{w.owner(turn)}, outputs), to, metadata, issuer(1))
		} else {
			r.addTransfer(turn, kinds(outputs), to, metadata, nil)
		}
	}
	r.addIssue(2, kinds(2), issuer(2))
	script, locked = w.lock(1, false)
	r.addTransfer(-1, []several{locked}, []several{{id: script.Sender}}, nil, nil)
	for i := 2; len(r.actions) < outputs-1; i++ {
		r.addIssue(1, kinds(1), issuer(i))
		script, locked = w.lock(i, false)
		r.addTransfer(-1, []several{locked}, []several{{id: script.Sender}}, nil, nil)
	}
	r.honest = r.signed(change{}).Signatures
	return r
}

// change is a test's edit of a wide request: to an action before it is signed, or to the
// signed request.
type change struct {
	at      int // index of the action
	part    any // func(*transfer.Action), func(*issue.Action) or func(*wideAction)
	request func(*request.Request)
	early   bool // a rule refuses it before signatures of owners and issuers
}

// signed returns the request after a change, signed by all parties. For a rule that
// comes before signatures of owners and issuers these are of the request without the
// change.
func (r *wide) signed(c change) *request.Request {
	g, actions, req := r.params.Group(), slices.Clone(r.actions), &request.Request{}
	if c.part != nil {
		changed := *actions[c.at]
		changed.signers = slices.Clone(changed.signers)
		actions[c.at] = &changed
		switch edit := c.part.(type) {
		case func(*transfer.Action):
			a := r.transferAt(c.at)
			edit(a)
			changed.raw = a.Encode(g)
		case func(*issue.Action):
			a := r.issueAt(c.at)
			edit(a)
			changed.raw = a.Encode(g)
		case func(*wideAction):
			edit(&changed)
		}
	}
	for _, a := range actions {
		req.Actions = append(req.Actions, request.Action{Kind: a.kind, Raw: a.raw})
	}
	if c.part == nil && r.honest != nil {
		req.Signatures = slices.Clone(r.honest)
		if c.request != nil {
			c.request(req)
		}
		return req
	}
	message, err := req.Message(r.anchor)
	require.NoError(r, err)
	for _, auditor := range r.auditors {
		raw, err := auditor.Sign(message)
		require.NoError(r, err)
		req.Signatures = append(req.Signatures, request.Signature{Auditor: auditor.Identity(), Raw: raw})
	}
	if c.early {
		req.Signatures = append(req.Signatures, r.honest[len(r.auditors):]...)
		return req
	}
	var shown hashed.Shown
	for _, kind := range []request.Kind{request.Issue, request.Transfer} {
		for i, a := range actions {
			for _, signer := range a.signers {
				if a.kind != kind {
					continue
				}
				raw, err := signer.Sign(message)
				if o, byHash := r.openings[string(signer.Identity())]; byHash {
					raw, err = shown.Sign(o, signer, message)
				}
				require.NoError(r, err)
				req.Signatures = append(req.Signatures, request.Signature{ActionID: uint32(i), Raw: raw})
			}
		}
	}
	return req
}

func (r *wide) transferAt(i int) *transfer.Action {
	return networktest.Transfer(r, r.params.Group(), r.actions[i].raw)
}

func (r *wide) issueAt(i int) *issue.Action {
	return networktest.Issue(r, r.params.Group(), r.actions[i].raw)
}

// listed returns the tokens that action i spends and makes.
func (r *wide) listed(i int) (spent []token.ID, made []token.Token) {
	if r.actions[i].kind == request.Issue {
		a := r.issueAt(i)
		for _, in := range a.Inputs {
			spent = append(spent, in.ID)
		}
		return spent, a.Outputs
	}
	a := r.transferAt(i)
	for _, in := range a.Inputs {
		spent = append(spent, in.ID)
	}
	return spent, a.Outputs
}

// Has and Knows make a wide request the ledger of its inputs.
func (r *wide) Has(id token.ID, raw []byte) (bool, error) {
	stored, ok := r.ledger[id]
	return ok && stored == string(raw), nil
}

func (r *wide) Knows(anchor string) (bool, error) { return anchor != r.anchor, nil }

// validator returns a validator with the options of a test.
func (r *wide) validator(o validator.Options) *validator.Validator {
	o.Now = func() time.Time { return now }
	o.Identities = identity.Registry{
		identity.X509: x509.NewKeys(ecdsap256.New(16)).Verifier,
		77:            func(raw []byte) (identity.Verifier, error) { return provedVerifier(raw), nil },
	}
	return validator.New(r.params, o)
}

package v1_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// wrong is a change of a wide request with its refusal.
type wrong struct {
	name string
	change
	want  string // how the error begins
	err   error  // nil is any
	batch string // in a batch, if it differs
	lost  bool   // the ledger does not have the token spent
	id    token.ID
}

// TestEveryPlaceV1, V2 and OfHashedOwners: of a right request, with every list longer than
// five, each item is made wrong alone. The refusal names the rule, the action and the
// item, alone and in a block with right requests. Tests of single wrong items elsewhere
// are not about one item.
func TestEveryPlaceV1(t *testing.T) { everyPlace(t, params.Protocols{V1: true}) }

func TestEveryPlaceV2(t *testing.T) { everyPlace(t, both) }

func TestEveryPlaceOfHashedOwners(t *testing.T) {
	everyPlace(t, params.Protocols{V1: true, V2: true, HashedOwners: true})
}

func everyPlace(t *testing.T, protocols params.Protocols) {
	t.Parallel()
	w := newWorld(t, protocols)
	for turn := range nightly.Pick(1, 1, 12) {
		r := w.wide(turn)
		judge := r.validator(validator.Options{Ledger: r})
		honest := validator.Submission{Anchor: r.anchor, Raw: r.signed(change{}).Encode()}
		_, err := judge.Validate(honest.Anchor, honest.Raw)
		require.NoError(t, err)
		t.Logf("turn %d: %d wrong items", turn, r.refuses(judge, honest, r.wrongs()))
	}
}

// place is a place in the name of a wrong item or in its refusal.
var place = regexp.MustCompile(`(input|output|commitment|signature|action) (\d+)`)

// TestPlacesBehindTheEighth: the same with more than eight items in each list, for the
// items behind the eighth one, some of each kind.
func TestPlacesBehindTheEighth(t *testing.T) {
	t.Parallel()
	r := newWorldOf(t, both, 10).wider(0, 10, 10)
	judge := r.validator(validator.Options{Ledger: r})
	honest := validator.Submission{Anchor: r.anchor, Raw: r.signed(change{}).Encode()}
	_, err := judge.Validate(honest.Anchor, honest.Raw)
	require.NoError(t, err)
	kinds := map[string]int{}
	far := slices.DeleteFunc(r.wrongs(), func(c wrong) bool {
		behind, kind := c.at > 7, c.name+c.want
		for _, found := range place.FindAllStringSubmatch(kind, -1) {
			n, _ := strconv.Atoi(found[2])
			behind = behind || n > 7
		}
		if behind {
			kind = number.ReplaceAllString(kind, "")
			kinds[kind]++
		}
		return !behind || kinds[kind] > 8
	})
	t.Logf("%d wrong items", r.refuses(judge, honest, far))
}

var number = regexp.MustCompile(`\d+`)

// refuses requires the refusal of each wrong item, alone and in a block, and returns how many
// are in the block.
func (r *wide) refuses(judge *validator.Validator, honest validator.Submission, list []wrong) int {
	var block []validator.Submission
	var want []string
	t, turn, kinds := r.TB, r.turn, map[string]int{}
	for _, c := range list {
		kind := number.ReplaceAllString(c.name+c.want, "")
		if kinds[kind]++; (kinds[kind]-1+turn)%nightly.Pick(99, 2, 1) != 0 {
			continue // by day some of each kind
		}
		require.NotContains(t, c.want, "%!")
		stored := r.ledger[c.id]
		if c.lost {
			r.ledger[c.id] = stored + "?"
		}
		raw := r.signed(c.change).Encode()
		_, err := judge.Validate(r.anchor, raw)
		what := fmt.Sprintf("turn %d: action %d: %s: %s", turn, c.at, c.name, c.want)
		require.ErrorAs(t, err, new(*validator.RefusedError), what)
		require.True(t, strings.HasPrefix(err.Error(), c.want), "%s\ngot %v", what, err)
		if c.err != nil {
			require.ErrorIs(t, err, c.err, what)
		}
		if c.lost {
			r.ledger[c.id] = stored
			continue
		}
		block, want = append(block, validator.Submission{Anchor: r.anchor, Raw: raw}),
			append(want, cmp.Or(c.batch, err.Error()))
		if len(block)%5 == turn%5 {
			block, want = append(block, honest), append(want, "")
		}
	}
	for i, got := range judge.ValidateBatch(block) {
		if want[i] == "" {
			require.NoError(t, got.Err, i)
			continue
		}
		require.ErrorContains(t, got.Err, want[i], i)
	}
	return len(want)
}

// wrongs lists the wrong items of a wide request, each at every place.
func (r *wide) wrongs() (list []wrong) {
	for at, a := range r.actions {
		add := func(name, rule, place string, err error, part any) {
			list = append(list, wrong{
				name: name, change: change{at: at, part: part, early: rule != "signatures"},
				want: fmt.Sprintf("%s: action %d: %s", rule, at, place), err: err,
			})
		}
		// Of many proofs in one equation the wrong one is named only in a batch.
		prove := func(name string, part any) {
			list = append(list,
				wrong{name: name, change: change{at: at, part: part}, want: "proofs: ",
					batch: fmt.Sprintf("proofs: action %d: ", at)})
		}
		add("unreadable", "actions", "", wire.ErrMissing, func(a *wideAction) { a.raw = []byte{0} })
		if a.kind == request.Issue {
			r.wrongIssue(r.issueAt(at), add, prove)
		} else {
			r.wrongTransfer(r.transferAt(at), add, prove)
		}
	}
	return slices.Concat(list, r.wrongInputs(), r.wrongSignatures())
}

type (
	adder  = func(name, rule, place string, err error, part any)
	prover = func(name string, part any)
)

func (r *wide) wrongIssue(a *issue.Action, add adder, prove prover) {
	g := r.params.Group()
	if a.Protocol() == proof.Composed {
		add("system", "issue: proof system", "", params.ErrNoSystem, func(a *issue.Action) {
			a.Proof.Kind = rangeproof.Bulletproof
		})
	}
	for name, issuer := range map[string][]byte{"stranger": r.stranger.Identity(),
		"longer": append(bytes.Clone(a.Issuer), 0), "shorter": a.Issuer[:len(a.Issuer)-1],
		"owner": r.alice.Identity()} {
		add("issuer: "+name, "issue: issuer", "", validator.ErrNotIssuer, func(a *issue.Action) {
			a.Issuer = issuer
		})
	}
	for i := range a.Inputs {
		add("burned", "issue: inputs", fmt.Sprintf("input %d: ", i), validator.ErrBurn,
			func(a *issue.Action) { a.Inputs[i].Token = a.Outputs[0].Encode(g) })
	}
	for j := range a.Outputs {
		for name, owner := range r.unspendableAt(j) {
			rule, place := owner.rule("issue", j)
			add("owner: "+name, rule, place, owner.err, func(a *issue.Action) {
				a.Outputs[j].Owner = owner.id
			})
		}
		prove(fmt.Sprint("commitment ", j), func(a *issue.Action) {
			a.Outputs[j].Data = g.AddPoints(a.Outputs[j].Data, g.Generator())
		})
	}
	for _, key := range unknownKeys {
		add("key "+key, "issue: metadata", "", validator.ErrMetadata, func(a *issue.Action) {
			a.Metadata[key] = nil
		})
	}
	prove("proof", func(a *issue.Action) { a.Proof.Raw = flipped(a.Proof.Raw) })
}

// unknownKeys are keys of metadata that no rule knows, before, among and behind others.
var unknownKeys = []string{"!", "a.pub.b", "htlc.lh", "htlc.pub.", "pub", "puba", "Pub.c", "z", "zpub."}

func (r *wide) wrongTransfer(a *transfer.Action, add adder, prove prover) {
	g, v2 := r.params.Group(), a.Protocol() == proof.Whole
	if !v2 {
		add("system", "transfer: proof system", "", params.ErrNoSystem, func(a *transfer.Action) {
			a.Proof.Kind = rangeproof.Bulletproof
		})
	}
	const redeem = "transfer: redeem"
	if a.Redeems() {
		add("no issuer", redeem, "", validator.ErrNoIssuer, func(a *transfer.Action) { a.Issuer = nil })
		for _, issuer := range [][]byte{r.stranger.Identity(), append(bytes.Clone(a.Issuer), 0),
			a.Issuer[:len(a.Issuer)-1], a.Inputs[0].Token.Owner} {
			add("issuer", redeem, "", validator.ErrNotIssuer, func(a *transfer.Action) { a.Issuer = issuer })
		}
	} else {
		for _, issuer := range r.issuers {
			add("idle issuer", redeem, "", validator.ErrIdleIssuer, func(a *transfer.Action) {
				a.Issuer = issuer.Identity()
			})
		}
	}
	for i, in := range a.Inputs {
		r.wrongInput(a, i, in, v2, add)
	}
	for j, out := range a.Outputs {
		place := fmt.Sprintf("output %d: ", j)
		prove(fmt.Sprint("commitment ", j), func(a *transfer.Action) {
			a.Outputs[j].Data = g.AddPoints(a.Outputs[j].Data, g.Generator())
		})
		if out.IsRedeemed() {
			continue
		}
		for name, owner := range r.unspendableAt(j) {
			rule, place := owner.rule("transfer", j)
			if owner.later && (len(a.Outputs) == 1 || script(r, out.Owner) != nil) {
				continue // the rule of scripts comes first
			}
			add("owner: "+name, rule, place, owner.err, func(a *transfer.Action) {
				a.Outputs[j].Owner = owner.id
			})
		}
		if len(a.Outputs) == 1 { // of a script
			for _, owner := range append(r.owners, several{id: r.stranger.Identity()}) {
				if !bytes.Equal(owner.id, out.Owner) {
					add("receiver", scripts, "input 0: ", validator.ErrScript, func(a *transfer.Action) {
						a.Outputs[j].Owner = owner.id
					})
				}
			}
			continue
		}
		late, _ := r.lock(20, false)
		owner, err := late.Encode()
		require.NoError(r, err)
		add("deadline", scripts, place, validator.ErrScript, func(a *transfer.Action) {
			a.Outputs[j].Owner = owner
		})
		_, other := r.lock(21, true)
		add("lock without entry", scripts, "", validator.ErrMetadata, func(a *transfer.Action) {
			a.Outputs[j].Owner = other.id
		})
		for k, first := range a.Outputs[:j] {
			if script(r, first.Owner) != nil {
				add(fmt.Sprint("lock of output ", k), scripts, place, validator.ErrMetadata,
					func(a *transfer.Action) { a.Outputs[j].Owner = first.Owner })
			}
		}
	}
	for key := range a.Metadata {
		if strings.HasPrefix(key, "pub.") {
			continue
		}
		add("no entry "+key, scripts, "", validator.ErrMetadata, func(a *transfer.Action) {
			delete(a.Metadata, key)
		})
		for name, value := range map[string][]byte{"flipped": flipped(a.Metadata[key]),
			"longer": append(bytes.Clone(a.Metadata[key]), 0), "empty": nil} {
			add(name+" entry "+key, scripts, "", validator.ErrMetadata, func(a *transfer.Action) {
				a.Metadata[key] = value
			})
		}
	}
	for _, key := range unknownKeys {
		add("key "+key, scripts, "", validator.ErrMetadata, func(a *transfer.Action) {
			if a.Metadata == nil {
				a.Metadata = map[string][]byte{}
			}
			a.Metadata[key] = nil
		})
	}
	prove("proof", func(a *transfer.Action) { a.Proof.Raw = flipped(a.Proof.Raw) })
}

const scripts = "transfer: scripts and metadata"

// script returns the script of an owner, or nil.
func script(r *wide, owner []byte) *htlc.Script {
	typed, err := identity.Decode(owner)
	if err != nil || typed.Type != identity.HTLC {
		return nil
	}
	s, err := htlc.Decode(typed.Raw)
	require.NoError(r, err)
	return &s
}

// wrongInput lists faults of input i.
func (r *wide) wrongInput(a *transfer.Action, i int, in transfer.Input, v2 bool, add adder) {
	g, place := r.params.Group(), fmt.Sprintf("input %d: ", i)
	_, locked := r.lock(22, true)
	if len(a.Inputs) > 1 {
		add("script", scripts, place, validator.ErrScript, func(a *transfer.Action) {
			a.Inputs[i].Token.Owner = locked.id
			if u := a.Inputs[i].Upgrade; u != nil {
				u.Clear.Owner = locked.id
			}
		})
	}
	const upgrades = "transfer: upgrade witnesses"
	switch {
	case in.Upgrade != nil:
		for name, edit := range map[string]func(u *transfer.Upgrade){
			"value": func(u *transfer.Upgrade) {
				u.Clear.Quantity = "0x7"
			}, "type": func(u *transfer.Upgrade) { u.Clear.Type = "EU" },
			"owner":    func(u *transfer.Upgrade) { u.Clear.Owner = r.stranger.Identity() },
			"blinding": func(u *transfer.Upgrade) { u.Blinding = g.Add(u.Blinding, g.Uint64(1)) },
		} {
			add("upgrade: "+name, upgrades, place, validator.ErrUpgrade, func(a *transfer.Action) {
				edit(a.Inputs[i].Upgrade)
			})
		}
		add("upgrade: range", upgrades, place, token.ErrRange, func(a *transfer.Action) {
			u := a.Inputs[i].Upgrade
			u.Clear.Quantity = token.FormatQuantity(1 << 16)
			a.Inputs[i].Token.Data = token.Commit(r.params.Pedersen(), u.Clear.Type, 1<<16, u.Blinding)
		})
	case v2:
		add("origin", "transfer: origin of inputs", place, validator.ErrOrigin, func(a *transfer.Action) {
			a.Inputs[i].Token.V2 = false
		})
	default:
		add("not upgraded", upgrades, place, validator.ErrUpgrade, func(a *transfer.Action) {
			a.Inputs[i].Upgrade = &transfer.Upgrade{Clear: token.Clear{Owner: in.Token.Owner, Type: "EUR",
				Quantity: "0x6"}}
		})
	}
	if in.Upgrade == nil {
		add("token", "inputs", "", validator.ErrNotOnLedger, func(a *transfer.Action) {
			a.Inputs[i].Token.Data = g.AddPoints(a.Inputs[i].Token.Data, g.Generator())
		})
	}
}

// unspendable is an owner of a new token who cannot spend it.
type unspendable struct {
	id    []byte
	err   error
	later bool // a proof, checked with the signatures
}

// rule returns the rule that refuses the owner of output j.
func (u unspendable) rule(kind string, j int) (rule, place string) {
	if u.later {
		return "signatures", fmt.Sprintf("owner of output %d: ", j)
	}
	return kind + ": owners", fmt.Sprintf("output %d: ", j)
}

// unspendable lists owners, with the wrong member of several at every place.
func (w *world) unspendable() map[string]unspendable {
	if w.unspent != nil {
		return w.unspent
	}
	unknown, deep := identity.Typed{Type: 99, Raw: []byte("?")}.Encode(), w.alice.Identity()
	for range request.DefaultResources.MaxIdentityDepth + 1 {
		deep = multisig.Encode(deep)
	}
	_, locked := w.lock(23, true)
	w.unspent = map[string]unspendable{
		"unknown type": {unknown, identity.ErrUnknownType, false}, "untyped": {[]byte("?"), nil, false},
		"too deep": {deep, request.ErrResources, false},
		"nobody":   {multisig.Encode(), wire.ErrCount, false},
	}
	byHash := identity.Typed{Type: identity.Hashed, Raw: make([]byte, 32)}.Encode()
	if w.params.Protocols().HashedOwners {
		for _, n := range []int{0, 31, 33} {
			w.unspent[fmt.Sprint("hash of ", n)] = unspendable{identity.Typed{Type: identity.Hashed,
				Raw: make([]byte, n)}.Encode(), wire.ErrLength, false}
		}
	} else {
		w.unspent["hash"] = unspendable{byHash, identity.ErrUnknownType, false}
	}
	for name, bad := range map[string]unspendable{
		"hash":    {byHash, identity.ErrUnknownType, false},
		"unknown": {unknown, identity.ErrUnknownType, false},
		"script":  {locked.id, validator.ErrNestedScript, false},
		"twice":   {w.alice.Identity(), identity.ErrRepeated, false}, "unreadable": {[]byte{1}, nil, false},
		"wrong proof": {proved("wrong"), errProof, true},
		"nested":      {multisig.Encode(w.stranger.Identity(), unknown), identity.ErrUnknownType, false},
	} {
		for m := range 3 {
			members := [][]byte{w.alice.Identity(), w.issuers[0].Identity(), w.issuers[1].Identity()}
			if name == "twice" && m == 0 {
				members[1] = bad.id
			}
			members[m] = bad.id
			text := "$0 OR $1 OR $2"
			either, err := policy.Policy{Text: text, Members: members}.Encode()
			require.NoError(w, err)
			w.unspent[fmt.Sprintf("multisig %s %d", name, m)] = unspendable{multisig.Encode(members...),
				bad.err, bad.later}
			w.unspent[fmt.Sprintf("policy %s %d", name, m)] = unspendable{either, bad.err, bad.later}
		}
		if name == "twice" {
			continue
		}
		for m := range 2 {
			s := htlc.Script{Sender: w.alice.Identity(), Recipient: w.stranger.Identity(),
				Deadline: now.Add(time.Hour), HashInfo: htlc.NewLock(preimage(30))}
			*[]*[]byte{&s.Sender, &s.Recipient}[m] = bad.id
			id, err := s.Encode()
			require.NoError(w, err)
			if !bad.later { // the entry of the script is missing before
				w.unspent[fmt.Sprintf("script %s %d", name, m)] = unspendable{id, bad.err, false}
			}
		}
	}
	return w.unspent
}

// unspendableAt returns unspendable owners for output j: every seventh, and one of each rule.
func (r *wide) unspendableAt(j int) map[string]unspendable {
	all := r.unspendable()
	chosen := map[string]unspendable{}
	for n, name := range slices.Sorted(maps.Keys(all)) {
		if n%7 == (j+r.turn)%7 || name == "unknown type" || name == "multisig unknown 1" ||
			name == "multisig wrong proof 1" {
			chosen[name] = all[name]
		}
	}
	return chosen
}

// wrongInputs lists tokens that are spent twice or are not on the ledger.
func (r *wide) wrongInputs() (list []wrong) {
	var seen []token.ID
	for at, a := range r.actions {
		want := fmt.Sprintf("inputs: action %d: ", at)
		ids, _ := r.listed(at)
		for i, id := range ids {
			list = append(list,
				wrong{name: "lost", change: change{at: at, early: true}, want: want,
					err: validator.ErrNotOnLedger, lost: true, id: id})
			for _, earlier := range seen {
				edit := any(func(a *transfer.Action) { a.Inputs[i].ID = earlier })
				if a.kind == request.Issue {
					edit = func(a *issue.Action) { a.Inputs[i].ID = earlier }
				}
				list = append(list, wrong{
					name:   fmt.Sprint("input ", i, " is ", earlier),
					change: change{at: at, part: edit, early: true}, want: want,
					err: validator.ErrRepeatedInput,
				})
			}
			seen = append(seen, id)
		}
	}
	return list
}

// wrongSignatures lists requests with one signature wrong, missing, twice, or of
// another action.
func (r *wide) wrongSignatures() (list []wrong) {
	add := func(name, want string, err error, edit func(req *request.Request)) {
		list = append(list, wrong{name: name, change: change{request: edit}, want: want, err: err})
	}
	for i := range r.actions {
		add(fmt.Sprint("no bytes of action ", i), "request: ", wire.ErrMissing, func(req *request.Request) {
			req.Actions[i].Raw = nil
		})
		for _, kind := range []request.Kind{0, 3} {
			add(fmt.Sprint("kind of action ", i), "request: ", nil, func(req *request.Request) {
				req.Actions[i].Kind = kind
			})
		}
	}
	add("none of an auditor", "auditors: ", validator.ErrNoAuditor, func(req *request.Request) {
		req.Signatures = req.Signatures[len(r.auditors):]
	})
	honest := r.signed(change{})
	message, err := honest.Message(r.anchor)
	require.NoError(r, err)
	strange, err := r.stranger.Sign(message)
	require.NoError(r, err)
	for s, signature := range honest.Signatures {
		at := fmt.Sprintf("signature %d", s)
		add(at+" empty", "request: ", wire.ErrMissing, func(req *request.Request) {
			req.Signatures[s].Raw = nil
		})
		insert := func(place int, extra request.Signature) func(req *request.Request) {
			return func(req *request.Request) { req.Signatures = slices.Insert(req.Signatures, place, extra) }
		}
		add("stranger before "+at, "auditors: ", validator.ErrNotAuditor,
			insert(s, request.Signature{Auditor: r.stranger.Identity(), Raw: strange}))
		if signature.Auditor != nil {
			for place := range len(honest.Signatures) + 1 {
				add(fmt.Sprint(at, " again at ", place), "auditors: ", validator.ErrExtra,
					insert(place, signature))
			}
			add(at, "signatures: auditor: ", identity.ErrSignature, func(req *request.Request) {
				req.Signatures[s].Raw = strange
			})
			continue
		}
		add(at+" missing", "signature list: ", nil, func(req *request.Request) {
			req.Signatures = slices.Delete(req.Signatures, s, s+1)
		})
		add(at+" twice", "signature list: ", nil, insert(s, signature))
		for _, other := range []uint32{signature.ActionID + 1, signature.ActionID - 1,
			signature.ActionID + 1<<8, signature.ActionID + 1<<16} {
			add(at+" of another action", fmt.Sprintf("signature list: action %d: ", signature.ActionID),
				validator.ErrActionID, func(req *request.Request) {
					req.Signatures[s].ActionID = other
				})
		}
		if byHash, err := hashed.DecodeSignature(signature.Raw); err == nil {
			r.wrongHash(byHash, honest.Signatures[len(r.auditors):s],
				func(name string, reason error, raw []byte) {
					add(at+" "+name, "hashed owners: "+r.roles()[s-len(r.auditors)], reason,
						func(req *request.Request) { req.Signatures[s].Raw = raw })
				})
		}
		for k, raw := range spoiled(signature.Raw, strange) {
			add(fmt.Sprint(at, " in part ", k), "signatures: "+r.roles()[s-len(r.auditors)],
				identity.ErrSignature, func(req *request.Request) {
					req.Signatures[s].Raw = raw
				})
		}
	}
	add("one more", "signature list: ", validator.ErrExtra, func(req *request.Request) {
		req.Signatures = append(req.Signatures, req.Signatures[len(req.Signatures)-1])
	})
	return list
}

// wrongHash calls add for signatures of an owner by hash that do not show it, or not as
// the earlier ones of the request require.
func (r *wide) wrongHash(honest hashed.Signature, before []request.Signature,
	add func(name string, reason error, raw []byte)) {
	shown := [][]byte(nil)
	for _, s := range before {
		if read, err := hashed.DecodeSignature(s.Raw); err == nil && read.Earlier == 0 {
			shown = append(shown, read.Inner)
		}
	}
	change := func(name string, reason error, edit func(s *hashed.Signature)) {
		changed := honest
		edit(&changed)
		raw, err := changed.Encode()
		require.NoError(r, err)
		add(name, reason, raw)
	}
	change("salt", hashed.ErrHash, func(s *hashed.Signature) { s.Salt[15] ^= 1 })
	change("without", wire.ErrMissing, func(s *hashed.Signature) { s.Raw = nil })
	for e := range len(shown) + 3 {
		if e > 0 && e != int(honest.Earlier) {
			want := hashed.ErrHash
			if e > len(shown) {
				want = hashed.ErrEarlier
			}
			change(fmt.Sprint("refers to ", e), want, func(s *hashed.Signature) {
				s.Inner, s.Earlier = nil, uint8(e)
			})
		}
	}
	for name, inner := range map[string][]byte{"stranger": r.stranger.Identity(),
		"longer": append(bytes.Clone(r.alice.Identity()), 0)} {
		change("shows "+name, hashed.ErrHash, func(s *hashed.Signature) { s.Inner, s.Earlier = inner, 0 })
	}
	if honest.Earlier > 0 {
		change("shows again", hashed.ErrAgain, func(s *hashed.Signature) {
			s.Inner, s.Earlier = shown[s.Earlier-1], 0
		})
	}
}

// roles lists the signers in the order of their signatures, after the auditors.
func (r *wide) roles() (roles []string) {
	for _, kind := range []request.Kind{request.Issue, request.Transfer} {
		for at, a := range r.actions {
			for s := range a.signers {
				role := "issuer"
				if a.kind == request.Transfer && s < len(r.transferAt(at).Inputs) {
					role = fmt.Sprint("owner of input ", s)
				}
				if a.kind == kind {
					roles = append(roles, fmt.Sprintf("action %d: %s: ", at, role))
				}
			}
		}
	}
	return roles
}

// spoiled returns a signature with each of its parts replaced by another one.
func spoiled(raw, other []byte) (list [][]byte) {
	var claim htlc.Claim
	if json.Unmarshal(raw, &claim) == nil {
		for _, part := range spoiled(claim.RecipientSignature, other) {
			changed, err := json.Marshal(htlc.Claim{RecipientSignature: part, Preimage: claim.Preimage})
			if err == nil {
				list = append(list, changed)
			}
		}
		return list
	}
	if s, err := hashed.DecodeSignature(raw); err == nil {
		for _, part := range spoiled(s.Raw, other) {
			s.Raw = part
			if changed, err := s.Encode(); err == nil {
				list = append(list, changed)
			}
		}
		return list
	}
	parts, err := wire.Container("signature", raw, 1, 64)
	if err != nil {
		return [][]byte{other}
	}
	for m := range parts {
		if len(parts[m]) == 0 {
			continue
		}
		for _, part := range spoiled(parts[m], other) {
			changed := slices.Clone(parts)
			changed[m] = part
			list = append(list, wire.AppendContainer(nil, changed...))
		}
	}
	return list
}

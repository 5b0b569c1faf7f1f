package v1_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// Signer implements v1.Party for all owners of the world.
func (w *world) Signer(id []byte) (identity.Signer, error) {
	for _, owner := range w.owners {
		if bytes.Equal(owner.id, id) {
			return owner, nil
		}
	}
	for _, issuer := range w.issuers {
		if bytes.Equal(issuer.Identity(), id) {
			return issuer, nil
		}
	}
	return nil, fixture.ErrNotHeld
}

// AuditInfo implements v1.Party: of identities with a proof it is text.
func (w *world) AuditInfo(id []byte) ([]byte, error) {
	typed, err := identity.Decode(id)
	if err != nil || typed.Type != identity.X509 {
		return []byte("proved"), err
	}
	info, err := x509.NewAuditInfo(id)
	if err != nil {
		return nil, err
	}
	return info.Encode()
}

// wideAudit is a wide request as services make it, with its metadata.
type wideAudit struct {
	*world
	*v1.Assembly
	encoded []byte // the metadata
}

// wideAudit makes transfers, issues and redeems from and to owners of all kinds. In networks
// with owners by hash all outputs have one.
func (w *world) wideAudit(turn int) *wideAudit {
	g := w.params.Group()
	book := fixture.NewBook()
	service, err := v1.NewService(v1.Service{Params: w.params, Tokens: book, Party: w,
		Random: fixture.Random(uint64(turn))})
	require.NoError(w, err)
	kinds := func(n int) (list []several) {
		for i := range n {
			list = append(list, w.owner(turn+i))
		}
		return list
	}
	const n = 10 // tokens of each list
	var parts []*v1.Part
	for k := range 3 {
		var part *v1.Part
		to, byHash := kinds(n), len(w.openings) > 0
		for j := range to {
			switch {
			case byHash:
				to[j] = w.parties[(turn+j)%3]
			case (j+turn)%3 == 0:
				_, to[j] = w.lock(40+j, true)
			}
		}
		issuer := w.issuers[(turn+k)%len(w.issuers)].Identity()
		if k == 1 {
			order := v1.IssueOrder{Issuer: issuer, Type: "EUR", Hashed: byHash}
			for j, owner := range to {
				order.Receive = append(order.Receive, token.Receive{Owner: owner.id, Value: uint64(3 + j)})
			}
			part, err = service.Issue(order)
		} else {
			order := v1.TransferOrder{Hashed: byHash}
			for _, from := range kinds(n) {
				in := w.spend(from, false)
				book.Held[in.ID] = v1.Held{Token: in.Token, Opening: in.Opening,
					Owner: w.openings[string(from.id)]}
				order.Spend = append(order.Spend, in.ID)
			}
			left := uint64(6 * n)
			for j, owner := range to {
				value := uint64(3 + j%7)
				if j == n-1 {
					value = left
				}
				left -= value
				if k == 2 && (j+turn)%3 == 1 {
					owner.id, order.Issuer = nil, issuer
				}
				order.Receive = append(order.Receive, token.Receive{Owner: owner.id, Value: value})
			}
			part, err = service.Transfer(order)
		}
		require.NoError(w, err)
		parts = append(parts, part)
	}
	for _, part := range parts {
		maps.Copy(w.openings, part.Owners)
	}
	assembled := networktest.Assemble(w, parts...)
	// The service burns no tokens.
	burning := networktest.Issue(w, g, assembled.Request.Actions[1].Raw)
	for i := range uint64(n) {
		id := token.ID{TxID: fmt.Sprint("old", i%2), Index: i / 2}
		burning.Inputs = append(burning.Inputs, issue.Input{ID: id, Token: []byte("clear")})
		md := &assembled.Metadata.Actions[1]
		md.Inputs = append(md.Inputs, request.InputMetadata{ID: id})
	}
	assembled.Request.Actions[1].Raw = burning.Encode(g)
	return &wideAudit{w, assembled, assembled.Metadata.Encode()}
}

func (w *world) auditor(o audit.Options) *audit.Auditor {
	o.Matchers = audit.Matchers{
		identity.X509: audit.AtOnce(x509.Match),
		77: audit.AtOnce(func(_, info []byte) error {
			if string(info) != "proved" {
				return x509.ErrNoMatch
			}
			return nil
		}),
	}
	return audit.New(w.params, o)
}

// TestEveryPlaceOfMetadata: of a right request, each item of the metadata and each known
// input is made wrong alone. The refusal names the action and the item.
func TestEveryPlaceOfMetadata(t *testing.T) {
	for name, protocols := range map[string]params.Protocols{"v1": {V1: true}, "v2": both,
		"owners by hash": allowHashed} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, protocols)
			for turn := range nightly.Pick(1, 1, 12) {
				r := w.wideAudit(turn)
				auditor := w.auditor(audit.Options{})
				audited, err := auditor.Check(r.AuditRequest())
				require.NoError(t, err)
				r.requireInTheClear(audited)
				kinds, wrongs := map[string]int{}, 0
				for i := range r.Metadata.Actions {
					wrong := func(what, place string, reason error,
						edit func(md *request.ActionMetadata, known map[token.ID]token.Clear)) {
						kind := what + number.ReplaceAllString(place, "")
						if kinds[kind]++; (kinds[kind]-1)%nightly.Pick(99, 2, 1) != 0 {
							return // by day some of each kind
						}
						wrongs++
						md, err := request.DecodeMetadata(r.encoded, request.DefaultLimits)
						require.NoError(t, err)
						changed := r.AuditRequest()
						changed.Inputs = maps.Clone(changed.Inputs)
						edit(&md.Actions[i], changed.Inputs)
						changed.Metadata = md.Encode()
						_, err = auditor.Check(changed)
						what = fmt.Sprintf("%s, turn %d: action %d: %s%s", name, turn, i, place, what)
						refused := new(audit.RefusedError)
						require.ErrorAs(t, err, &refused, what)
						require.True(t,
							strings.HasPrefix(err.Error(), fmt.Sprintf("audit: action %d: %s", i, place)),
							"%s\ngot %v", what, err)
						if reason != nil {
							require.ErrorIs(t, err, reason, what)
						}
					}
					r.wrongMetadata(i, wrong)
				}
				t.Logf("%s, turn %d: %d wrong items", name, turn, wrongs)
			}
		})
	}
}

// TestEveryTokenIsAudited: one token of another type or beyond the range, with its right
// opening, and an issuer who is not listed. Proofs are left to the validator.
func TestEveryTokenIsAudited(t *testing.T) {
	w := newWorld(t, params.Protocols{V1: true})
	r := w.wideAudit(1)
	g, auditor := w.params.Group(), w.auditor(audit.Options{})
	check := func(i int, raw []byte, md *request.Metadata, place string, want error) {
		t.Helper()
		changed, actions := r.AuditRequest(), slices.Clone(r.Request.Actions)
		actions[i].Raw = raw
		changed.Raw, changed.Metadata = (&request.Request{Actions: actions}).Encode(), md.Encode()
		_, err := auditor.Check(changed)
		require.ErrorIs(t, err, want, "%d %s", i, place)
		require.ErrorContains(t, err, fmt.Sprintf("audit: action %d: %s", i, place))
	}
	for i, action := range r.Request.Actions {
		for j := range r.Metadata.Actions[i].Outputs {
			for typ, value := range map[string]uint64{"USD": 1, "EUR": 1 << 16} {
				t.Run(typ, func(t *testing.T) {
					md, err := request.DecodeMetadata(r.encoded, request.DefaultLimits)
					require.NoError(t, err)
					o, err := token.DecodeOpening(g, md.Actions[i].Outputs[j].Opening)
					require.NoError(t, err)
					o.Type, o.Value = typ, g.Uint64(value)
					md.Actions[i].Outputs[j].Opening = o.Encode(g)
					raw := r.edited(action, func(outputs []token.Token) {
						outputs[j].Data = token.Commit(w.params.Pedersen(), typ, value, o.Blinding)
					}, func(*[]byte) {})
					if value > w.params.MaxValue() {
						check(i, raw, md, fmt.Sprintf("output %d: ", j), audit.ErrRange)
					} else {
						check(i, raw, md, fmt.Sprintf("output %d: ", max(j, 1)), audit.ErrTypes)
					}
				})
			}
		}
		listed := w.issuers[(1+i)%3].Identity()
		for _, issuer := range [][]byte{w.stranger.Identity(), listed[:len(listed)-1],
			append(bytes.Clone(listed), 0)} {
			md, err := request.DecodeMetadata(r.encoded, request.DefaultLimits)
			require.NoError(t, err)
			if i == 0 || i == 1 && !bytes.Equal(issuer, w.stranger.Identity()) {
				continue // without an issuer; not an identity
			}
			md.Actions[i].Issuer = &request.Party{Identity: issuer,
				AuditInfo: w.infoOf(w.stranger.Identity())}
			check(i, r.edited(action, func([]token.Token) {}, func(in *[]byte) { *in = issuer }), md, "",
				audit.ErrListed)
		}
	}
}

// edited returns an action with other outputs and another issuer.
func (r *wideAudit) edited(action request.Action, outputs func([]token.Token), issuer func(*[]byte)) []byte {
	g := r.params.Group()
	if action.Kind == request.Issue {
		a := networktest.Issue(r, g, action.Raw)
		outputs(a.Outputs)
		issuer(&a.Issuer)
		return a.Encode(g)
	}
	a := networktest.Transfer(r, g, action.Raw)
	outputs(a.Outputs)
	issuer(&a.Issuer)
	return a.Encode(g)
}

// requireInTheClear compares the result of an audit with the request.
func (r *wideAudit) requireInTheClear(got *audit.Audited) {
	g := r.params.Group()
	for i, action := range r.Request.Actions {
		want := audit.Action{Kind: action.Kind, Type: "EUR"}
		var outputs []token.Token
		if action.Kind == request.Issue {
			a := networktest.Issue(r, g, action.Raw)
			want.Issuer, outputs = a.Issuer, a.Outputs
		} else {
			a := networktest.Transfer(r, g, action.Raw)
			want.Issuer, want.Redeem, outputs = a.Issuer, a.Redeem, a.Outputs
			for _, in := range a.Inputs {
				want.Inputs = append(want.Inputs,
					token.Clear{Owner: in.Token.Owner, Type: "EUR", Quantity: "0x6"})
				want.Senders = append(want.Senders, r.inner(in.Token.Owner))
			}
		}
		for j, out := range outputs {
			o, err := token.DecodeOpening(g, r.Metadata.Actions[i].Outputs[j].Opening)
			require.NoError(r, err)
			clear, err := token.NewClear(g, out, o)
			require.NoError(r, err)
			want.Outputs = append(want.Outputs, clear)
			want.Receivers = append(want.Receivers, r.inner(out.Owner))
		}
		require.Equal(r, want, got.Actions[i], i)
	}
	require.Len(r, got.Actions, len(r.Request.Actions))
}

type metadataEdit = func(md *request.ActionMetadata, known map[token.ID]token.Clear)

// wrongMetadata calls f for each wrong item of the metadata of action i.
func (r *wideAudit) wrongMetadata(i int, f func(what, place string, reason error, edit metadataEdit)) {
	stranger := request.Party{Identity: r.stranger.Identity()}
	add := func(what, place string, reason error, edit func(md *request.ActionMetadata)) {
		f(what, place, reason, func(md *request.ActionMetadata, _ map[token.ID]token.Clear) { edit(md) })
	}
	honest := r.Metadata.Actions[i]
	for bit := range 32 {
		add("number", "", audit.ErrActions, func(md *request.ActionMetadata) { md.ActionID ^= 1 << bit })
	}
	add("kind", "", nil, func(md *request.ActionMetadata) {
		md.Kind = request.Issue + request.Transfer - md.Kind
	})
	add("extra signer", "", audit.ErrSigners, func(md *request.ActionMetadata) {
		md.ExtraSigners = []request.Party{stranger}
	})
	add("issuer", "", nil, func(md *request.ActionMetadata) { md.Issuer = &stranger })
	if honest.Issuer != nil {
		add("no issuer", "", audit.ErrIssuer, func(md *request.ActionMetadata) { md.Issuer = nil })
		for _, issuer := range r.issuers {
			if !bytes.Equal(issuer.Identity(), honest.Issuer.Identity) {
				add("another issuer", "", audit.ErrIssuer, func(md *request.ActionMetadata) {
					md.Issuer.Identity = issuer.Identity()
				})
			}
		}
	}
	if honest.Kind == request.Issue {
		add("information", "issuer: ", x509.ErrNoMatch, func(md *request.ActionMetadata) {
			md.Issuer.AuditInfo = r.infoOf(r.stranger.Identity())
		})
	}
	for k, in := range honest.Inputs {
		place := fmt.Sprintf("input %d: ", k)
		add("missing", "", nil, func(md *request.ActionMetadata) {
			md.Inputs = slices.Delete(md.Inputs, k, k+1)
		})
		add("twice", "", nil, func(md *request.ActionMetadata) {
			md.Inputs = slices.Insert(md.Inputs, k, md.Inputs[k])
		})
		add("index", place, audit.ErrInputs, func(md *request.ActionMetadata) {
			md.Inputs[k].ID.Index += 1 << 40
		})
		add("transaction", place, audit.ErrInputs, func(md *request.ActionMetadata) {
			md.Inputs[k].ID.TxID += "?"
		})
		if k > 0 {
			add("exchanged", fmt.Sprintf("input %d: ", k-1), audit.ErrInputs,
				func(md *request.ActionMetadata) {
					md.Inputs[k], md.Inputs[k-1] = md.Inputs[k-1], md.Inputs[k]
				})
		}
		if honest.Kind == request.Issue {
			continue
		}
		for _, id := range [][]byte{stranger.Identity, r.inner(in.Senders[0].Identity)} {
			if !bytes.Equal(id, in.Senders[0].Identity) {
				add("sender", place+"sender: ", audit.ErrParty, func(md *request.ActionMetadata) {
					md.Inputs[k].Senders[0].Identity = id
				})
			}
		}
		add("no sender", place+"sender: ", audit.ErrParty, func(md *request.ActionMetadata) {
			md.Inputs[k].Senders = nil
		})
		add("two senders", place+"sender: ", audit.ErrParty, func(md *request.ActionMetadata) {
			md.Inputs[k].Senders = append(md.Inputs[k].Senders, md.Inputs[k].Senders[0])
		})
		for _, other := range r.otherInfos(in.Senders[0].Identity) {
			add("information", place+"sender: ", other.reason, func(md *request.ActionMetadata) {
				md.Inputs[k].Senders[0].AuditInfo = other.info
			})
		}
		known := func(what, place string, reason error, edit func(c *token.Clear)) {
			f(what, place, reason, func(_ *request.ActionMetadata, known map[token.ID]token.Clear) {
				c := known[in.ID]
				edit(&c)
				known[in.ID] = c
			})
		}
		f("unknown", place, audit.ErrUnknown,
			func(_ *request.ActionMetadata, known map[token.ID]token.Clear) { delete(known, in.ID) })
		known("owner", place+"owner: ", audit.ErrParty, func(c *token.Clear) { c.Owner = stranger.Identity })
		known("type", "", audit.ErrTypes, func(c *token.Clear) { c.Type = "USD" })
		known("value", "", audit.ErrSum, func(c *token.Clear) { c.Quantity = "0x5" })
		known("range", "", nil, func(c *token.Clear) { c.Quantity = "0x10000" })
	}
	for j, out := range honest.Outputs {
		r.wrongOutput(i, j, out, add)
	}
}

// wrongOutput lists faults in the metadata of output j of action i.
func (r *wideAudit) wrongOutput(i, j int, out request.OutputMetadata,
	add func(what, place string, reason error, edit func(md *request.ActionMetadata))) {
	g, place := r.params.Group(), fmt.Sprintf("output %d: ", j)
	add("missing", "", audit.ErrOutputs, func(md *request.ActionMetadata) {
		md.Outputs = slices.Delete(md.Outputs, j, j+1)
	})
	add("twice", "", audit.ErrOutputs, func(md *request.ActionMetadata) {
		md.Outputs = slices.Insert(md.Outputs, j, md.Outputs[j])
	})
	for what, edit := range map[string]func(o *token.Opening){
		"value": func(o *token.Opening) {
			o.Value = g.Add(o.Value, g.Uint64(1))
		}, "type": func(o *token.Opening) { o.Type = "USD" },
		"blinding": func(o *token.Opening) { o.Blinding = g.Add(o.Blinding, g.Uint64(1)) },
	} {
		add(what, place, pedersen.ErrOpening, func(md *request.ActionMetadata) {
			o, err := token.DecodeOpening(g, md.Outputs[j].Opening)
			require.NoError(r, err)
			edit(&o)
			md.Outputs[j].Opening = o.Encode(g)
		})
	}
	add("no opening", place, nil, func(md *request.ActionMetadata) { md.Outputs[j].Opening = []byte{1} })
	add("issuer of the opening", place, audit.ErrIssuer, func(md *request.ActionMetadata) {
		o, err := token.DecodeOpening(g, md.Outputs[j].Opening)
		require.NoError(r, err)
		o.Issuer = r.stranger.Identity()
		md.Outputs[j].Opening = o.Encode(g)
	})
	party := request.Party{Identity: r.stranger.Identity(), AuditInfo: r.infoOf(r.stranger.Identity())}
	add("one more receiver", place+"receiver", audit.ErrParty, func(md *request.ActionMetadata) {
		md.Outputs[j].Receivers = append(md.Outputs[j].Receivers, party)
	})
	owner := r.ownerOf(i, j)
	if owner == nil { // redeemed
		add("receiver", place+"receiver", audit.ErrParty, func(md *request.ActionMetadata) {
			md.Outputs[j].Receivers[0] = party
		})
		return
	}
	for _, other := range r.otherInfos(owner) {
		add("information", place+"owner: ", other.reason, func(md *request.ActionMetadata) {
			md.Outputs[j].AuditInfo = other.info
		})
	}
	var several struct{ IdentityAuditInfos []any }
	if json.Unmarshal(out.AuditInfo, &several) == nil && len(several.IdentityAuditInfos) > 0 {
		several.IdentityAuditInfos = append(several.IdentityAuditInfos, several.IdentityAuditInfos[0])
		info, err := json.Marshal(several)
		require.NoError(r, err)
		add("information of one more", place+"owner: ", wire.ErrCount, func(md *request.ActionMetadata) {
			md.Outputs[j].AuditInfo = info
		})
	}
	for k, receiver := range out.Receivers {
		add("receiver less", place+"receivers: ", audit.ErrParty, func(md *request.ActionMetadata) {
			md.Outputs[j].Receivers = slices.Delete(md.Outputs[j].Receivers, k, k+1)
		})
		at := fmt.Sprintf("%sreceiver %d: ", place, k)
		for _, id := range [][]byte{party.Identity, owner} {
			if !bytes.Equal(id, receiver.Identity) {
				add("another receiver", at, audit.ErrParty, func(md *request.ActionMetadata) {
					md.Outputs[j].Receivers[k].Identity = id
				})
			}
		}
		add("another last byte", at, audit.ErrParty, func(md *request.ActionMetadata) {
			changed := bytes.Clone(receiver.Identity)
			changed[len(changed)-1] ^= 1
			md.Outputs[j].Receivers[k].Identity = changed
		})
		for _, other := range r.otherInfos(receiver.Identity) {
			add("information", at, other.reason, func(md *request.ActionMetadata) {
				md.Outputs[j].Receivers[k].AuditInfo = other.info
			})
		}
	}
}

func (r *wideAudit) ownerOf(i, j int) []byte {
	action := r.Request.Actions[i]
	if action.Kind == request.Issue {
		a := networktest.Issue(r, r.params.Group(), action.Raw)
		return a.Outputs[j].Owner
	}
	a := networktest.Transfer(r, r.params.Group(), action.Raw)
	return a.Outputs[j].Owner
}

func (w *world) infoOf(id []byte) []byte {
	info, err := audit.Info(id, w.AuditInfo)
	require.NoError(w, err)
	return info
}

// inner returns the identity that signs for an owner: another one of an owner by hash.
func (w *world) inner(owner []byte) []byte {
	if o, byHash := w.openings[string(owner)]; byHash {
		return o.Inner
	}
	return owner
}

// otherInfo is wrong audit information with the reason of its refusal, nil for any.
type otherInfo struct {
	info   []byte
	reason error
}

// otherInfos returns the audit information of an identity with one of its parties, or one
// part of an owner by hash, wrong alone.
func (w *world) otherInfos(id []byte) (infos []otherInfo) {
	if o, byHash := w.openings[string(id)]; byHash {
		return w.otherInfosByHash(o)
	}
	for wrong := 0; ; wrong++ {
		party := 0
		info, err := audit.Info(id, func(id []byte) ([]byte, error) {
			if party++; party == wrong+1 {
				return w.AuditInfo(w.stranger.Identity())
			}
			return w.AuditInfo(id)
		})
		require.NoError(w, err)
		if party <= wrong {
			return infos
		}
		infos = append(infos, otherInfo{info, x509.ErrNoMatch})
	}
}

func (w *world) otherInfosByHash(o hashed.Opening) []otherInfo {
	innerInfo := w.infoOf(o.Inner)
	infos := []otherInfo{{nil, wire.ErrMalformed}, {innerInfo, nil}}
	add := func(reason error, opening hashed.Opening, inner []byte) {
		info, err := hashed.Info{Opening: opening, Info: inner}.Encode()
		require.NoError(w, err)
		infos = append(infos, otherInfo{info, reason})
	}
	for _, other := range w.otherInfos(o.Inner) {
		add(other.reason, o, other.info)
	}
	add(hashed.ErrHash, hashed.Opening{Inner: w.stranger.Identity(), Salt: o.Salt}, innerInfo)
	add(nil, hashed.Opening{Salt: o.Salt}, innerInfo)
	o.Salt[hashed.SaltLen-1] ^= 1
	add(hashed.ErrHash, o, innerInfo)
	return infos
}

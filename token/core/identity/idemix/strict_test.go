package idemix_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

var message = []byte("message")

// parts are one wallet's identity, taken apart, with a signature of message.
type parts struct {
	scheme    *presentation.Scheme
	id        *presentation.Identity
	signature []byte
	info      []byte
}

// creator is the inside of the identity of type 1.
func (p parts) creator() []byte {
	return wire.AppendBytes(wire.AppendBytes(nil, 1, p.id.Nym), 4, p.id.Proof)
}

// eid is the inside of the identity of type 3 of the same wallet.
func (p parts) eid() []byte { return p.id.EID }

// infoNym is the audit information of that identity.
func (p parts) infoNym() []byte {
	creator, err := json.Marshal(p.creator())
	if err != nil {
		panic(err)
	}
	return fmt.Appendf(bytes.TrimSuffix(bytes.Clone(p.info), []byte("}")), `,"IdemixSignature":%s}`, creator)
}

func partsOf(t *testing.T, curve int, w *library.Wallet) parts {
	t.Helper()
	typed := networktest.Typed(t, w.Identity())
	p := parts{scheme: presentation.SchemeOf(curve)}
	var err error
	p.id, err = p.scheme.Identity(typed.Raw)
	require.NoError(t, err)
	p.signature, err = w.Sign(message)
	require.NoError(t, err)
	p.info, err = w.AuditInfo()
	require.NoError(t, err)
	return p
}

// signed is the signature of an owner of type 3.
func signed(creator, signature []byte, more ...[]byte) []byte {
	return wire.AppendOctetList(nil, append([][]byte{creator, signature}, more...)...)
}

// TestWhatCounts: for both types on all curves, signatures are accepted only
// with the pseudonym, the presentation, the enrolment identifier and the issuer
// that belong together, and without bytes after any value.
func TestWhatCounts(t *testing.T) {
	for _, curve := range []int{1, 7, 8} {
		ks, ws := wallets(t, curve)
		others := networkOf(t, curve, 1).keys()
		registry, foreign := identity.Registry{}, identity.Registry{}
		ks.Register(registry)
		others.Register(foreign)
		a, b := partsOf(t, curve, ws[0]), partsOf(t, curve, ws[1])
		mixed := a
		mixed.id = &presentation.Identity{Nym: b.id.Nym, Proof: a.id.Proof}
		more := func(b []byte) []byte { return append(bytes.Clone(b), 0) }
		longer := a
		longer.id = &presentation.Identity{Nym: more(a.id.Nym), Proof: a.id.Proof}
		after := a
		after.id = &presentation.Identity{Nym: a.id.Nym, Proof: more(a.id.Proof)}
		zero := make([]byte, len(a.eid()))
		if zero[0] = 0; curve != 1 {
			zero[0] = 0x40
		}
		for kind, cases := range map[identity.Type][]struct {
			name           string
			raw, signature []byte
			want           error
		}{
			identity.Idemix: {
				{"as made", a.creator(), a.signature, nil},
				{"another's signature", a.creator(), b.signature, identity.ErrSignature},
				{"pseudonym of another presentation", mixed.creator(), b.signature,
					presentation.ErrDiffers},
				{"presentation of another pseudonym", mixed.creator(), a.signature,
					presentation.ErrDiffers},
				{"another issuer", a.creator(), a.signature, identity.ErrSignature},
				{"byte after the identity", more(a.creator()), a.signature, wire.ErrNotCanonical},
				{"byte after the pseudonym", longer.creator(), a.signature, wire.ErrLength},
				{"byte after the presentation", after.creator(), a.signature, wire.ErrNotCanonical},
				{"byte after the signature", a.creator(), more(a.signature), wire.ErrNotCanonical},
				{"no signature", a.creator(), nil, wire.ErrMissing},
			},
			identity.IdemixNym: {
				{"as made", a.eid(), signed(a.creator(), a.signature), nil},
				{"another's signature", a.eid(), signed(a.creator(), b.signature),
					identity.ErrSignature},
				{"pseudonym of another presentation", a.eid(), signed(mixed.creator(), b.signature),
					presentation.ErrDiffers},
				{"presentation of another pseudonym", a.eid(), signed(mixed.creator(), a.signature),
					presentation.ErrDiffers},
				{"creator of another enrolment identifier", a.eid(), signed(b.creator(), b.signature),
					presentation.ErrDiffers},
				{"another pseudonym", b.eid(), signed(a.creator(), a.signature),
					presentation.ErrDiffers},
				{"pseudonym of the user", a.id.Nym, signed(a.creator(), a.signature),
					presentation.ErrDiffers},
				{"another issuer", a.eid(), signed(a.creator(), a.signature), identity.ErrSignature},
				{"identity as pseudonym", zero, signed(a.creator(), a.signature),
					presentation.ErrDiffers},
				{"byte after the creator", a.eid(), signed(more(a.creator()), a.signature),
					wire.ErrNotCanonical},
				{"byte after the signature", a.eid(), signed(a.creator(), more(a.signature)),
					wire.ErrNotCanonical},
				{"byte after both", a.eid(), more(signed(a.creator(), a.signature)), wire.ErrTrailing},
				{"a third part", a.eid(), signed(a.creator(), a.signature, nil), wire.ErrTrailing},
				{"a signature of type 1", a.eid(), a.signature, wire.ErrMalformed},
			},
		} {
			for _, c := range cases {
				t.Run(fmt.Sprintf("%s on %d, %s", kind, curve, c.name), func(t *testing.T) {
					r := registry
					if c.name == "another issuer" {
						r = foreign
					}
					id := identity.Typed{Type: kind, Raw: c.raw}.Encode()
					require.ErrorIs(t, r.Verify(id, message, c.signature), c.want)
					if c.want == nil {
						require.ErrorIs(t, r.Verify(id, more(message), c.signature), identity.ErrSignature)
					}
				})
			}
		}
	}
}

// TestSeveralIssuers: type 1 counts under each key in order, type 3 under the
// first, as in the reference, also on observed groups.
func TestSeveralIssuers(t *testing.T) {
	for _, curves := range [][2]int{{1, 1}, {7, 7}, {1, 7}, {7, 1}} {
		var keys []idemix.Key
		var all []parts
		for number, curve := range curves {
			n := networkOf(t, curve, number)
			keys, all = append(keys, n.key), append(all, partsOf(t, curve, n.wallets[0]))
		}
		ks, err := idemix.New(keys)
		require.NoError(t, err)
		registry := identity.Registry{}
		ks.On(func(g group.Group) group.Group { return g }).Register(registry)
		for i, p := range all {
			require.NoError(t,
				registry.Verify(identity.Typed{Type: identity.Idemix, Raw: p.creator()}.Encode(), message,
					p.signature))
			require.NoError(t, ks.Match(identity.Idemix, p.creator(), p.info))
			err := registry.Verify(identity.Typed{Type: identity.IdemixNym, Raw: p.eid()}.Encode(), message,
				signed(p.creator(), p.signature))
			require.Equal(t, i == 0, err == nil, "%v: %v", curves, err)
		}
		if curves == [2]int{1, 1} { // the tenth key counts, too
			many, err := idemix.New(append(slices.Repeat(keys[:1], 9), keys[1]))
			require.NoError(t, err)
			require.NoError(t, many.Match(identity.Idemix, all[1].creator(), all[1].info))
			many.Register(registry)
			require.NoError(t,
				registry.Verify(identity.Typed{Type: identity.Idemix, Raw: all[1].creator()}.Encode(),
					message, all[1].signature))
		}
	}
}

// TestAuditsMatchWhatIsOpened: audit information matches exactly the identity of
// its pseudonyms, with its enrolment identifier and revocation handle.
func TestAuditsMatchWhatIsOpened(t *testing.T) {
	for _, curve := range []int{1, 7, 8} {
		ks, ws := wallets(t, curve)
		others := networkOf(t, curve, 1).keys()
		a, b := partsOf(t, curve, ws[0]), partsOf(t, curve, ws[1])
		mixed := a
		mixed.id = &presentation.Identity{Nym: b.id.Nym, Proof: a.id.Proof, Presentation: a.id.Presentation}
		require.NoError(t, ks.Match(identity.Idemix, a.creator(), a.info))
		require.NoError(t, ks.Match(identity.IdemixNym, a.eid(), a.infoNym()))
		edit := func(info []byte, from, to string) []byte {
			edited := bytes.Replace(info, []byte(from), []byte(to), 1)
			require.NotEqual(t, info, edited, from)
			return edited
		}
		swap := func(info []byte, field string) []byte { // takes the field of b
			var x, y map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(a.info, &x))
			require.NoError(t, json.Unmarshal(b.info, &y))
			return edit(info, string(x[field]), string(y[field]))
		}
		for kind, c := range map[identity.Type]struct{ raw, info []byte }{
			identity.Idemix: {a.creator(), a.info}, identity.IdemixNym: {a.eid(), a.infoNym()},
		} {
			for name, bad := range map[string]struct {
				keys      *idemix.Keys
				raw, info []byte
				want      error
			}{
				"another enrolment identifier": {ks, c.raw, edit(c.info, "dXNlciAw", "dXNlciAx"),
					idemix.ErrNoMatch},
				"another revocation handle": {ks, c.raw, edit(c.info, "MTAw", "MTAx"), idemix.ErrNoMatch},
				"opening of another's id": {ks, c.raw, swap(c.info, "EidNymAuditData"),
					idemix.ErrNoMatch},
				"opening of another's handle": {ks, c.raw, swap(c.info, "RhNymAuditData"),
					idemix.ErrNoMatch},
				"another issuer":           {others, c.raw, c.info, idemix.ErrNoMatch},
				"bytes after the identity": {ks, append(bytes.Clone(c.raw), 0), c.info, nil},
				"information of the other type": {ks, c.raw,
					map[identity.Type][]byte{identity.Idemix: a.infoNym(), identity.IdemixNym: a.info}[kind],
					wire.ErrNotCanonical},
				"identity of another user": {ks,
					map[identity.Type][]byte{identity.Idemix: b.creator(), identity.IdemixNym: b.eid()}[kind],
					c.info, idemix.ErrNoMatch},
				"pseudonym and another presentation": {
					ks,
					map[identity.Type][]byte{identity.Idemix: mixed.creator(),
						identity.IdemixNym: mixed.eid()}[kind],
					map[identity.Type][]byte{identity.Idemix: mixed.info,
						identity.IdemixNym: mixed.infoNym()}[kind], presentation.ErrDiffers,
				},
			} {
				t.Run(name, func(t *testing.T) {
					err := bad.keys.Match(kind, bad.raw, bad.info)
					require.Error(t, err, "curve %d, %s: %s", curve, kind, name)
					matchTogether(t, bad.keys, kind, bad.raw, bad.info)
					matchTogether(t, ks, kind, c.raw, c.info, bad.raw, bad.info, c.raw, c.info)
					if bad.want != nil {
						require.ErrorIs(t, err, bad.want, "curve %d, %s: %s", curve, kind, name)
					}
				})
			}
		}
	}
}

// matchTogether requires the errors of Match for identities with audit information,
// matched together.
func matchTogether(t *testing.T, ks *idemix.Keys, kind identity.Type, list ...[]byte) {
	t.Helper()
	var sets [][]identity.Task
	var want []error
	for ; len(list) > 0; list = list[2:] {
		alone := ks.Match(kind, list[0], list[1])
		task, err := ks.Matchers()[kind](list[0], list[1])
		if err != nil {
			require.Equal(t, alone, err)
			continue
		}
		sets, want = append(sets, []identity.Task{task}), append(want, alone)
	}
	for i, err := range together(executor.Serial{}, sets...) {
		if want[i] != nil {
			want[i] = wrongTask{want[i], 0}
		}
		require.Equal(t, want[i], err)
	}
}

// TestEveryFieldOfAuditInfoIsChecked: audit information with any other byte is refused, also
// where the library does not look, and so is a field with another value of its form.
func TestEveryFieldOfAuditInfoIsChecked(t *testing.T) {
	for _, curve := range curvesWithScheme {
		ks, ws := wallets(t, curve)
		typed := networktest.Typed(t, ws[0].Identity())
		encoded, err := ws[0].AuditInfo()
		require.NoError(t, err)
		require.NoError(t, ks.Match(typed.Type, typed.Raw, encoded))
		for i := 0; i < len(encoded); i += nightly.Pick(17, 1, 1) {
			for _, mask := range []byte{1, 2, 4} {
				changed := bytes.Clone(encoded)
				changed[i] ^= mask
				require.Error(t, ks.Match(typed.Type, typed.Raw, changed), "curve %d: %s", curve, changed)
			}
		}
		for name, change := range map[string]func(a *idemix.Info){
			"unit":         func(a *idemix.Info) { a.Attributes[0] = []byte("unit") },
			"empty role":   func(a *idemix.Info) { a.Attributes[1] = []byte{} },
			"enrolment id": func(a *idemix.Info) { a.Attributes[2] = append(a.Attributes[2], 0) },
			"handle":       func(a *idemix.Info) { a.Attributes[3] = append(a.Attributes[3], 0) },
			"attributes":   func(a *idemix.Info) { a.Attributes = append(a.Attributes, nil) },
			"schema":       func(a *idemix.Info) { a.Schema = "w3c" },
			"other":        func(a *idemix.Info) { a.RhNymAuditData.Nym = a.EidNymAuditData.Nym },
			"no pseudonym": func(a *idemix.Info) { a.RhNymAuditData.Nym.Element = nil },
			"no attribute": func(a *idemix.Info) { a.RhNymAuditData.Attr.Element = nil },
			"randomness": func(a *idemix.Info) {
				a.EidNymAuditData.Rand.Element = a.EidNymAuditData.Rand.Element[1:]
			},
			"curve": func(a *idemix.Info) { a.EidNymAuditData.Rand.Curve = 4 },
		} {
			t.Run(name, func(t *testing.T) {
				var a idemix.Info
				require.NoError(t, json.Unmarshal(encoded, &a))
				change(&a)
				changed, err := json.Marshal(a)
				require.NoError(t, err)
				require.Error(t, ks.Match(typed.Type, typed.Raw, changed), "curve %d: %s", curve, name)
			})
		}
	}
}

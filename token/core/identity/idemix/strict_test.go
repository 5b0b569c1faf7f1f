package idemix_test

import (
	"bytes"
	"encoding/json"
	"errors"
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

// of returns the inside of the identity of a type, with its audit information.
func (p parts) of(kind identity.Type) (raw, info []byte) {
	if kind == identity.Idemix {
		return p.creator(), p.info
	}
	return p.eid(), p.infoNym()
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
func signed(creator, signature []byte) []byte { return wire.AppendOctetList(nil, creator, signature) }

// TestWhatCounts: for both types on all curves, signatures are accepted only
// with the pseudonym, the presentation, the enrolment identifier and the issuer
// that belong together. A memory of right presentations changes no verdict.
func TestWhatCounts(t *testing.T) {
	type owner struct{ id, signature []byte }
	type1 := func(creator, signature []byte) owner {
		return owner{identity.Typed{Type: identity.Idemix, Raw: creator}.Encode(), signature}
	}
	type3 := func(eid, signature []byte) owner {
		return owner{identity.Typed{Type: identity.IdemixNym, Raw: eid}.Encode(), signature}
	}
	more := func(b []byte) []byte { return append(bytes.Clone(b), 0) }
	for _, curve := range []int{1, 7, 8} {
		ks, ws := wallets(t, curve)
		plain, memory, foreign := identity.Registry{}, remembering(ks, 64), identity.Registry{}
		ks.Register(plain)
		networkOf(t, curve, 1).keys().Register(foreign)
		a, b := partsOf(t, curve, ws[0]), partsOf(t, curve, ws[1])
		for _, o := range []owner{type1(a.creator(), a.signature), type1(b.creator(), b.signature),
			type3(a.eid(), signed(a.creator(), a.signature))} {
			for _, r := range []identity.Registry{plain, memory} {
				require.NoError(t, r.Verify(o.id, message, o.signature))
				require.ErrorIs(t, r.Verify(o.id, more(message), o.signature), identity.ErrSignature)
			}
			require.ErrorIs(t, foreign.Verify(o.id, message, o.signature), identity.ErrSignature)
		}
		mixed := parts{id: &presentation.Identity{Nym: b.id.Nym, Proof: a.id.Proof}}.creator()
		zero := make([]byte, len(a.eid()))
		if curve != 1 {
			zero[0] = 0x40
		}
		for name, c := range map[string]struct {
			owner
			want error
		}{
			"another's signature":      {type1(a.creator(), b.signature), identity.ErrSignature},
			"pseudonym of another":     {type1(mixed, b.signature), presentation.ErrDiffers},
			"presentation of another":  {type1(mixed, a.signature), presentation.ErrDiffers},
			"byte after the identity":  {type1(more(a.creator()), a.signature), wire.ErrNotCanonical},
			"byte after the signature": {type1(a.creator(), more(a.signature)), wire.ErrNotCanonical},
			"no signature":             {type1(a.creator(), nil), wire.ErrMissing},
			"type 3, another's signature": {type3(a.eid(), signed(a.creator(), b.signature)),
				identity.ErrSignature},
			"type 3, pseudonym of another": {type3(a.eid(), signed(mixed, b.signature)),
				presentation.ErrDiffers},
			"type 3, presentation of another": {type3(a.eid(), signed(mixed, a.signature)),
				presentation.ErrDiffers},
			"type 3, another creator": {type3(a.eid(), signed(b.creator(), b.signature)),
				presentation.ErrDiffers},
			"type 3, another pseudonym": {type3(b.eid(), signed(a.creator(), a.signature)),
				presentation.ErrDiffers},
			"type 3, pseudonym of the user": {type3(a.id.Nym, signed(a.creator(), a.signature)),
				presentation.ErrDiffers},
			"type 3, identity as pseudonym": {type3(zero, signed(a.creator(), a.signature)),
				presentation.ErrDiffers},
			"type 3, byte after the creator": {type3(a.eid(), signed(more(a.creator()), a.signature)),
				wire.ErrNotCanonical},
			"type 3, byte after the signature": {type3(a.eid(), signed(a.creator(), more(a.signature))),
				wire.ErrNotCanonical},
			"type 3, a signature of type 1": {type3(a.eid(), a.signature),
				wire.ErrMalformed},
		} {
			t.Run(fmt.Sprintf("%s on %d", name, curve), func(t *testing.T) {
				for _, r := range []identity.Registry{plain, memory} {
					require.ErrorIs(t, r.Verify(c.id, message, c.signature), c.want)
				}
			})
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
	kinds := []identity.Type{identity.Idemix, identity.IdemixNym}
	for _, curve := range []int{1, 7, 8} {
		ks, ws := wallets(t, curve)
		others := networkOf(t, curve, 1).keys()
		a, b := partsOf(t, curve, ws[0]), partsOf(t, curve, ws[1])
		mixed := a
		mixed.id = &presentation.Identity{Nym: b.id.Nym, Proof: a.id.Proof, Presentation: a.id.Presentation}
		for i, kind := range kinds {
			raw, info := a.of(kind)
			require.NoError(t, ks.Match(kind, raw, info))
			otherRaw, _ := b.of(kind)
			_, otherInfo := a.of(kinds[1-i])
			mixedRaw, mixedInfo := mixed.of(kind)
			edit := func(from, to string) []byte {
				edited := bytes.Replace(info, []byte(from), []byte(to), 1)
				require.NotEqual(t, info, edited, from)
				return edited
			}
			for name, bad := range map[string]struct {
				keys      *idemix.Keys
				raw, info []byte
				want      error
			}{
				"enrolment identifier":     {ks, raw, edit("dXNlciAw", "dXNlciAx"), idemix.ErrNoMatch},
				"revocation handle":        {ks, raw, edit("MTAw", "MTAx"), idemix.ErrNoMatch},
				"issuer":                   {others, raw, info, idemix.ErrNoMatch},
				"bytes after the identity": {ks, append(bytes.Clone(raw), 0), info, nil},
				"type":                     {ks, raw, otherInfo, wire.ErrNotCanonical},
				"user":                     {ks, otherRaw, info, idemix.ErrNoMatch},
				"pseudonym":                {ks, mixedRaw, mixedInfo, presentation.ErrDiffers},
			} {
				t.Run(fmt.Sprintf("another %s, %s on %d", name, kind, curve), func(t *testing.T) {
					err := bad.keys.Match(kind, bad.raw, bad.info)
					require.Error(t, err)
					require.True(t, bad.want == nil || errors.Is(err, bad.want), "%v", err)
					matchTogether(t, bad.keys, kind, bad.raw, bad.info)
					matchTogether(t, ks, kind, raw, info, bad.raw, bad.info, raw, info)
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

package hashed_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// octets are bytes in hexadecimal.
type octets []byte

func (o *octets) UnmarshalText(b []byte) (err error) {
	*o, err = hex.DecodeString(string(b))
	return err
}

// known is a known answer of testdata/known.py.
type known struct {
	Name                                        string
	PD, Salt, Inner, Owner, Shows, Refers, Info octets
}

func (k known) opening() hashed.Opening {
	return hashed.Opening{Salt: [hashed.SaltLen]byte(k.Salt), Inner: k.Inner}
}

func loadKnown(t testing.TB) (answers []known) {
	t.Helper()
	b, err := os.ReadFile("testdata/known.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &answers))
	require.Len(t, answers, 5)
	return answers
}

func inside(t testing.TB, owner []byte) []byte {
	t.Helper()
	typed := networktest.Typed(t, owner)
	require.Equal(t, identity.Hashed, typed.Type)
	return typed.Raw
}

// TestKnownAnswers compares hashes and encodings with answers that a script wrote from
// the specification.
func TestKnownAnswers(t *testing.T) {
	for _, k := range loadKnown(t) {
		pd, o := hashed.Digest(k.PD), k.opening()
		require.Equal(t, []byte(k.Owner), o.Owner(pd), k.Name)
		require.NoError(t, o.Check(pd, inside(t, k.Owner)), k.Name)
		for want, s := range map[string]hashed.Signature{
			string(k.Shows):  {Opening: o, Raw: []byte("signature")},
			string(k.Refers): {Opening: hashed.Opening{Salt: o.Salt}, Earlier: 200, Raw: []byte("signature")},
		} {
			t.Run(want, func(t *testing.T) {
				is, err := s.Encode()
				require.NoError(t, err)
				require.Equal(t, []byte(want), is, k.Name)
				read, err := hashed.DecodeSignature(is)
				require.NoError(t, err)
				require.Equal(t, s.Earlier, read.Earlier)
				require.Equal(t, string(s.Inner), string(read.Inner))
				require.Equal(t, s.Salt, read.Salt)
				require.Equal(t, s.Raw, read.Raw)
			})
		}
		info, err := hashed.Info{Opening: o, Info: []byte("info")}.Encode()
		require.NoError(t, err)
		require.Equal(t, []byte(k.Info), info, k.Name)
		read, err := hashed.OpenInfo(pd, inside(t, k.Owner), info)
		require.NoError(t, err)
		require.Equal(t, hashed.Info{Opening: o, Info: []byte("info")}, read)
	}
}

// TestHashBindsEverything changes one bit of each part of an opening and of the hash.
func TestHashBindsEverything(t *testing.T) {
	for _, k := range loadKnown(t) {
		raw := inside(t, k.Owner)
		flipped := func(b []byte, i int) []byte {
			b = bytes.Clone(b)
			b[i/8] ^= 1 << (i % 8)
			return b
		}
		check := func(pd, salt, inner, raw []byte) error {
			return hashed.Opening{Salt: [hashed.SaltLen]byte(salt), Inner: inner}.Check(hashed.Digest(pd),
				raw)
		}
		for i := range 8 * len(raw) {
			require.ErrorIs(t, check(k.PD, k.Salt, k.Inner, flipped(raw, i)), hashed.ErrHash)
			require.ErrorIs(t, check(flipped(k.PD, i), k.Salt, k.Inner, raw), hashed.ErrHash)
			require.ErrorIs(t, check(k.PD, flipped(k.Salt, i%(8*hashed.SaltLen)), k.Inner, raw),
				hashed.ErrHash)
		}
		for i := range len(k.Inner) {
			require.ErrorIs(t, check(k.PD, k.Salt, flipped(k.Inner, 8*i+i%8), raw), hashed.ErrHash)
		}
		for _, wrong := range [][]byte{nil, raw[1:], raw[:31], append(bytes.Clone(raw), 0)} {
			require.ErrorIs(t, check(k.PD, k.Salt, k.Inner, wrong), hashed.ErrHash)
			require.EqualError(t, hashed.CheckLen(wrong), "hashed identity: hash has the wrong length")
			require.ErrorIs(t, hashed.CheckLen(wrong), wire.ErrLength)
		}
		require.NoError(t, hashed.CheckLen(raw))
	}
}

// TestTypesOfInnerOwners: a hash of any other type is refused where it is opened.
func TestTypesOfInnerOwners(t *testing.T) {
	allowed := map[identity.Type]bool{identity.Idemix: true, identity.X509: true, identity.IdemixNym: true,
		identity.Multisig: true, identity.Policy: true}
	for kind := range identity.Type(300) {
		o := hashed.Opening{Inner: identity.Typed{Type: kind, Raw: []byte("raw")}.Encode()}
		err := o.Check(hashed.Digest{}, inside(t, o.Owner(hashed.Digest{})))
		if allowed[kind] {
			require.NoError(t, err, kind)
		} else {
			require.ErrorIs(t, err, hashed.ErrInner, kind)
			require.ErrorContains(t, err, kind.String())
		}
	}
	for _, inner := range []string{"", "no identity", "\x30\x00"} {
		o := hashed.Opening{Inner: []byte(inner)}
		require.ErrorAs(t, o.Check(hashed.Digest{}, inside(t, o.Owner(hashed.Digest{}))),
			new(*wire.DecodeError))
	}
}

// der returns a DER value.
func der(tag byte, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	if n := len(content); n < 128 {
		return append([]byte{tag, byte(n)}, content...)
	}
	return append([]byte{tag, 0x82, byte(len(content) >> 8), byte(len(content))}, content...)
}

// TestWrongSignatures lists signatures that cannot be read, with the field and the
// reason. FuzzDecodeSignature changes single bytes.
func TestWrongSignatures(t *testing.T) {
	salt, inner, one, raw := der(4, make([]byte, 16)), der(4, []byte("inner")), der(2, []byte{1}),
		der(4, []byte("raw"))
	zero, none := der(2, []byte{0}), der(4)
	seq := func(parts ...[]byte) []byte { return der(0x30, parts...) }
	for name, c := range map[string]struct {
		b     []byte
		field string
		want  error
	}{
		"salt of 15 bytes": {seq(der(4, make([]byte, 15)), inner, zero, raw), "salt", wire.ErrLength},
		"salt of 17 bytes": {seq(der(4, make([]byte, 17)), inner, zero, raw), "salt", wire.ErrLength},
		"inner too long": {der(0x30, salt, append([]byte{4, 0x83, 1, 0, 0}, make([]byte, 1<<16)...),
			zero, raw), "value", wire.ErrMalformed},
		"inner missing":         {seq(salt, none, zero, raw), "inner", hashed.ErrEither},
		"inner and a reference": {seq(salt, inner, one, raw), "inner", hashed.ErrEither},
		"earlier twice":         {seq(salt, inner, zero, zero, raw), "content", wire.ErrMalformed},
		"earlier 256":           {seq(salt, none, der(2, []byte{1, 0}), raw), "earlier", wire.ErrMalformed},
		"earlier negative":      {seq(salt, none, der(2, []byte{255}), raw), "earlier", wire.ErrMalformed},
		"earlier not minimal":   {seq(salt, none, der(2, []byte{0, 1}), raw), "earlier", wire.ErrMalformed},
		"empty signature":       {seq(salt, inner, zero, none), "signature", wire.ErrMissing},
		"long form of a length": {append([]byte{0x30, 0x81, 33}, seq(salt, inner, zero, raw)[2:]...), "value",
			wire.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := hashed.DecodeSignature(c.b)
			require.ErrorIs(t, err, c.want)
			wrong := new(wire.DecodeError)
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, c.field, wrong.Field)
		})
	}
	long := hashed.Signature{Opening: hashed.Opening{Inner: make([]byte, identity.MaxLen+1)},
		Raw: []byte("raw")}
	_, err := hashed.DecodeSignature(encoded(t, long))
	require.ErrorIs(t, err, wire.ErrTooLarge)
	long.Inner = long.Inner[1:]
	_, err = hashed.DecodeSignature(encoded(t, long))
	require.NoError(t, err)
}

// TestWrongInfo lists audit information that cannot be read or is about another owner.
func TestWrongInfo(t *testing.T) {
	k := loadKnown(t)[1]
	raw, pd := inside(t, k.Owner), hashed.Digest(k.PD)
	salt, inner, info := der(4, k.Salt), der(4, k.Inner), der(4, []byte("info"))
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"info left out":     {der(0x30, salt, inner), wire.ErrMalformed},
		"info twice":        {der(0x30, salt, inner, info, info), wire.ErrTrailing},
		"earlier":           {der(0x30, salt, inner, der(2, []byte{0}), info), wire.ErrMalformed},
		"no inner identity": {der(0x30, salt, der(4), info), hashed.ErrEither},
		"another salt":      {der(0x30, der(4, make([]byte, 16)), inner, info), hashed.ErrHash},
		"another inner":     {der(0x30, salt, der(4, k.Inner[1:]), info), hashed.ErrHash},
		"swapped":           {der(0x30, inner, salt, info), wire.ErrLength},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := hashed.OpenInfo(pd, raw, c.b)
			require.ErrorIs(t, err, c.want, name)
		})
	}
	empty, err := hashed.OpenInfo(pd, raw, der(0x30, salt, inner, der(4)))
	require.NoError(t, err, "audit information of the inner owner is the matcher's business")
	require.Empty(t, empty.Info)
}

// signer signs with its name.
type signer string

func (s signer) Identity() []byte {
	return identity.Typed{Type: identity.Idemix, Raw: []byte(s)}.Encode()
}
func (s signer) Sign(message []byte) ([]byte, error) {
	if s == "broken" {
		return nil, errBroken
	}
	return append(message, "by "+s...), nil
}

var errBroken = errors.New("broken")

// TestReferences signs for owners in every order of three and of repeated ones: each is
// shown once, and later signatures refer to it.
func TestReferences(t *testing.T) {
	pd := hashed.Digest{7}
	for _, order := range []string{"a", "aa", "ab", "aab", "aba", "abb", "abc", "abca", "abcbac",
		strings.Repeat("ab", 32)} {
		var made, read hashed.Shown
		numbers := map[rune]uint8{}
		for i, name := range order {
			o, err := hashed.New(strings.NewReader(fmt.Sprintf("%016d", i)), signer(name).Identity())
			require.NoError(t, err)
			b, err := made.Sign(o, signer(name), []byte("message "))
			require.NoError(t, err)
			s, err := hashed.DecodeSignature(b)
			require.NoError(t, err)
			require.Equal(t, numbers[name], s.Earlier, "%s at %d", order, i)
			if numbers[name] == 0 {
				numbers[name] = uint8(len(numbers) + 1)
			}
			inner, signature, err := read.Open(pd, inside(t, o.Owner(pd)), b)
			require.NoError(t, err)
			require.Equal(t, signer(name).Identity(), inner)
			require.Equal(t, "message by "+string(name), string(signature))
		}
	}
}

// opening returns an opening of an owner.
func opening(t *testing.T, of signer) hashed.Opening {
	t.Helper()
	o, err := hashed.New(nil, of.Identity())
	require.NoError(t, err)
	return o
}

func encoded(t *testing.T, s hashed.Signature) []byte {
	t.Helper()
	b, err := s.Encode()
	require.NoError(t, err)
	return b
}

// TestWrongReferences: each reference except the owner's is refused, and so is an owner
// shown twice.
func TestWrongReferences(t *testing.T) {
	pd, names := hashed.Digest{7}, []signer{"a", "b", "c"}
	var openings []hashed.Opening
	for _, name := range names {
		openings = append(openings, opening(t, name))
	}
	for at := range 4 { // the place of the wrong signature
		for owner := range names {
			for earlier := range 256 {
				var shown hashed.Shown
				var want error
				for _, o := range openings[:min(at, 3)] {
					b := encoded(t, hashed.Signature{Opening: o, Raw: []byte("raw")})
					_, _, err := shown.Open(pd, inside(t, o.Owner(pd)), b)
					require.NoError(t, err)
				}
				s := hashed.Signature{Opening: openings[owner], Earlier: uint8(earlier), Raw: []byte("raw")}
				switch {
				case earlier == 0 && owner < at:
					want = hashed.ErrAgain
				case earlier > at || earlier > 3:
					want = hashed.ErrEarlier
				case earlier > 0 && earlier-1 != owner:
					want = hashed.ErrHash
				}
				if earlier > 0 {
					s.Inner = nil
				}
				_, _, err := shown.Open(pd, inside(t, openings[owner].Owner(pd)), encoded(t, s))
				require.ErrorIs(t, err, want, "place %d, owner %d, earlier %d", at, owner, earlier)
			}
		}
	}
}

// TestRefusedSignaturesAreNotShown: no later signature can refer to a refused one.
func TestRefusedSignaturesAreNotShown(t *testing.T) {
	o, pd := opening(t, "a"), hashed.Digest{1}
	var shown hashed.Shown
	b := encoded(t, hashed.Signature{Opening: o, Raw: []byte("raw")})
	_, _, err := shown.Open(pd, inside(t, o.Owner(hashed.Digest{2})), b)
	require.ErrorIs(t, err, hashed.ErrHash)
	_, _, err = shown.Open(pd, inside(t, o.Owner(pd)), b[1:])
	require.ErrorIs(t, err, wire.ErrMalformed)
	later := hashed.Signature{Opening: hashed.Opening{Salt: o.Salt}, Earlier: 1, Raw: []byte("raw")}
	_, _, err = shown.Open(pd, inside(t, o.Owner(pd)), encoded(t, later))
	require.ErrorIs(t, err, hashed.ErrEarlier)
}

// TestManyOwners: 255 owners can be referred to, and no more.
func TestManyOwners(t *testing.T) {
	var made, read hashed.Shown
	for i := range 256 {
		for again := range 2 {
			name := signer(fmt.Sprint(i))
			o := opening(t, name)
			b, err := made.Sign(o, name, nil)
			if i == 255 && again == 1 {
				require.ErrorIs(t, err, hashed.ErrMany)
				continue
			}
			require.NoError(t, err)
			_, _, err = read.Open(hashed.Digest{}, inside(t, o.Owner(hashed.Digest{})), b)
			require.NoError(t, err)
		}
	}
	_, err := made.Sign(hashed.Opening{}, signer("broken"), nil)
	require.ErrorIs(t, err, errBroken)
}

func TestSaltsDiffer(t *testing.T) {
	a, err := hashed.New(nil, []byte("inner"))
	require.NoError(t, err)
	b, err := hashed.New(nil, []byte("inner"))
	require.NoError(t, err)
	require.NotEqual(t, a.Salt, b.Salt)
	_, err = hashed.New(strings.NewReader("15 bytes, not 16"[:15]), []byte("inner"))
	require.ErrorIs(t, err, group.ErrRandom)
}

// TestNoSecretIsPrinted: the salt is a secret until the token is spent.
func TestNoSecretIsPrinted(t *testing.T) {
	o := hashed.Opening{Salt: [hashed.SaltLen]byte([]byte("0123456789abcdef")), Inner: []byte("certificate")}
	for _, v := range []any{o, &o, hashed.Info{Opening: o}, hashed.Signature{Opening: o}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
			text := fmt.Sprintf(verb, v)
			require.Equal(t, "opening of an owner", text, verb)
		}
	}
}

func wallet(t testing.TB, name string) *x509.Wallet {
	t.Helper()
	w, err := x509.NewWallet(strings.NewReader(strings.Repeat(name, 32)), name)
	require.NoError(t, err)
	return w
}

// TestLongest: signatures are not longer, and one with members has the length of all of them
// sign.
func TestLongest(t *testing.T) {
	a, b := wallet(t, "a"), wallet(t, "b")
	both := multisig.Encode(a.Identity(), b.Identity())
	pol := func(text string, members ...[]byte) []byte {
		id, err := policy.Policy{Text: text, Members: members}.Encode()
		require.NoError(t, err)
		return id
	}
	var nine [][]byte
	for i := range 9 {
		nine = append(nine, signer(fmt.Sprint(i)).Identity())
	}
	nym := identity.Typed{Type: identity.IdemixNym, Raw: make([]byte, 64)}.Encode()
	length := func(inner []byte, signature int) int {
		opened := hashed.Opening{Inner: inner}
		return len(encoded(t, hashed.Signature{Opening: opened, Raw: make([]byte, signature)}))
	}
	joined := func(lengths ...int) int {
		var all [][]byte
		for _, n := range lengths {
			all = append(all, make([]byte, n))
		}
		return len(multisig.Join(all...))
	}
	for name, c := range map[string]struct {
		inner     []byte
		signature int
	}{
		"X.509":        {a.Identity(), 71},
		"Idemix":       {signer("a").Identity(), 152},
		"IdemixNym":    {nym, 1800},
		"multisig":     {both, joined(71, 71)},
		"policy":       {pol("$0 OR $1", a.Identity(), both), joined(71, joined(71, 71))},
		"four deep":    {nested(4, a.Identity()), joined(joined(joined(joined(71))))},
		"nine members": {multisig.Encode(nine...), joined(152, 152, 152, 152, 152, 152, 152, 152, 152)},
	} {
		t.Run(name, func(t *testing.T) {
			n, err := hashed.Longest(c.inner, 5, 16)
			require.NoError(t, err)
			require.Equal(t, length(c.inner, c.signature), n)
		})
	}
	script := identity.Typed{Type: identity.HTLC, Raw: []byte("{}")}.Encode()
	hash := identity.Typed{Type: identity.Hashed, Raw: make([]byte, 32)}.Encode()
	malformed := new(wire.DecodeError)
	for name, c := range map[string]struct {
		inner []byte
		want  error
	}{
		"script":           {script, hashed.ErrInner},
		"hash":             {hash, hashed.ErrInner},
		"hash as a member": {pol("$0 OR $1", a.Identity(), hash), hashed.ErrInner},
		"unknown type":     {identity.Typed{Type: 99}.Encode(), hashed.ErrInner},
		"six deep":         {nested(6, a.Identity()), hashed.ErrDepth},
		"17 members": {multisig.Encode(slices.Repeat([][]byte{a.Identity()}, 17)...),
			hashed.ErrMembers},
		"script, ninth": {multisig.Encode(append(nine[:8:8], script)...), hashed.ErrInner},
		"equal members": {multisig.Encode(a.Identity(), b.Identity(), a.Identity()),
			identity.ErrRepeated},
		"equal members, policy": {pol("$0 OR $1", a.Identity(), a.Identity()), identity.ErrRepeated},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := hashed.Longest(c.inner, 5, 16)
			require.ErrorIs(t, err, c.want, name)
		})
	}
	for name, inner := range map[string][]byte{
		"no identity":        []byte("no identity"),
		"no key":             identity.Typed{Type: identity.X509, Raw: []byte("key")}.Encode(),
		"no members":         multisig.Encode(),
		"no policy":          identity.Typed{Type: identity.Policy, Raw: []byte("policy")}.Encode(),
		"no key of a member": multisig.Encode(a.Identity(), identity.Typed{Type: identity.X509}.Encode()),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := hashed.Longest(inner, 5, 16)
			require.ErrorAs(t, err, &malformed, name)
		})
	}
	_, err := hashed.Longest(pol("$0 AND", a.Identity()), 5, 16)
	require.Error(t, err, "expression")
}

// nested returns an identity inside so many owners of one member.
func nested(levels int, id []byte) []byte {
	for range levels {
		id = multisig.Encode(id)
	}
	return id
}

func FuzzDecodeSignature(f *testing.F) {
	var seeds [][]byte
	for _, k := range loadKnown(f) {
		seeds = append(seeds, k.Shows, k.Refers)
	}
	vectors.FuzzDecoder(f, seeds, func(b []byte) ([]byte, error) {
		s, err := hashed.DecodeSignature(b)
		if err != nil {
			return nil, err
		}
		return s.Encode()
	})
}

func FuzzOpenInfo(f *testing.F) {
	answers := loadKnown(f)
	for _, k := range answers {
		f.Add([]byte(k.Info), []byte(k.Owner))
	}
	pd := hashed.Digest(answers[0].PD)
	f.Fuzz(func(t *testing.T, b, owner []byte) {
		typed, err := identity.Decode(owner)
		if err != nil || typed.Type != identity.Hashed {
			return
		}
		i, err := hashed.OpenInfo(pd, typed.Raw, b)
		if err != nil {
			return
		}
		require.Equal(t, owner, i.Owner(pd))
		again, err := i.Encode()
		require.NoError(t, err)
		require.Equal(t, b, again)
	})
}

func FuzzLongest(f *testing.F) {
	for _, k := range loadKnown(f) {
		f.Add([]byte(k.Inner))
	}
	f.Add(nested(4, identity.Typed{Type: identity.IdemixNym}.Encode()))
	f.Fuzz(func(t *testing.T, inner []byte) {
		n, err := hashed.Longest(inner, 5, 16)
		if err == nil {
			require.Greater(t, n, len(inner))
		}
	})
}

// FuzzShown opens signatures one after the other. A refused signature has no effect on others.
func FuzzShown(f *testing.F) {
	k := loadKnown(f)
	f.Add([]byte(k[1].Owner), []byte(k[1].Shows), []byte(k[0].Owner), []byte(k[0].Refers))
	f.Fuzz(func(t *testing.T, owner1, signature1, owner2, signature2 []byte) {
		var shown hashed.Shown
		for _, c := range [][2][]byte{{owner1, signature1}, {owner2, signature2}} {
			typed, err := identity.Decode(c[0])
			if err != nil {
				continue
			}
			inner, signature, err := shown.Open(hashed.Digest(k[0].PD), typed.Raw, c[1])
			if err == nil {
				require.NotEmpty(t, inner)
				require.NotEmpty(t, signature)
			}
		}
	})
}

package idemix // issuer, owner and claim are private: digests, costs and skipped claims

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

var keys vectors.Once[int, *credential.Key] // by curve

// issuerOf returns the key of networks without Idemix owners, which is prepared once.
func issuerOf(t *testing.T, curve int) *issuer {
	t.Helper()
	prepared := keys.Get(curve, func() *credential.Key {
		g, err := curves.ByID(curve)
		require.NoError(t, err)
		p, err := params.Setup(params.Config{Group: g, Bits: 16, TableBytes: 1})
		require.NoError(t, err)
		key, err := credential.NewKey(curve, p.IdemixKeys()[0].PublicKey)
		require.NoError(t, err)
		return key
	})
	return newIssuer(prepared, curve)
}

// TestMemoryDependsOnAll: the digest differs with each part that the verdict
// depends on.
func TestMemoryDependsOnAll(t *testing.T) {
	a, b := issuerOf(t, 1), issuerOf(t, 7)
	seen := map[digest]string{}
	for name, o := range map[string]owner{
		"key":             {issuers: []*issuer{a}, raw: []byte("raw")},
		"another key":     {issuers: []*issuer{b}, raw: []byte("raw")},
		"two keys":        {issuers: []*issuer{a, b}, raw: []byte("raw")},
		"in other order":  {issuers: []*issuer{b, a}, raw: []byte("raw")},
		"another raw":     {issuers: []*issuer{a}, raw: []byte("row")},
		"type 3":          {issuers: []*issuer{a}, raw: []byte("raw"), eid: []byte("eid")},
		"another eid":     {issuers: []*issuer{a}, raw: []byte("raw"), eid: []byte("eit")},
		"part of the raw": {issuers: []*issuer{a}, raw: []byte("w"), eid: []byte("ra")},
	} {
		t.Run(name, func(t *testing.T) {
			require.NotContains(t, seen, o.digest(), "%s and %s", name, seen[o.digest()])
			seen[o.digest()] = name
		})
	}
}

// TestPanicsAreErrors: a panic in the sums is an error of all claims.
func TestPanicsAreErrors(t *testing.T) {
	key := issuerOf(t, 1)
	empty := &claim{candidates: []candidate{{key: key}}}
	for _, err := range newKeys([]*issuer{key}).checkSums(nil, executor.Serial{}, []*claim{empty, empty}) {
		require.ErrorAs(t, err, new(*executor.PanicError))
	}
}

// skips is an executor without effect.
type skips struct{ executor.Serial }

func (skips) Run(int, func(int) error) error { return nil }

// TestSkippedClaimsAreRefused: a claim that an executor skips is refused.
func TestSkippedClaimsAreRefused(t *testing.T) {
	ks := newKeys([]*issuer{issuerOf(t, 1)})
	require.Equal(t, []error{errUndecided}, ks.checkSums(nil, skips{}, []*claim{{}}))
}

// TestCostsOfSchemes: a verification takes the time of 10 of ECDSA on BN254, 25 on
// BLS12-381.
func TestCostsOfSchemes(t *testing.T) {
	a, b := issuerOf(t, 1), issuerOf(t, 7)
	require.Equal(t, 10, a.cost())
	require.Equal(t, 25, b.cost())
	require.Equal(t, 35, newKeys([]*issuer{a, b}).Cost())
	many := newKeys(append(slices.Repeat([]*issuer{a}, 9), b))
	require.Equal(t, 115, many.Cost())
	require.Equal(t, 115, owner{issuers: many.issuers}.Cost())
	require.Equal(t, 25, nymOwner{keys: newKeys([]*issuer{b, a})}.Cost())
}

// TestLengthsOfIdentities: an identity of type 1 has 1 to 2048 bytes, one of type 3 a point.
func TestLengthsOfIdentities(t *testing.T) {
	ks := newKeys([]*issuer{issuerOf(t, 1)})
	for n, want := range map[int]error{0: wire.ErrLength, 1: nil, maxIdentity: nil,
		maxIdentity + 1: wire.ErrLength} {
		_, err := ks.verifier(make([]byte, n))
		require.ErrorIs(t, err, want, n)
	}
	for n, want := range map[int]error{0: wire.ErrLength, 63: wire.ErrLength, 64: nil, 65: wire.ErrLength} {
		_, err := ks.nymVerifier(make([]byte, n))
		require.ErrorIs(t, err, want, n)
	}
	for n, want := range map[int]error{maxInfo: wire.ErrMalformed, maxInfo + 1: wire.ErrTooLarge} {
		_, err := decodeInfo(identity.Idemix, make([]byte, n))
		require.ErrorIs(t, err, want, n)
	}
}

// TestKeysAreNamed: the error has the index of the first wrong key.
func TestKeysAreNamed(t *testing.T) {
	g := issuerOf(t, 1).Scheme().Group()
	_, err := New(nil)
	require.ErrorIs(t, err, ErrKey)
	for _, wrong := range []Key{{PublicKey: g.AppendPoint(nil, g.Generator()), Curve: 1},
		{PublicKey: []byte("no idemix issuer"), Curve: 1}, {PublicKey: []byte{1}}, {Curve: 7}, {Curve: -1}} {
		_, err = New([]Key{wrong})
		require.ErrorIs(t, err, ErrKey)
		require.ErrorContains(t, err, "key 0: ")
	}
	for curve, label := range map[int]int{0: 0, 1: 1, 5: 5, 6: 7, 7: 7, 8: 8} {
		require.Equal(t, label, Key{Curve: curve}.Label())
	}
}

// TestOpeningsShowNothing: every verb prints the name of the type.
func TestOpeningsShowNothing(t *testing.T) {
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		require.Equal(t, "opening of a pseudonym",
			fmt.Sprintf(verb,
				Opening{Rand: Element{Element: []byte("secret")}, Attr: Element{Element: []byte("secret")}}))
	}
}

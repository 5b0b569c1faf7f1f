package idemix

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// issuerOf returns the key of networks without Idemix owners.
func issuerOf(t *testing.T, curve int) *issuer {
	t.Helper()
	g, err := curves.ByID(curve)
	require.NoError(t, err)
	p, err := params.Setup(params.Config{Group: g, Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	k := p.IdemixKeys()[0]
	key, err := credential.NewKey(k.Curve, k.PublicKey)
	require.NoError(t, err)
	return newIssuer(key)
}

// TestMemoryIsBounded: the last presentations are remembered, at least half of
// the bound, and a bound below two switches the memory off.
func TestMemoryIsBounded(t *testing.T) {
	require.Nil(t, (&Keys{}).Remember(1).memo)
	m := (&Keys{}).Remember(9).memo
	id := func(i int) digest { return digest{byte(i), byte(i >> 8)} }
	for i := range 1000 {
		m.put(id(i), known{})
		require.LessOrEqual(t, len(m.young)+len(m.old), 9)
		for k := max(0, i-3); k <= i; k++ {
			_, young := m.young[id(k)]
			_, old := m.old[id(k)]
			require.True(t, young || old, "%d after %d", k, i)
		}
	}
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
		require.NotContains(t, seen, o.digest(), "%s and %s", name, seen[o.digest()])
		seen[o.digest()] = name
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

// skips is an executor that runs nothing.
type skips struct{ executor.Serial }

func (skips) Run(int, func(int) error) error { return nil }

// TestSkippedClaimsAreRefused: a claim that an executor skips is refused.
func TestSkippedClaimsAreRefused(t *testing.T) {
	ks := newKeys([]*issuer{issuerOf(t, 1)})
	require.Equal(t, []error{errUndecided}, ks.checkSums(nil, skips{}, []*claim{{}}))
}

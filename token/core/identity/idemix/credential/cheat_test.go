package credential // sumsOf, proved and weights are private: steps of one verification

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// keyed is a key with a prover who knows the equations and has a pseudonym but not
// a credential.
type keyed struct {
	*Key
	forger *Forger
}

// item makes an item with right sums.
func (k keyed) item(t testing.TB, message string) Item {
	t.Helper()
	o, err := k.forger.Owner([]byte(message))
	require.NoError(t, err)
	it := Item{Message: []byte(message)}
	it.Signature, err = k.scheme.Signature(o.Signature)
	require.NoError(t, err)
	it.Identity, err = k.scheme.Identity(o.Raw)
	require.NoError(t, err)
	return it
}

// prepared is an encoded key with its tables.
type prepared struct {
	encoded []byte
	key     *Key
}

var made vectors.Once[int, prepared] // by curve

// keys returns the key of each curve, which is made once, with a new prover.
func keys(t testing.TB) (ks []keyed) {
	t.Helper()
	for _, curve := range []int{1, 7} {
		k := made.Get(curve, func() prepared {
			g, err := curves.ByID(curve)
			require.NoError(t, err)
			p, err := params.Setup(params.Config{Group: g, Bits: 16, TableBytes: 1})
			require.NoError(t, err)
			encoded := p.IdemixKeys()[0].PublicKey
			key, err := NewKey(curve, encoded)
			require.NoError(t, err)
			return prepared{encoded, key}
		})
		f, err := NewForger(curve, k.encoded, rand.NewChaCha8([32]byte{byte(curve)}))
		require.NoError(t, err)
		ks = append(ks, keyed{k.key, f})
	}
	return ks
}

// TestWithoutCredential: the pairings reject a prover without a credential, alone
// and with others, also if all sums are right.
func TestWithoutCredential(t *testing.T) {
	for _, k := range keys(t) {
		items := []Item{k.item(t, "a"), k.item(t, "b")}
		require.Equal(t, []error{nil, nil}, k.Sums(items))
		require.False(t, k.Pairings(items))
		require.False(t, k.Pairings(items[1:]))
		rejected := new(RejectedError)
		require.ErrorAs(t, k.Verify(items), &rejected)
		require.Equal(t, RejectedError{0, ErrPresentation}, *rejected)

		// The two equations of a pair with opposite points differ by their weights.
		g := k.group
		with := func(prime, bar group.Point) Item {
			id := *items[0].Identity
			id.APrime, id.ABar = prime, bar
			return Item{Identity: &id}
		}
		own := items[0].Identity
		opposite := with(g.SubPoints(group.Point{}, own.APrime), g.SubPoints(group.Point{}, own.ABar))
		require.False(t, k.Pairings([]Item{items[0], opposite}))
		require.False(t, k.Pairings([]Item{with(group.Point{}, group.Point{})}), "the identity")

		items[0].Known, items[1].Known = true, true
		require.True(t, k.Pairings(items), "verified before")
		items[1].Known = false
		require.False(t, k.Pairings(items))
		require.ErrorAs(t, k.Verify(items), &rejected)
		require.Equal(t, RejectedError{1, ErrPresentation}, *rejected, "the first is verified before")
	}
}

// TestCommitmentsAreTheSums: a commitment with a part of order three, or with the
// other sign, is rejected, also with the challenge made for it.
func TestCommitmentsAreTheSums(t *testing.T) {
	k := keys(t)[1]
	require.Equal(t, []error{nil}, k.Sums([]Item{k.item(t, "a")}))
	for _, change := range []*bool{&k.forger.Torsion, &k.forger.Negated} {
		*change = true
		it := k.item(t, "a")
		*change = false
		require.Equal(t, []error{ErrSignature}, k.Sums([]Item{it}))
		all, _ := k.sumsOf([]Item{it})
		require.False(t, k.proved(&it.Identity.Presentation, [5][]byte(all.compute()[1:])))
	}
}

// TestEveryEquationCounts: a change of any response, point or commitment is
// rejected.
func TestEveryEquationCounts(t *testing.T) {
	for _, k := range keys(t) {
		good, g := k.item(t, "a"), k.group
		sums := func(id *presentation.Identity) error {
			return k.Sums([]Item{{Identity: id, Signature: good.Signature, Message: good.Message}})[0]
		}
		require.NoError(t, sums(good.Identity))
		const scalars, points = 14, 6
		for i := range scalars {
			id := *good.Identity
			all := append(bindtest.Fields[group.Scalar](&id.Presentation),
				bindtest.Fields[group.Scalar](&id.Responses)...)
			require.Len(t, all, scalars)
			if k.bbs && all[i].Name == "Challenge" {
				continue // there are commitments instead
			}
			*all[i].At = g.Add(*all[i].At, g.Uint64(1))
			require.ErrorIs(t, sums(&id), ErrPresentation, all[i].Name)
		}
		for i := range points {
			id, want := *good.Identity, ErrPresentation
			all := bindtest.Fields[group.Point](&id.Presentation)
			require.Len(t, all, points)
			if all[i].Name == "Nym" {
				want = ErrSignature
			}
			*all[i].At = g.AddPoints(*all[i].At, g.Generator())
			require.ErrorIs(t, sums(&id), want, all[i].Name)
		}
		for i, commitment := range good.Identity.Commitments {
			if k.bbs {
				id := *good.Identity
				id.Commitments[i] = append([]byte{commitment[0] ^ 1}, commitment[1:]...)
				require.ErrorIs(t, sums(&id), ErrPresentation, i)
			}
		}
	}
}

// TestWeights: the first weight is 1, the others have 128 bits and depend on the key.
// TestWeightsBind tests that they differ and depend on all presentations.
func TestWeights(t *testing.T) {
	for _, k := range keys(t) {
		proofs, largest := make([][]byte, 301), []byte(nil)
		weights := k.weights(proofs)
		require.Equal(t, k.group.Uint64(1), weights[0])
		other := *k.Key
		other.digest[0] ^= 1
		for i, w := range other.weights(proofs)[1:] {
			b := k.group.AppendScalar(nil, weights[i+1])
			require.Equal(t, make([]byte, 16), b[:16])
			largest = slices.MaxFunc([][]byte{largest, b[16:]}, bytes.Compare)
			require.NotEqual(t, weights[i+1], w)
		}
		require.NotZero(t, largest[0], "at least 2¹²⁰")
	}
}

// TestUnsignedItems: an item without signature has only its presentation checked and not
// more, next to signed and known ones, and a key that was not made refuses all items.
func TestUnsignedItems(t *testing.T) {
	for _, k := range keys(t) {
		signed, unsigned, known := k.item(t, "a"), k.item(t, "b"), k.item(t, "c")
		unsigned.Unsigned, unsigned.Signature = true, nil
		known.Known = true
		wrong := unsigned
		id := *wrong.Identity
		id.Presentation.S = k.group.Add(id.Presentation.S, k.group.Uint64(1))
		wrong.Identity = &id
		forged := known
		forged.Message = []byte("another")
		require.Equal(t, []error{nil, nil, ErrPresentation, nil, ErrSignature, ErrPresentation, nil},
			k.Sums([]Item{unsigned, signed, wrong, known, forged, wrong, unsigned}))
		empty := new(Key)
		require.False(t, empty.Pairings([]Item{signed}))
		require.False(t, empty.Pairings(nil))
		require.Error(t, empty.Sums([]Item{signed})[0])
	}
	raw := make([]byte, 96)
	for _, curve := range []int{1, 7} {
		_, err := NewKey(curve, raw)
		require.ErrorIs(t, err, ErrKey, "no point")
	}
	_, err := NewKey(99, raw)
	require.ErrorIs(t, err, ErrKey)
}

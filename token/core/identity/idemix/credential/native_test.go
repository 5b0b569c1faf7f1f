package credential_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	bls12381field "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	bn254field "github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

var message = []byte("message")

// owner is an owner of type 1 with a signature of message, as bytes.
type owner struct{ raw, signature []byte }

// network is an issuer's key here and in the library, and owners under it.
type network struct {
	key     *credential.Key
	encoded []byte // the key
	other   *verifier
	owners  []owner
}

func newNetwork(t testing.TB, curve, n int) *network {
	t.Helper()
	issuer, wallets := networktest.Idemix(t, curve, n)
	net := &network{encoded: issuer.Key().PublicKey}
	var err error
	net.key, err = credential.NewKey(curve, issuer.Key().PublicKey)
	require.NoError(t, err)
	net.other = newVerifier(t, curve, issuer.Key().PublicKey)
	for _, w := range wallets {
		typed := networktest.Typed(t, w.Identity())
		signature, err := w.Sign(message)
		require.NoError(t, err)
		net.owners = append(net.owners, owner{bytes.Clone(typed.Raw), signature})
	}
	return net
}

// read reads an owner under the rules of package presentation.
func (n *network) read(o owner, message []byte) (it credential.Item, err error) {
	it.Message = message
	if it.Signature, err = n.key.Scheme().Signature(o.signature); err == nil {
		it.Identity, err = n.key.Scheme().Identity(o.raw)
	}
	return it, err
}

// asLibrary is the verdict of the library on owners that package presentation can
// read.
func (n *network) asLibrary(o owner) error {
	it, err := n.read(o, message)
	if err != nil {
		return err
	}
	return n.other.verify(it.Identity, nil, message, o.signature)
}

func (n *network) items(t testing.TB) (items []credential.Item) {
	t.Helper()
	for _, o := range n.owners {
		it, err := n.read(o, message)
		require.NoError(t, err)
		items = append(items, it)
	}
	return items
}

// forge makes an owner with right sums and no credential.
func (n *network) forge(t testing.TB, f *credential.Forger) (owner, credential.Item) {
	t.Helper()
	made, err := f.Owner(message)
	require.NoError(t, err)
	it, err := n.read(owner{made.Raw, made.Signature}, message)
	require.NoError(t, err)
	return owner{made.Raw, made.Signature}, it
}

// TestForgedOwnersAreRefused: an owner without a credential is found next to another one, in both
// orders and with other weights each time, and by the library. Verifiers of owners refuse it signed
// and unsigned, with and without a memory.
func TestForgedOwnersAreRefused(t *testing.T) {
	for _, curve := range []int{1, 7} {
		n := newNetwork(t, curve, 1)
		honest := n.items(t)[0]
		f, err := credential.NewForger(curve, n.encoded, rand.NewChaCha8([32]byte{1}))
		require.NoError(t, err)
		made, other := n.forge(t, f)
		for range nightly.Pick(3, 10, 500) {
			raw, forged := n.forge(t, f)
			require.ErrorIs(t, n.asLibrary(raw), identity.ErrSignature)
			for at, items := range [][]credential.Item{{forged, honest}, {honest, forged}, {forged, other}} {
				require.Equal(t, []error{nil, nil}, n.key.Sums(items))
				require.Equal(t,
					&credential.RejectedError{Index: at % 2, Err: credential.ErrPresentation},
					n.key.Verify(items))
			}
		}
		keys, err := idemix.New([]idemix.Key{{PublicKey: n.encoded, Curve: curve}})
		require.NoError(t, err)
		id := identity.Typed{Type: identity.Idemix, Raw: made.raw}.Encode()
		for _, ks := range []*idemix.Keys{keys, keys.Remember(8)} {
			r := identity.Registry{}
			ks.Register(r)
			for range 2 {
				require.ErrorIs(t, r.Verify(id, message, made.signature), identity.ErrSignature)
				require.ErrorContains(t, r.Open(id), "presentation is rejected")
			}
		}
	}
}

// TestKeys: issuer keys with any byte changed, or of another length or curve, are
// refused, unless the change makes another key of BLS12-381.
func TestKeys(t *testing.T) {
	for _, curve := range []int{1, 7} {
		issuer, err := library.NewIssuer(curve)
		require.NoError(t, err)
		good := issuer.Key().PublicKey
		for i := range good {
			bad := bytes.Clone(good)
			bad[i] ^= 0x10
			_, err := credential.NewKey(curve, bad)
			require.ErrorIs(t, err, credential.ErrKey, "curve %d, byte %d", curve, i)
		}
		for _, bad := range [][]byte{nil, good[:len(good)-1], append(bytes.Clone(good), 0)} {
			_, err := credential.NewKey(curve, bad)
			require.ErrorIs(t, err, credential.ErrKey)
			require.ErrorContains(t, err, credential.ErrKey.Error()+": idemix issuer key")
		}
		for _, other := range []int{0, 2, 5, 9, 8 - curve} {
			_, err := credential.NewKey(other, good)
			require.ErrorIs(t, err, credential.ErrKey)
		}
	}
	identityG2 := make([]byte, 96)
	identityG2[0] = 0xc0
	_, err := credential.NewKey(7, identityG2)
	require.ErrorIs(t, err, credential.ErrKey)

	outside := bls12381.GeneratePointNotInG2(bls12381.E2{A0: bls12381field.NewElement(5)})
	var affine bls12381.G2Affine
	affine.FromJacobian(&outside)
	raw := affine.Bytes()
	_, err = credential.NewKey(7, raw[:])
	require.ErrorIs(t, err, group.ErrNotInSubgroup)
}

// TestKeysWithTheirHash: a key of BN254 is refused if W, B1, B2, the challenge or
// the response of its proof is another one, also with the hash that fits, and if W
// is on the curve and not in its group.
func TestKeysWithTheirHash(t *testing.T) {
	mine, err := library.NewIssuer(1)
	require.NoError(t, err)
	other, err := library.NewIssuer(1)
	require.NoError(t, err)
	// Fields: four names, two bases, four bases, W, B1, B2, challenge, response, hash.
	good, foreign := fields(t, mine.Key().PublicKey), fields(t, other.Key().PublicKey)
	const w, hash = 10, 15
	require.Len(t, good, hash+1)
	g := presentation.BN254.Group()
	key := func(n int, field []byte) error {
		changed := slices.Clone(good[:hash])
		changed[n] = field
		b := slices.Concat(changed...)
		b = appendField(b, 10, g.AppendScalar(nil, presentation.HashBN254(g, b)))
		if _, err := presentation.BN254.IssuerKey(b); err != nil {
			return err
		}
		_, err := credential.NewKey(1, b)
		return err
	}
	require.NoError(t, key(0, good[0]))
	for n := w; n < hash; n++ {
		require.ErrorIs(t, key(n, foreign[n]), credential.ErrKey, "field %d", n)
	}
	outside := bn254.GeneratePointNotInG2(bn254.E2{A0: bn254field.NewElement(5)})
	var affine bn254.G2Affine
	affine.FromJacobian(&outside)
	raw := affine.RawBytes()
	var coordinates []byte
	for i := range 4 {
		coordinates = appendField(coordinates, i+1, raw[32*i:][:32])
	}
	require.ErrorIs(t, key(w, appendField(nil, 5, coordinates)), group.ErrNotInSubgroup)
}

func appendField(b []byte, n int, field []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, protowire.Number(n), protowire.BytesType), field)
}

// fields cuts a message into its fields, with their tags.
func fields(t testing.TB, b []byte) (fs [][]byte) {
	t.Helper()
	for len(b) > 0 {
		_, _, n := protowire.ConsumeField(b)
		require.Positive(t, n)
		fs, b = append(fs, b[:n]), b[n:]
	}
	return fs
}

// mutants changes an owner: bytes by three masks, and runs of 32 bytes to the bytes of
// another owner or of another place.
func mutants(o, other owner, every int, f func(name string, o owner)) {
	for i := 0; i < len(o.raw); i += every {
		for _, mask := range []byte{1, 0x20, 0x80} {
			raw := bytes.Clone(o.raw)
			raw[i] ^= mask
			f(fmt.Sprintf("identity[%d]^%02x", i, mask), owner{raw, o.signature})
		}
	}
	for i := 0; i < len(o.signature); i += every {
		for _, mask := range []byte{1, 0x20, 0x80} {
			signature := bytes.Clone(o.signature)
			signature[i] ^= mask
			f(fmt.Sprintf("signature[%d]^%02x", i, mask), owner{o.raw, signature})
		}
	}
	size := 32
	for i := 0; i+size <= min(len(o.raw), len(other.raw)); i += every {
		raw := bytes.Clone(o.raw)
		copy(raw[i:i+size], other.raw[i:])
		f(fmt.Sprintf("identity[%d:] of another", i), owner{raw, o.signature})
		raw = bytes.Clone(o.raw)
		copy(raw[i:i+size], o.raw[(i+37*size)%(len(raw)-size):])
		f(fmt.Sprintf("identity[%d:] of itself", i), owner{raw, o.signature})
	}
	f("signature of another", owner{o.raw, other.signature})
	f("identity of another", owner{other.raw, o.signature})
}

// TestVerdictsAreTheLibrarys: on changed owners the verdict equals the library's,
// after package presentation has read them.
// ZKAT_DIFFERENTIAL=n runs n rounds with all changes and fresh owners. Without it, a
// part of one round runs.
func TestVerdictsAreTheLibrarys(t *testing.T) {
	rounds, every := 1, nightly.Pick(53, 17, 17)
	if _, err := fmt.Sscan(os.Getenv("ZKAT_DIFFERENTIAL"), &rounds); err == nil {
		every = 1
	}
	for _, curve := range []int{1, 7} {
		count := map[string]int{}
		for range rounds {
			n := newNetwork(t, curve, 2)
			right, err := n.read(n.owners[1], message)
			require.NoError(t, err)
			check := func(name string, o owner) {
				library := n.asLibrary(o)
				it, err := n.read(o, message)
				if err == nil {
					err = n.key.Verify([]credential.Item{it})
					count["read"]++
					together := [2][]credential.Item{{it, right}, {right, it}}[count["read"]%2]
					require.Equal(t, err == nil, n.key.Verify(together) == nil, "curve %d, %s: in a batch",
						curve, name)
				}
				require.Equal(t, library == nil, err == nil, "curve %d, %s: library %v, here %v", curve, name,
					library, err)
				count["all"]++
			}
			check("as it is", n.owners[0])
			mutants(n.owners[0], n.owners[1], every, check)
		}
		require.Greater(t, count["read"], nightly.Pick(10, 50, 50))
		t.Logf("curve %d: %d mutants, %d read", curve, count["all"], count["read"])
	}
}

// FuzzVerdict: the verdict on any bytes equals the library's, after package
// presentation has read them.
func FuzzVerdict(f *testing.F) {
	networks := []*network{newNetwork(f, 1, 1), newNetwork(f, 7, 1)}
	for _, n := range networks {
		f.Add(n.owners[0].raw, n.owners[0].signature)
	}
	f.Fuzz(func(t *testing.T, raw, signature []byte) {
		for _, n := range networks {
			library := n.asLibrary(owner{raw, signature})
			it, err := n.read(owner{raw, signature}, message)
			if err == nil {
				err = n.key.Verify([]credential.Item{it})
			}
			require.Equal(t, library == nil, err == nil, "library %v, here %v", library, err)
		}
	})
}

// frame reads an owner without its points.
func (n *network) frame(b *testing.B, o owner) (it credential.Item) {
	b.Helper()
	it.Message = message
	var err error
	if it.Signature, err = n.key.Scheme().FrameSignature(o.signature); err != nil {
		b.Fatal(err)
	}
	if it.Identity, err = n.key.Scheme().FrameIdentity(o.raw); err != nil {
		b.Fatal(err)
	}
	return it
}

// verifyBatch reads and verifies owners as package idemix does.
func (n *network) verifyBatch(b *testing.B, owners []owner) {
	b.Helper()
	items := make([]credential.Item, len(owners))
	ids, signatures := make([]*presentation.Identity, len(owners)),
		make([]*presentation.Signature, len(owners))
	for i, o := range owners {
		items[i] = n.frame(b, o)
		ids[i], signatures[i] = items[i].Identity, items[i].Signature
	}
	if err := errors.Join(n.key.Scheme().Points(ids, signatures)...); err != nil {
		b.Fatal(err)
	}
	if err := n.key.Verify(items); err != nil {
		b.Fatal(err)
	}
}

// perOwner runs f as a benchmark and reports the processor time for each of n
// owners.
func perOwner(b *testing.B, name string, n int, f func(b *testing.B)) {
	b.Run(name, func(b *testing.B) {
		now, done := cputime.Thread()
		defer done()
		start := now()
		for b.Loop() {
			f(b)
		}
		b.ReportMetric(float64((now()-start).Nanoseconds())/float64(b.N*n), "cpu-ns/owner")
	})
}

func BenchmarkVerify(b *testing.B) {
	for _, curve := range []int{1, 7} {
		n := newNetwork(b, curve, 64)
		name := map[int]string{1: "BN254", 7: "BLS12_381_BBS_GURVY"}[curve]
		perOwner(b, fmt.Sprintf("curve=%s/by=library/batch=1", name), 1, func(b *testing.B) {
			if err := n.asLibrary(n.owners[0]); err != nil {
				b.Fatal(err)
			}
		})
		for _, size := range []int{1, 2, 8, 64} {
			perOwner(b, fmt.Sprintf("curve=%s/by=native/batch=%d", name, size), size, func(b *testing.B) {
				n.verifyBatch(b, n.owners[:size])
			})
		}
	}
}

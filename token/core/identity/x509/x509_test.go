package x509_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	stdx509 "crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	mathrand "math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

var registry = identity.Registry{identity.X509: x509.NewVerifier}

func wallet(t testing.TB) *x509.Wallet {
	t.Helper()
	w, err := x509.NewWallet(rand.Reader, "alice@example")
	require.NoError(t, err)
	return w
}

func TestSignaturesVerify(t *testing.T) {
	bare, err := x509.NewKeyWallet(rand.Reader)
	require.NoError(t, err)
	for _, w := range []*x509.Wallet{wallet(t), bare} {
		for range 20 { // half of all plain signatures would have a high s
			signature, err := w.Sign([]byte("message"))
			require.NoError(t, err)
			require.NoError(t, registry.Verify(w.Identity(), []byte("message"), signature))
			require.ErrorIs(t, registry.Verify(w.Identity(), []byte("other"), signature),
				identity.ErrSignature)
			require.ErrorIs(t, registry.Verify(wallet(t).Identity(), []byte("message"), signature),
				identity.ErrSignature)
		}
	}
}

func TestWalletFollowsFromItsSource(t *testing.T) {
	seed := bytes.Repeat([]byte{7}, 64)
	one, err := x509.NewWallet(bytes.NewReader(seed), "a")
	require.NoError(t, err)
	two, err := x509.NewWallet(bytes.NewReader(seed), "a")
	require.NoError(t, err)
	require.Equal(t, one.Identity(), two.Identity())
	broken := func() io.Reader { // before the last byte of a key
		return io.MultiReader(bytes.NewReader(seed[:31]), iotest.ErrReader(errors.New("broken")))
	}
	_, err = x509.NewWallet(broken(), "a")
	require.ErrorIs(t, err, group.ErrRandom)
	require.EqualError(t, err, group.ErrRandom.Error()+": broken")
	_, err = x509.NewKeyWallet(broken())
	require.EqualError(t, err, group.ErrRandom.Error()+": broken")
	none, err := x509.NewWallet(bytes.NewReader(seed), "\xff")
	require.ErrorContains(t, err, "UTF-8", "no certificate has this name")
	require.Nil(t, none)
}

// keeping keeps the memory that it reads into.
type keeping struct {
	io.Reader
	read [][]byte
}

func (k *keeping) Read(b []byte) (int, error) {
	k.read = append(k.read, b)
	return k.Reader.Read(b)
}

// TestSeedsAreWiped: after a key is drawn, the memory with its random bytes is zero.
func TestSeedsAreWiped(t *testing.T) {
	random := &keeping{Reader: bytes.NewReader(bytes.Repeat([]byte{7}, 64))}
	_, err := x509.NewKeyWallet(random)
	require.NoError(t, err)
	require.NotEmpty(t, random.read)
	for _, b := range random.read {
		require.Equal(t, make([]byte, len(b)), b)
	}
}

func TestPrintingAWalletShowsNoKey(t *testing.T) {
	w := wallet(t)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, "x509 wallet", fmt.Sprintf(format, w))
	}
}

func TestAuditInfoMatchesItsOwner(t *testing.T) {
	w := wallet(t)
	info, err := x509.NewAuditInfo(w.Identity())
	require.NoError(t, err)
	encoded, err := info.Encode()
	require.NoError(t, err)
	id := networktest.Typed(t, w.Identity())
	require.NoError(t, x509.Match(id.Raw, encoded))
	other, err := x509.NewWallet(rand.Reader, "bob@example")
	require.NoError(t, err)
	otherID := networktest.Typed(t, other.Identity())
	require.ErrorIs(t, x509.Match(otherID.Raw, encoded), x509.ErrNoMatch)
	for _, bad := range []error{x509.Match(id.Raw, encoded[1:]), x509.Match([]byte("?"), encoded)} {
		require.ErrorIs(t, bad, wire.ErrMalformed)
		require.ErrorAs(t, bad, new(*wire.DecodeError))
	}
}

// FuzzVerify reads any bytes as an identity and as a signature.
func FuzzVerify(f *testing.F) {
	w := wallet(f)
	signature, err := w.Sign([]byte("message"))
	require.NoError(f, err)
	id := networktest.Typed(f, w.Identity())
	f.Add(id.Raw, signature)
	f.Add([]byte("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"), []byte{0x30, 0})
	f.Fuzz(func(t *testing.T, raw, signature []byte) {
		v, err := x509.NewVerifier(raw)
		if err == nil {
			err = identity.Verify(v, identity.NewMessage([]byte("message")), signature)
		}
		if de := new(wire.DecodeError); err != nil && !errors.As(err, &de) &&
			!errors.Is(err, identity.ErrSignature) {
			t.Fatalf("untyped error %T: %v", err, err)
		}
	})
}

// TestOneBlock: an identity is exactly one PEM block; blocks that pem.Decode
// skips are refused.
func TestOneBlock(t *testing.T) {
	id := networktest.Typed(t, wallet(t).Identity())
	for name, c := range map[string]struct {
		raw  string
		want error
	}{
		"as it is":              {"%s", nil},
		"newlines":              {"\n\n%s\n\n", nil},
		"a broken block before": {"-----BEGIN CERTIFICATE-----\n%s", wire.ErrTrailing},
		"an empty block before": {"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n%s",
			wire.ErrTrailing},
		"a broken block after": {"%s-----BEGIN CERTIFICATE-----\n", wire.ErrTrailing},
		"text before":          {"text\n%s", wire.ErrMalformed},
		"text after":           {"%stext", wire.ErrTrailing},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := x509.NewVerifier(fmt.Appendf(nil, c.raw, id.Raw))
			require.ErrorIs(t, err, c.want, name)
		})
	}
}

// TestWhiteSpace: every white space at every border of a PEM block. encoding/pem
// itself decides about the lines of the block; around it there are newlines
// before and blanks and newlines after.
func TestWhiteSpace(t *testing.T) {
	id := networktest.Typed(t, wallet(t).Identity())
	block := strings.TrimSuffix(string(id.Raw), "\n")
	for _, space := range []string{
		" ", "\t", "\n", "\v", "\f", "\r", "\u0085", "\u00a0", "\u1680", "\u2000", "\u2028", "\u3000",
		"\ufeff", "\x85", "\xa0", "\x00",
	} {
		blank := strings.Contains(" \t\n\r", space)
		for raw, good := range map[string]bool{
			space + block + "\n":              space == "\n",
			"\n" + space + block + "\n":       space == "\n",
			space + "\n" + block + "\n":       space == "\n",
			block + space:                     blank && space != "\r", // half of an end of line
			block + space + "\n":              blank,
			block + "\n" + space:              blank,
			block + "\n" + space + "\n":       blank,
			block + "\n\n" + space + "\n\n":   blank,
			block + "\n" + space + "\n" + "x": false,
		} {
			t.Run(raw, func(t *testing.T) {
				_, err := x509.NewVerifier([]byte(raw))
				require.Equal(t, good, err == nil, "%q in %q: %v", space,
					strings.ReplaceAll(raw, block, "BLOCK"),
					err)
				if !good {
					require.ErrorAs(t, err, new(*wire.DecodeError))
				}
				_, err = x509.NewAuditInfo(identity.Typed{Type: identity.X509, Raw: []byte(raw)}.Encode())
				require.Equal(t, good, err == nil, "%q in %q: %v", space,
					strings.ReplaceAll(raw, block, "BLOCK"),
					err)
			})
		}
	}
}

// TestNoNameNoMatch: a certificate without a name matches no audit information.
func TestNoNameNoMatch(t *testing.T) {
	for _, name := range []string{"", "@example"} {
		w, err := x509.NewWallet(rand.Reader, name)
		require.NoError(t, err)
		id := networktest.Typed(t, w.Identity())
		for _, info := range []string{`{}`, `{"EID":""}`} {
			require.ErrorIs(t, x509.Match(id.Raw, []byte(info)), x509.ErrNoMatch)
		}
	}
}

// otherKey is the identity of a bare key on another curve with its signatures.
func otherKey(t *testing.T, curve elliptic.Curve) (id []byte, sign func(message []byte) (low, high []byte)) {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	require.NoError(t, err)
	der, err := stdx509.MarshalPKIXPublicKey(&key.PublicKey)
	require.NoError(t, err)
	raw := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return identity.Typed{Type: identity.X509, Raw: raw}.Encode(), func(message []byte) (low, high []byte) {
		digest := sha256.Sum256(message)
		r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
		require.NoError(t, err)
		other := new(big.Int).Sub(curve.Params().N, s)
		if s.Cmp(other) > 0 {
			s, other = other, s
		}
		low, err = asn1.Marshal(struct{ R, S *big.Int }{r, s})
		require.NoError(t, err)
		high, err = asn1.Marshal(struct{ R, S *big.Int }{r, other})
		require.NoError(t, err)
		return low, high
	}
}

// TestOtherKeys: keys on the other NIST curves verify, in the low form alone, and
// cost more; keys of other kinds are refused.
func TestOtherKeys(t *testing.T) {
	message := []byte("message")
	longest := map[elliptic.Curve]int{elliptic.P224(): 63, elliptic.P256(): 71, elliptic.P384(): 103,
		elliptic.P521(): 139}
	for curve, cost := range map[elliptic.Curve]int{elliptic.P224(): 5, elliptic.P256(): 1,
		elliptic.P384(): 8, elliptic.P521(): 16} {
		id, sign := otherKey(t, curve)
		low, high := sign(message)
		for _, r := range []identity.Registry{registry,
			{identity.X509: x509.NewKeys(ecdsap256.New(1)).Verifier}} {
			require.NoError(t, r.Verify(id, message, low))
			require.ErrorIs(t, r.Verify(id, message, high), identity.ErrSignature)
			require.ErrorIs(t, r.Verify(id, []byte("other"), low), identity.ErrSignature)
		}
		v, err := registry.Verifier(id)
		require.NoError(t, err)
		require.Equal(t, cost, v.(identity.Costly).Cost())
		typed := networktest.Typed(t, id)
		n, err := x509.SignatureLen(typed.Raw)
		require.NoError(t, err)
		require.Equal(t, longest[curve], n)
		require.LessOrEqual(t, len(low), n)
	}
	_, err := x509.SignatureLen([]byte("no key"))
	require.ErrorAs(t, err, new(*wire.DecodeError))
	public, _, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	der, err := stdx509.MarshalPKIXPublicKey(public)
	require.NoError(t, err)
	for block, content := range map[string][]byte{"PUBLIC KEY": der, "CERTIFICATE": der, "PRIVATE KEY": der} {
		t.Run(block, func(t *testing.T) {
			_, err = x509.NewVerifier(pem.EncodeToMemory(&pem.Block{Type: block, Bytes: content}))
			require.ErrorIs(t, err, wire.ErrMalformed, block)
		})
	}
}

// TestSignaturesOutOfRange: zero, negative and too large parts.
func TestSignaturesOutOfRange(t *testing.T) {
	w := wallet(t)
	order := elliptic.P256().Params().N
	for _, rs := range [][2]*big.Int{
		{big.NewInt(0), big.NewInt(0)}, {big.NewInt(0), big.NewInt(1)}, {big.NewInt(1), big.NewInt(0)},
		{big.NewInt(-1), big.NewInt(1)}, {big.NewInt(1), big.NewInt(-1)}, {order, big.NewInt(1)},
		{big.NewInt(1), order},
	} {
		signature, err := asn1.Marshal(struct{ R, S *big.Int }{rs[0], rs[1]})
		require.NoError(t, err)
		require.ErrorIs(t, registry.Verify(w.Identity(), []byte("message"), signature), identity.ErrSignature)
	}
}

// TestHalfTheOrderIsALowS: s = ⌊n/2⌋ is the largest accepted. The key is
// chosen so that a nonce gives this s.
func TestHalfTheOrderIsALowS(t *testing.T) {
	curve, message := elliptic.P256(), []byte("message")
	n := curve.Params().N
	half := new(big.Int).Rsh(n, 1)
	nonce, err := ecdsa.GenerateKey(curve, rand.Reader)
	require.NoError(t, err)
	public, err := nonce.PublicKey.Bytes()
	require.NoError(t, err)
	r := new(big.Int).SetBytes(public[1:33])
	r.Mod(r, n)
	digest := sha256.Sum256(message)
	secret, err := nonce.Bytes()
	require.NoError(t, err)
	d := new(big.Int).Mul(half, new(big.Int).SetBytes(secret)) // s·k - z
	d.Sub(d, new(big.Int).SetBytes(digest[:]))
	d.Mul(d, new(big.Int).ModInverse(r, n)).Mod(d, n)
	key, err := ecdsa.ParseRawPrivateKey(curve, d.FillBytes(make([]byte, 32)))
	require.NoError(t, err)
	der, err := stdx509.MarshalPKIXPublicKey(&key.PublicKey)
	require.NoError(t, err)
	id := identity.Typed{Type: identity.X509,
		Raw: pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})}.Encode()
	for s, want := range map[*big.Int]error{half: nil, new(big.Int).Sub(n, half): identity.ErrSignature} {
		signature, err := asn1.Marshal(struct{ R, S *big.Int }{r, s})
		require.NoError(t, err)
		require.ErrorIs(t, registry.Verify(id, message, signature), want)
	}
}

// TestNothingFollowsS: bytes inside the SEQUENCE after s, and bytes after it. A part of a
// signature is refused, too.
func TestNothingFollowsS(t *testing.T) {
	w, message := wallet(t), []byte("message")
	signature, err := w.Sign(message)
	require.NoError(t, err)
	inside := append(bytes.Clone(signature), 0x05, 0)
	inside[1] += 2
	number := append(bytes.Clone(signature), 0x02, 1, 1)
	number[1] += 3
	for name, changed := range map[string][]byte{
		"NULL inside": inside, "INTEGER inside": number, "byte after": append(bytes.Clone(signature), 0),
	} {
		t.Run(name, func(t *testing.T) {
			err := registry.Verify(w.Identity(), message, changed)
			require.ErrorIs(t, err, wire.ErrTrailing, name)
			require.ErrorAs(t, err, new(*wire.DecodeError), name)
		})
	}
	for n := range signature {
		require.Error(t, registry.Verify(w.Identity(), message, signature[:n]), "%d bytes", n)
	}
}

// TestSignaturesAreVerifiedTogether: Keys name the first wrong signature of each set, with and
// without remembering, also the second time.
func TestSignaturesAreVerifiedTogether(t *testing.T) {
	const n = 20
	random, message := mathrand.NewChaCha8([32]byte{29}), identity.NewMessage([]byte("message"))
	wrong := func(i int) bool { return i%7 == 3 }
	var raws, signatures [n][]byte
	for i := range n {
		w, err := x509.NewWallet(random, fmt.Sprint(i))
		require.NoError(t, err)
		signed := message.Bytes()
		if wrong(i) {
			signed = []byte("another")
		}
		raws[i] = networktest.Typed(t, w.Identity()).Raw
		signatures[i], err = w.Sign(signed)
		require.NoError(t, err)
	}
	keys := x509.NewKeys(ecdsap256.New(8))
	for _, open := range []func([]byte) (identity.Verifier, error){keys.Verifier, keys.Once} {
		for _, e := range []executor.Executor{executor.Serial{}, executor.Pool{Workers: 2}} {
			require.NoError(t, round.RunOn(e, nil, func(r round.Round) error {
				return r.Each(5, func(r round.Round, set int) error { // of 0, 5, … 20 signatures
					first := -1
					for k := 5*set - 1; k >= 0; k-- {
						if wrong((set + k) % n) {
							first = k
						}
					}
					err := r.FailFast(5*set, func(r round.Round, k int) error {
						v, err := open(raws[(set+k)%n])
						require.NoError(t, err)
						task, err := v.Begin(message, signatures[(set+k)%n])
						require.NoError(t, err)
						if err := task.Do(r); err != nil {
							return fmt.Errorf("%d: %w", k, err)
						}
						return nil
					})
					if first < 0 {
						require.NoError(t, err)
						return nil
					}
					require.ErrorIs(t, err, identity.ErrSignature)
					require.ErrorContains(t, err, fmt.Sprint(first, ": "))
					return nil
				})
			}))
		}
	}
}

// TestKeysAreDrawnAgain: bytes that are not a private key are skipped, fifteen times at most.
func TestKeysAreDrawnAgain(t *testing.T) {
	source := func(skipped int) *bytes.Reader {
		return bytes.NewReader(append(make([]byte, 32*skipped), bytes.Repeat([]byte{7}, 32)...))
	}
	want, err := x509.NewKeyWallet(source(0))
	require.NoError(t, err)
	got, err := x509.NewKeyWallet(source(15))
	require.NoError(t, err)
	require.Equal(t, want.Identity(), got.Identity())
	for name, random := range map[string]*bytes.Reader{"16 skipped": source(16),
		"short": bytes.NewReader(make([]byte, 31)), "then short": bytes.NewReader(make([]byte, 40))} {
		t.Run(name, func(t *testing.T) {
			_, err = x509.NewKeyWallet(random)
			require.ErrorIs(t, err, group.ErrRandom)
			random.Reset(make([]byte, 31))
			_, err = x509.NewWallet(random, "a")
			require.ErrorIs(t, err, group.ErrRandom)
		})
	}
	_, err = new(x509.Wallet).Sign([]byte("message"))
	require.EqualError(t, err, "sign: wallet has no key")
}

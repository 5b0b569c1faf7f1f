package ecdsa // newKey is private: GenerateKey does not show the secret that it draws

import (
	"bytes"
	stdecdsa "crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/big"
	chacha "math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/p256/curve"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g10x26"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g10x28"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29once"
	"github.com/zkatbench/zkatbench/scheme/p256/field/g9x29top"
)

var groups = map[string]Group{
	"10x26":      Over[g10x26.Element](curve.Limits{MaxAdds: g10x26.MaxAdds, MaxSum: g10x26.MaxSum}),
	"10x28":      Over[g10x28.Element](curve.Limits{MaxAdds: g10x28.MaxAdds, MaxSum: g10x28.MaxSum}),
	"9x29":       Over[g9x29.Element](curve.Limits{MaxAdds: g9x29.MaxAdds, MaxSum: g9x29.MaxSum}),
	"9x29-top":   Over[g9x29top.Element](curve.Limits{MaxAdds: g9x29top.MaxAdds, MaxSum: g9x29top.MaxSum}),
	"9x29-adds0": Over[g9x29once.Element](curve.Limits{MaxAdds: g9x29once.MaxAdds, MaxSum: g9x29once.MaxSum}),
}

func stream(seed byte) io.Reader { return chacha.NewChaCha8([32]byte{seed}) }

// standard returns k as the library's key.
func standard(t *testing.T, k *PrivateKey) *stdecdsa.PrivateKey {
	t.Helper()
	key, err := stdecdsa.ParseRawPrivateKey(elliptic.P256(), k.d.FillBytes(make([]byte, 32)))
	require.NoError(t, err)
	public, err := key.PublicKey.Bytes()
	require.NoError(t, err)
	require.Equal(t, public, k.PublicKey.Bytes())
	return key
}

// TestKeysAndSignatures makes 1000 keys over all fields. The library has the same
// public keys, and verifies a signature by each. Signatures are s = (e + r·d)/k with the
// nonce k, and not the other one with -s that verifies.
func TestKeysAndSignatures(t *testing.T) {
	keys := 1000
	if testing.Short() {
		keys = 40
	}
	for name, g := range groups {
		t.Run(name, func(t *testing.T) {
			secrets := From(stream(1))
			for i := range keys / len(groups) {
				key, err := GenerateKey(g, secrets)
				require.NoError(t, err)
				message := fmt.Appendf(nil, "%s %d", name, i)
				digest := sha256.Sum256(message)
				var nonce *big.Int
				s, _, err := Sign(g, key, message, func() (k *big.Int, err error) {
					nonce, err = secrets()
					return new(big.Int).Set(nonce), err
				})
				require.NoError(t, err)
				require.True(t, stdecdsa.Verify(&standard(t, key).PublicKey, digest[:], s.R, s.S), name)
				sum := new(big.Int).Mul(s.R, key.d)
				sum.Add(sum, new(big.Int).SetBytes(digest[:])).Mod(sum, order)
				require.Equal(t, sum, nonce.Mul(nonce, s.S).Mod(nonce, order), name)
			}
		})
	}
}

func TestSecretKeysAreInRange(t *testing.T) {
	g := groups["9x29"]
	for _, d := range []*big.Int{big.NewInt(-1), new(big.Int), order,
		new(big.Int).Add(order, big.NewInt(1))} {
		_, err := newKey(g, d)
		require.Error(t, err)
	}
	d := big.NewInt(5)
	key, err := newKey(g, d)
	require.NoError(t, err)
	d.SetInt64(6)
	require.Equal(t, big.NewInt(5), key.d)
}

// TestSignaturesHaveNoZeros: a nonce that gives no point or s = 0 is drawn again.
func TestSignaturesHaveNoZeros(t *testing.T) {
	g, message, nonces := groups["9x29"], []byte("pay 3"), []*big.Int{order, big.NewInt(7), big.NewInt(8)}
	digest := sha256.Sum256(message)
	r, _, _ := g.BaseMult(bytes32(nonces[1]))
	d := new(big.Int).ModInverse(r, order) // d = −e/r
	key, err := newKey(g, d.Mul(d, new(big.Int).SetBytes(digest[:])).Neg(d).Mod(d, order))
	require.NoError(t, err)
	s, _, err := Sign(g, key, message, func() (k *big.Int, err error) {
		k, nonces = nonces[0], nonces[1:]
		return k, nil
	})
	require.NoError(t, err)
	require.Empty(t, nonces)
	require.True(t, stdecdsa.Verify(&standard(t, key).PublicKey, digest[:], s.R, s.S))
	require.Equal(t, make([]byte, 2*size), Signature{}.Bytes())
}

// TestSecretScalarsAreInRange draws from bytes that begin with numbers out of range.
func TestSecretScalarsAreInRange(t *testing.T) {
	one := big.NewInt(1)
	for _, first := range []*big.Int{new(big.Int), order, new(big.Int).Add(order, one)} {
		k, err := From(bytes.NewReader(append(bytes32(first)[:], bytes32(one)[:]...)))()
		require.NoError(t, err)
		require.Equal(t, one, k)
	}
}

// FuzzDecodeSignature: two numbers from 1 to the order − 1, of 32 bytes each, are a signature.
func FuzzDecodeSignature(f *testing.F) {
	last := new(big.Int).Sub(order, big.NewInt(1))
	valid := Signature{big.NewInt(7), last}.Bytes()
	for _, b := range [][]byte{
		nil, valid, valid[1:], append(valid, 0), slices.Insert(valid, size, 0), make([]byte, 2*size),
		Signature{big.NewInt(7), order}.Bytes(), Signature{order, big.NewInt(7)}.Bytes(),
		Signature{new(big.Int), last}.Bytes(), Signature{last, new(big.Int)}.Bytes(),
	} {
		f.Add(b)
	}
	inRange := func(b []byte) bool {
		n := new(big.Int).SetBytes(b)
		return n.Sign() > 0 && n.Cmp(order) < 0
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := DecodeSignature(b)
		if len(b) == 2*size && inRange(b[:size]) && inRange(b[size:]) {
			require.NoError(t, err)
			require.Equal(t, b, s.Bytes())
			return
		}
		require.ErrorIs(t, err, ErrSignature)
	})
}

// TestAFailingRandomSourceIsAnError holds for keys and for signatures. A source that returns a
// few bytes at a time is read to the end.
func TestAFailingRandomSourceIsAnError(t *testing.T) {
	g, broken := groups["10x26"], errors.New("broken")
	want, err := From(stream(4))()
	require.NoError(t, err)
	got, err := From(iotest.OneByteReader(stream(4)))()
	require.NoError(t, err)
	require.Equal(t, want, got)
	failing := From(io.MultiReader(bytes.NewReader(make([]byte, size-1)), iotest.ErrReader(broken)))
	_, err = GenerateKey(g, failing)
	require.ErrorIs(t, err, broken)
	key, err := GenerateKey(g, From(stream(4)))
	require.NoError(t, err)
	_, _, err = Sign(g, key, nil, failing)
	require.ErrorIs(t, err, broken)
}

func TestSecretsAreNotFormatted(t *testing.T) {
	key, err := GenerateKey(groups["10x26"], From(stream(5)))
	require.NoError(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		require.Equal(t, "ecdsa.PrivateKey", fmt.Sprintf(verb, key), verb)
		require.Equal(t, "ecdsa.PrivateKey", fmt.Sprintf(verb, *key), verb)
	}
	_, err = newKey(groups["10x26"], order)
	require.Error(t, err)
	require.NotContains(t, err.Error(), order.String())
}

package secp_test

import (
	"bytes"
	"encoding/hex"
	"io"
	"math/big"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

func source(seed byte) *rand.ChaCha8 { return rand.NewChaCha8([32]byte{seed}) }

func uniform(t *testing.T, r *rand.ChaCha8) *secp.Scalar {
	t.Helper()
	s, err := secp.Uniform(r)
	require.NoError(t, err)
	return s
}

func TestSumIsTheNaiveSum(t *testing.T) {
	r := source(1)
	for n := range 8 {
		for _, small := range []bool{false, true} {
			var points []*secp.Point
			var scalars []*secp.Scalar
			want := secp.Base(new(secp.Scalar))
			for i := range n {
				p, s := secp.Base(uniform(t, r)), uniform(t, r)
				if small {
					s = secp.Int(uint32(i * i * 1000)) // 0 too
				}
				if i%2 == 1 {
					s.Negate()
				}
				points, scalars = append(points, p), append(scalars, s)
				want = want.Plus(p.Times(s))
			}
			require.True(t, want.Equal(secp.Sum(points, scalars)), "%d terms", n)
		}
	}
	p := secp.Base(uniform(t, r))
	require.True(t,
		secp.Sum([]*secp.Point{p, p},
			[]*secp.Scalar{secp.Int(5), new(secp.Scalar).NegateVal(secp.Int(5))}).IsIdentity())
}

// TestMultiplesAreMultiplications for scalars with special digits, of a point and of the
// identity.
func TestMultiplesAreMultiplications(t *testing.T) {
	r := source(7)
	scalars := []*secp.Scalar{uniform(t, r), uniform(t, r)}
	for _, v := range []uint32{0, 1, 2, 15, 16, 17, 255, 256, 1<<32 - 1} {
		scalars = append(scalars, secp.Int(v), new(secp.Scalar).NegateVal(secp.Int(v)))
	}
	for i := range 256 {
		scalars = append(scalars, secp.Mul(scalars[len(scalars)-1], secp.Int(uint32(2+i%2))))
	}
	p := secp.Base(uniform(t, r))
	multiples, zeros := secp.Multiples(p), secp.Multiples(new(secp.Point))
	for _, s := range scalars {
		require.True(t, p.Times(s).Equal(multiples(s)), "%x", secp.Encode(s))
		require.True(t, zeros(s).IsIdentity())
	}
}

func TestInterpolation(t *testing.T) {
	p, err := secp.NewPolynomial(source(2), 3, false)
	require.NoError(t, err)
	ids := []uint32{1, 2, 5, 9}
	var values []*secp.Scalar
	var points []*secp.Point
	for _, id := range ids {
		values, points = append(values, p.At(id)), append(points, secp.Base(p.At(id)))
	}
	for _, x := range []uint32{0, 3, 9, 100} {
		lambda := secp.Lambda(ids, x)
		require.True(t, p.At(x).Equals(secp.Interpolate(lambda, values)))
		require.True(t, secp.Base(p.At(x)).Equal(secp.Sum(points, lambda)))
	}
	zero, err := secp.NewPolynomial(source(2), 3, true)
	require.NoError(t, err)
	require.True(t, zero.At(0).IsZero())
	_, err = secp.NewPolynomial(io.MultiReader(bytes.NewReader(make([]byte, 127)), // of 128
		iotest.ErrReader(bytes.ErrTooLarge)), 1, false)
	require.ErrorIs(t, err, secp.ErrRandom)
}

func TestEncodings(t *testing.T) {
	order, _ := hex.DecodeString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	for _, b := range [][]byte{order, bytes.Repeat([]byte{0xff}, 32), make([]byte, 31), make([]byte, 33)} {
		_, err := secp.DecodeScalar(b)
		require.ErrorIs(t, err, secp.ErrScalar)
	}
	s := uniform(t, source(3))
	back, err := secp.DecodeScalar(secp.Encode(s))
	require.NoError(t, err)
	require.True(t, s.Equals(back))
	p := secp.Base(s)
	q, err := secp.DecodePoint(p.Encode())
	require.NoError(t, err)
	require.True(t, p.Equal(q))
	key := secp256k1.PrivKeyFromBytes(secp.Encode(s)).PubKey()
	require.Equal(t, key.SerializeCompressed(), p.Encode())
	for _, b := range [][]byte{key.SerializeUncompressed(), make([]byte, 33),
		append([]byte{2}, bytes.Repeat([]byte{0xff}, 32)...), append([]byte{5}, p.Encode()[1:]...), {0}} {
		_, err := secp.DecodePoint(b)
		require.ErrorIs(t, err, secp.ErrPoint)
	}
	require.Panics(t, func() { p.Minus(p).Encode() })
}

func TestTheIdentityEqualsItselfOnly(t *testing.T) {
	p := secp.Base(secp.Int(3))
	zero := p.Minus(p)
	require.False(t, p.Equal(zero))
	require.False(t, zero.Equal(p))
	require.True(t, zero.Equal(new(secp.Point)))
}

func TestIncompleteTweaksAreRefused(t *testing.T) {
	p, one := secp.Base(secp.Int(3)), secp.Int(1)
	whole := secp.Tweak{Public: p, Epsilon: one, Hash: one}
	_, err := whole.Delta(p)
	require.NoError(t, err)
	for _, incomplete := range []secp.Tweak{
		{}, {Epsilon: one, Hash: one}, {Public: p, Hash: one}, {Public: p, Epsilon: one},
		{Public: new(secp.Point), Epsilon: one, Hash: one},
	} {
		_, err := incomplete.Delta(p)
		require.ErrorIs(t, err, secp.ErrIncomplete)
	}
	for _, r := range []*secp.Point{nil, new(secp.Point)} {
		_, err = whole.Delta(r)
		require.ErrorIs(t, err, secp.ErrIncomplete)
	}
}

func TestSharesThatAddUpToZero(t *testing.T) {
	p, one := secp.Base(secp.Int(3)), secp.Int(1)
	tweak := secp.Tweak{Public: p, Epsilon: one, Hash: one}
	_, err := tweak.Finish(p, []*secp.Scalar{one, new(secp.Scalar).NegateVal(one)})
	require.ErrorIs(t, err, secp.ErrZero)
}

func TestReduce(t *testing.T) {
	n, _ := new(big.Int).SetString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)
	for range 20 {
		wide := make([]byte, 64)
		source(4).Read(wide)
		want := new(big.Int).Mod(new(big.Int).SetBytes(wide), n).FillBytes(make([]byte, 32))
		require.Equal(t, want, secp.Encode(secp.Reduce(wide)))
	}
}

func TestVerifyAgreesWithTheLibrary(t *testing.T) {
	r := source(5)
	for range 20 {
		key := secp256k1.PrivKeyFromBytes(secp.Encode(uniform(t, r)))
		hash := secp.Encode(uniform(t, r))
		raw := ecdsa.SignCompact(key, hash, true)
		rs, err := secp.DecodeScalar(raw[1:33])
		require.NoError(t, err)
		s, err := secp.DecodeScalar(raw[33:])
		require.NoError(t, err)
		public, err := secp.DecodePoint(key.PubKey().SerializeCompressed())
		require.NoError(t, err)
		h, err := secp.DecodeScalar(hash)
		require.NoError(t, err)
		require.True(t, secp.Verify(public, h, rs, s))
		require.False(t, secp.Verify(public, secp.Add(h, secp.Int(1)), rs, s))
		require.False(t, secp.Verify(public, h, rs, new(secp.Scalar)))
	}
}

func FuzzDecodePoint(f *testing.F) {
	f.Add(secp.Base(secp.Int(7)).Encode())
	f.Add(append([]byte{2}, make([]byte, 32)...))
	f.Add(append([]byte{3}, bytes.Repeat([]byte{0xff}, 32)...))
	f.Add(append([]byte{2}, append(make([]byte, 31), 5)...))
	f.Add(append([]byte{4}, append(make([]byte, 31), 1)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := secp.DecodePoint(b)
		if err == nil {
			require.Equal(t, b, p.Encode())
		}
	})
}

package secp_test

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"slices"
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
	require.True(t, secp.Sum([]*secp.Point{p, p}, []*secp.Scalar{secp.Int(5), new(secp.Scalar).NegateVal(secp.Int(5))}).IsIdentity())
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
	_, err = secp.NewPolynomial(iotest.ErrReader(bytes.ErrTooLarge), 1, false)
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
	for _, b := range [][]byte{key.SerializeUncompressed(), make([]byte, 33), append([]byte{2}, bytes.Repeat([]byte{0xff}, 32)...), append([]byte{5}, p.Encode()[1:]...), {0}} {
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
		{}, {Epsilon: one, Hash: one}, {Public: p, Hash: one}, {Public: p, Epsilon: one}, {Public: new(secp.Point), Epsilon: one, Hash: one},
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

// edges are scalars with special digits, in particular 0 and scalars near the order.
func edges(t *testing.T) (scalars []*secp.Scalar) {
	t.Helper()
	for _, v := range []uint32{0, 1, 2, 3, 15, 16, 31, 32, 33, 127, 128, 129, 1 << 31, 1<<32 - 1} {
		s := secp.Int(v)
		scalars = append(scalars, s, new(secp.Scalar).NegateVal(s))
		for range 100 {
			s = secp.Add(s, s)
		}
		scalars = append(scalars, s, secp.Sub(s, secp.Int(1)))
	}
	lambda, err := hex.DecodeString("5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72")
	require.NoError(t, err)
	s, err := secp.DecodeScalar(lambda)
	require.NoError(t, err)
	scalars = append(scalars, s, new(secp.Scalar).NegateVal(s), secp.Add(s, secp.Int(1)))
	r := source(7)
	for range 20 {
		scalars = append(scalars, uniform(t, r))
	}
	return scalars
}

func requireEqual(t *testing.T, want, got []*secp.Point) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.True(t, want[i].Equal(got[i]), "point %d", i)
	}
}

// TestManyAreOneByOne compares operations on many points with the library's on each
// one, for equal and opposite points, the identity, and special scalars.
func TestManyAreOneByOne(t *testing.T) {
	scalars := edges(t)
	zero := new(secp.Point)
	var based, shared []*secp.Point
	p := secp.Base(uniform(t, source(8)))
	for _, s := range scalars {
		based, shared = append(based, secp.Base(s)), append(shared, p.Times(s))
	}
	requireEqual(t, based, secp.BaseAll(scalars))
	q := secp.Base(secp.Int(2))
	times := secp.NewMultiples([]*secp.Point{p, q}).Times([][]*secp.Scalar{scalars, scalars[:9]})
	requireEqual(t, shared, times[0])
	for i, s := range scalars[:9] {
		require.True(t, q.Times(s).Equal(times[1][i]))
	}
	for _, other := range [][]*secp.Point{based, shared, {zero, p, zero, p, p.Neg()}} {
		points := append(append([]*secp.Point{zero, p, p, p.Neg()}, other...), p.Plus(q), p.Minus(p))
		for _, s := range scalars[:12] {
			var want []*secp.Point
			same := make([]*secp.Scalar, len(points))
			for i, p := range points {
				want, same[i] = append(want, p.Times(s)), s
			}
			requireEqual(t, want, secp.TimesAll(points, same))
		}
		var sums, turned []*secp.Point
		for i, p := range points {
			turned = append(turned, points[(i+2)%len(points)])
			sums = append(sums, p.Plus(turned[i]))
		}
		requireEqual(t, sums, secp.PlusAll(points, turned))
	}
	requireEqual(t, shared, secp.TimesAll(slices.Repeat([]*secp.Point{p}, len(scalars)), scalars))
	require.Empty(t, secp.TimesAll(nil, nil))
	require.Empty(t, secp.BaseAll(nil))
	require.Empty(t, secp.PlusAll(nil, nil))
}

func TestEncodingsOfMany(t *testing.T) {
	r := source(9)
	p := secp.Base(uniform(t, r))
	points := []*secp.Point{p, p.Neg(), p.Plus(p), p.Times(uniform(t, r)), secp.Base(uniform(t, r))}
	encoded := secp.EncodeAll(points)
	for i, b := range encoded {
		require.Equal(t, points[i].Encode(), b)
	}
	back, err := secp.DecodeAll(encoded)
	require.NoError(t, err)
	requireEqual(t, points, back)
	require.Empty(t, secp.EncodeAll(nil))
	require.Panics(t, func() { secp.EncodeAll([]*secp.Point{p, p.Minus(p)}) })
	_, err = secp.DecodeAll(append(encoded, make([]byte, 33)))
	require.ErrorIs(t, err, secp.ErrPoint)
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
		many, other := secp.DecodeAll([][]byte{b})
		require.Equal(t, err, other)
		if err == nil {
			require.True(t, p.Equal(many[0]))
		}
	})
}

func BenchmarkInterpolationInTheExponent(b *testing.B) {
	p, err := secp.NewPolynomial(source(6), 6, false)
	if err != nil {
		b.Fatal(err)
	}
	ids := []uint32{1, 2, 3, 4, 5, 6, 7}
	var points []*secp.Point
	for _, id := range ids {
		points = append(points, secp.Base(p.At(id)))
	}
	lambda := secp.Lambda(ids, 13)
	b.Run("together", func(b *testing.B) {
		for b.Loop() {
			secp.Sum(points, lambda)
		}
	})
	b.Run("apart", func(b *testing.B) {
		for b.Loop() {
			sum := points[0].Times(lambda[0])
			for i := range points[1:] {
				sum = sum.Plus(points[i+1].Times(lambda[i+1]))
			}
		}
	})
}

// BenchmarkMany measures operations on 128 points, which is a base oblivious transfer.
func BenchmarkMany(b *testing.B) {
	r := source(10)
	scalars, same := make([]*secp.Scalar, 128), make([]*secp.Scalar, 128)
	for i := range scalars {
		scalars[i], _ = secp.Uniform(r)
		same[i] = scalars[0]
	}
	points := secp.BaseAll(scalars)
	encoded := secp.EncodeAll(points)
	for _, c := range []struct {
		name string
		op   func()
	}{
		{"op=times-one", func() {
			for i := range points {
				points[i].Times(scalars[0])
			}
		}},
		{"op=times-all", func() { secp.TimesAll(points, same) }},
		{"op=base-one", func() {
			for i := range points {
				secp.Base(scalars[i])
			}
		}},
		{"op=base-all", func() { secp.BaseAll(scalars) }},
		{"op=multiples", func() { secp.NewMultiples(points[:1]).Times([][]*secp.Scalar{scalars}) }},
		{"op=plus-all", func() { secp.PlusAll(points, points) }},
		{"op=decode-one", func() {
			for i := range points {
				_, _ = secp.DecodePoint(encoded[i])
			}
		}},
		{"op=decode-all", func() { _, _ = secp.DecodeAll(encoded) }},
		{"op=encode-all", func() { secp.EncodeAll(points) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.op()
			}
		})
	}
}

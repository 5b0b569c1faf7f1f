//lint:file-ignore SA1019 Keys of the tests are made from coordinates, also from bad ones.

package ecdsap256 // keys is private: which tables are kept does not show in a verdict

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

var (
	p256  = elliptic.P256()
	field = p256.Params().P
	n     = p256.Params().N
	one   = big.NewInt(1)
	last  = new(big.Int).Sub(n, one)
)

// source makes signatures from a seed.
type source struct{ *rand.Rand }

func newSource(seed uint64) source { return source{rand.New(rand.NewPCG(seed, 29))} }

func (g source) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return b
}

// number returns a number from 1 to n - 1.
func (g source) number() *big.Int {
	v := new(big.Int).SetBytes(g.bytes(40))
	return v.Mod(v, last).Add(v, one)
}

func (g source) key() *ecdsa.PrivateKey { return keyOf(g.number()) }

func keyOf(d *big.Int) *ecdsa.PrivateKey {
	k, err := ecdsa.ParseRawPrivateKey(p256, d.FillBytes(make([]byte, 32)))
	if err != nil {
		panic(err)
	}
	return k
}

func (g source) signature(k *ecdsa.PrivateKey) Signature {
	return sign(k, g.bytes(32), g.number())
}

// sign signs a digest with a nonce.
func sign(k *ecdsa.PrivateKey, digest []byte, nonce *big.Int) Signature {
	r := keyOf(nonce).X
	r = new(big.Int).Mod(r, n)
	s := new(big.Int).Mul(r, k.D)
	s.Add(s, new(big.Int).SetBytes(digest)).Mul(s, new(big.Int).ModInverse(nonce, n)).Mod(s, n)
	return Signature{Key: &k.PublicKey, Digest: digest, R: r.Bytes(), S: s.Bytes()}
}

// edge returns a number of at most 257 bits, below n if it is not near 2²⁵⁶: often one near 0, a
// power of two, n or p, where numbers are recoded, reduced or out of range.
func (g source) edge() *big.Int {
	near := []*big.Int{new(big.Int), new(big.Int).Lsh(one, uint(g.IntN(257))), n, field}
	i := g.IntN(2 * len(near))
	if i >= len(near) {
		return g.number()
	}
	v := new(big.Int).Add(near[i], big.NewInt(int64(g.IntN(37)-18)))
	return v.Abs(v)
}

// numberAtEdge returns a number from 1 to n - 1, often one at an edge.
func (g source) numberAtEdge() *big.Int {
	v := g.edge()
	return v.Mod(v, last).Add(v, one)
}

// signatureAtEdge returns a signature with a digest, a nonce or multipliers at edges. u₁G and
// u₂Q may be equal, or opposite: such a signature is wrong.
func (g source) signatureAtEdge(k *ecdsa.PrivateKey) Signature {
	u1, u2 := g.numberAtEdge(), g.numberAtEdge()
	x := g.number()
	switch g.IntN(4) {
	case 0:
		digest := g.edge()
		return sign(k, digest.SetBit(digest, 256, 0).FillBytes(make([]byte, 32)), g.numberAtEdge())
	case 1:
		u1.Mul(u2, k.D).Mod(u1, n)
		x, _ = sum(u1, u2, &k.PublicKey)
	case 2:
		u1.Mul(u2, k.D).Sub(n, u1.Mod(u1, n))
	default:
		x, _ = sum(u1, u2, &k.PublicKey)
	}
	return claimed(&k.PublicKey, u1, u2, x)
}

// spoil changes the key, the digest, r or s: a bit, to a number modulo n or p of the same
// class, to an opposite, to a number at an edge, or in its length.
func (g source) spoil(s Signature) Signature {
	change := func(v *big.Int) *big.Int {
		modulus := []*big.Int{n, field}[g.IntN(2)]
		switch bit := g.IntN(256); g.IntN(5) {
		case 0:
			return new(big.Int).SetBit(v, bit, v.Bit(bit)^1)
		case 1:
			return new(big.Int).Add(v, modulus)
		case 2:
			return new(big.Int).Sub(modulus, v)
		case 3:
			return new(big.Int).Neg(v)
		default:
			return g.edge()
		}
	}
	padded := func(v *big.Int) []byte { return append(make([]byte, g.IntN(10)), v.Bytes()...) }
	switch g.IntN(7) {
	case 0:
		s.Key = &ecdsa.PublicKey{Curve: p256, X: change(s.Key.X), Y: s.Key.Y}
	case 1:
		s.Key = &ecdsa.PublicKey{Curve: p256, X: s.Key.X, Y: change(s.Key.Y)}
	case 2:
		s.Key = &ecdsa.PublicKey{Curve: elliptic.P384(), X: s.Key.X, Y: s.Key.Y}
	case 3:
		digest := change(number(s.Digest))
		s.Digest = digest.FillBytes(make([]byte, 33))[1:]
	case 4:
		s.Digest = append(slices.Clone(s.Digest), 1)[:31+g.IntN(3)]
	case 5:
		s.R = padded(change(number(s.R)))
	case 6:
		s.S = padded(change(number(s.S)))
	}
	return s
}

// TestVerdictsAreThoseOfTheStandardLibrary compares lists of signatures, right ones and ones
// with a changed part, many of them at edges and some that only a search finds.
func TestVerdictsAreThoseOfTheStandardLibrary(t *testing.T) {
	g := newSource(1)
	rare := append(twisted(t, g), g.wrapped(n), g.wrapped(field), g.shortKey(t, 2), g.shortKey(t, 0),
		g.offTheCurve(), g.offTheCurve())
	remembers, keys, right := New(16), make([]*ecdsa.PrivateKey, 40), 0
	for i := range keys {
		keys[i] = keyOf(g.numberAtEdge())
	}
	cases := nightly.Pick(500, 4000, 1_000_000)
	for done := 0; done < cases; {
		list := make([]Signature, 1+g.IntN(300)>>g.IntN(7))
		for i := range list {
			k := keys[min(g.IntN(len(keys)), g.IntN(len(keys)))]
			switch g.IntN(8) {
			case 0:
				list[i] = rare[g.IntN(len(rare))]
			case 1:
				list[i] = g.signature(g.key())
			case 2, 3:
				list[i] = g.signature(k)
			default:
				list[i] = g.signatureAtEdge(k)
			}
			if g.IntN(2) == 0 {
				list[i] = g.spoil(list[i])
			}
			list[i].Once = g.IntN(4) == 0
		}
		want := Portable().Verify(list)
		require.Equal(t, want, New(0).Verify(list), "unknown keys")
		require.Equal(t, want, remembers.Verify(list), "known keys")
		done += len(list)
		for _, ok := range want {
			if ok {
				right++
			}
		}
	}
	require.Greater(t, right, cases/3)
}

// sum returns u₁G + u₂Q.
func sum(u1, u2 *big.Int, q *ecdsa.PublicKey) (x, y *big.Int) {
	ax, ay := p256.ScalarBaseMult(u1.Bytes())
	bx, by := p256.ScalarMult(q.X, q.Y, u2.Bytes())
	return p256.Add(ax, ay, bx, by)
}

// TestMultipliers: u₁G + u₂Q is a point with R as x-coordinate modulo the order.
func TestMultipliers(t *testing.T) {
	g := newSource(30)
	for range 5 {
		s := g.signature(g.key())
		u1, u2 := s.Multipliers()
		x, _ := sum(u1, u2, s.Key)
		require.Equal(t, number(s.R), x.Mod(x, n))
		for _, s := range []Signature{{Digest: s.Digest, R: s.R},
			{Digest: s.Digest, R: s.R, S: make([]byte, 2)}} {
			u1, u2 := s.Multipliers()
			require.Zero(t, u1.Sign())
			require.Zero(t, u2.Sign())
		}
	}
}

// rootOf returns a y of x on y² = x³ - 3x + b, or nil.
func rootOf(x, b *big.Int) *big.Int {
	y2 := new(big.Int).Exp(x, big.NewInt(3), field)
	y2.Sub(y2, new(big.Int).Mul(big.NewInt(3), x)).Add(y2, b).Mod(y2, field)
	return y2.ModSqrt(y2, field)
}

// shortKey returns a right signature by the key with the smallest x from a number on.
func (g source) shortKey(t *testing.T, from int64) Signature {
	t.Helper()
	q := &ecdsa.PublicKey{Curve: p256, X: big.NewInt(from - 1)}
	for q.Y == nil {
		q.Y = rootOf(q.X.Add(q.X, big.NewInt(1)), p256.Params().B)
	}
	u1, u2 := g.number(), g.number()
	x, _ := sum(u1, u2, q)
	c := claimed(q, u1, u2, x)
	require.True(t, c.verify())
	return c
}

// twisted returns signatures whose r is the x of a point of small order on the twist of the
// curve. As -1 is not a square, the twist is y² = x³ - 3x - b with -x in place of x.
func twisted(t *testing.T, g source) (found []Signature) {
	t.Helper()
	twist := &elliptic.CurveParams{P: field, N: n, B: new(big.Int).Sub(field, p256.Params().B), BitSize: 256}
	points := new(big.Int).Add(field, one)
	points.Lsh(points, 1).Sub(points, n)
	orders := []int64{3, 5, 13}
	for len(found) < len(orders) {
		cofactor, rest := new(big.Int).DivMod(points, big.NewInt(orders[len(found)]), new(big.Int))
		require.Zero(t, rest.Sign())
		x := g.number()
		if y := rootOf(x, twist.B); y != nil {
			if x, _ := twist.ScalarMult(x, y, cofactor.Bytes()); x.Sign() > 0 {
				s := g.signature(g.key())
				s.R = new(big.Int).Sub(field, x).Bytes()
				found = append(found, s)
			}
		}
	}
	return found
}

// claimed returns the signature with these multipliers that says that x is the x of R.
func claimed(q *ecdsa.PublicKey, u1, u2, x *big.Int) Signature {
	r := new(big.Int).Mod(x, n)
	s := new(big.Int).Mul(r, new(big.Int).ModInverse(u2, n))
	s.Mod(s, n)
	e := new(big.Int).Mul(u1, s)
	return Signature{Key: q, Digest: e.Mod(e, n).FillBytes(make([]byte, 32)), R: r.Bytes(), S: s.Bytes()}
}

// offTheCurve returns a wrong signature with a key on a curve with another b. Formulas of
// addition do not contain b, so that they have a result R for this key. The signature has the x
// of this R.
func (g source) offTheCurve() Signature {
	q := &ecdsa.PublicKey{Curve: p256, X: g.number(), Y: g.number()}
	b := new(big.Int).Exp(q.Y, big.NewInt(2), field)
	b.Sub(b, new(big.Int).Exp(q.X, big.NewInt(3), field)).Add(b,
		new(big.Int).Mul(big.NewInt(3), q.X)).Mod(b, field)
	other := &elliptic.CurveParams{P: field, N: n, B: b, BitSize: 256}
	u1, u2 := g.number(), g.number()
	u2.SetBit(u2, 0, 1) // an even one is computed as u₂ - n
	ax, ay := p256.ScalarBaseMult(u1.Bytes())
	bx, by := other.ScalarMult(q.X, q.Y, u2.Bytes())
	slope := new(big.Int).ModInverse(new(big.Int).Sub(bx, ax), field)
	slope.Mul(slope, by.Sub(by, ay)).Mod(slope, field)
	x := slope.Mul(slope, slope)
	return claimed(q, u1, u2, x.Sub(x, ax).Sub(x, bx).Mod(x, field))
}

// wrapped returns a signature with r = x - n for the first x from a number on that a point has:
// the key is Q = (R - u₁G)/u₂ for such a point R. It is right for n < x < p. For x = p, the
// coordinate is 0 and not r + n.
func (g source) wrapped(from *big.Int) Signature {
	for x := new(big.Int).Set(from); ; x.Add(x, one) {
		y, r := rootOf(x, p256.Params().B), new(big.Int).Sub(x, n)
		if y == nil || r.Sign() == 0 {
			continue
		}
		s, e := g.number(), g.number()
		inverse := new(big.Int).ModInverse(s, n)
		u1 := new(big.Int).Mul(e, inverse)
		ax, ay := p256.ScalarBaseMult(u1.Mod(u1, n).Bytes())
		bx, by := p256.Add(new(big.Int).Mod(x, field), y, ax, new(big.Int).Sub(field, ay))
		u := new(big.Int).Mul(s, new(big.Int).ModInverse(r, n))
		qx, qy := p256.ScalarMult(bx, by, u.Mod(u, n).Bytes())
		return Signature{Key: &ecdsa.PublicKey{Curve: p256, X: qx, Y: qy},
			Digest: e.FillBytes(make([]byte, 32)), R: r.Bytes(), S: s.Bytes()}
	}
}

// TestMemoryIsBounded sees many keys, each often enough for a table.
func TestMemoryIsBounded(t *testing.T) {
	k := newKeys(8)
	g := newSource(4)
	for range nightly.Pick(10_000, 100_000, 1_000_000) {
		key := point(g.bytes(len(point{})))
		for range 1 + g.IntN(often) {
			if _, build := k.see(key); build {
				k.add(key, nil)
			}
		}
		require.LessOrEqual(t, len(k.tables), 8)
		require.Equal(t, k.order.Len(), len(k.tables))
		require.LessOrEqual(t, len(k.young)+len(k.old), 2*counted*8)
	}
}

// TestTheLastKeysAreRemembered: a key that signs often replaces the key that did not
// sign for the longest time. It does not replace a key that signs equally often.
func TestTheLastKeysAreRemembered(t *testing.T) {
	k := newKeys(2)
	signs := func(keys ...byte) {
		for _, i := range keys {
			if _, build := k.see(point{i}); build {
				k.add(point{i}, make([]entry, 1))
			}
		}
	}
	remembered := func() (is []bool) {
		for i := range byte(3) {
			_, ok := k.tables[point{i}]
			is = append(is, ok)
		}
		return is
	}
	signs(0, 1, 0, 1, 0, 1, 0, 1)
	require.Equal(t, []bool{true, true, false}, remembered())
	for range 5 * often {
		signs(0, 1, 2)
	}
	require.Equal(t, []bool{true, true, false}, remembered(), "three in turns")
	for range 2 * often {
		signs(0, 2)
	}
	require.Equal(t, []bool{true, false, true}, remembered())
}

// TestFirstSightingsAreKept: a key that was seen before the last signature of a remembered key does
// not replace it, also if many other keys were seen since.
func TestFirstSightingsAreKept(t *testing.T) {
	for _, between := range []int{0, counted, 2*counted - 2} {
		k := newKeys(1)
		see := func(i int) bool {
			_, build := k.see(point{byte(i)})
			return build
		}
		for range often - 1 {
			require.False(t, see(0))
		}
		require.True(t, see(0))
		k.add(point{0}, make([]entry, 1))
		require.False(t, see(1)) // before key 0 signs again
		require.False(t, see(0))
		for i := range between {
			require.False(t, see(2+i))
		}
		for range often - 1 {
			require.False(t, see(1), "%d keys between", between)
		}
		for range often - 1 { // now key 0 does not sign
			require.False(t, see(1))
		}
		require.True(t, see(1), "%d keys between", between)
	}
}

// TestNewKeysReplaceIdleOnes: a key that is first seen after the last signature of a remembered key
// replaces it as soon as it is seen often.
func TestNewKeysReplaceIdleOnes(t *testing.T) {
	k := newKeys(1)
	for i := range byte(3) {
		for range often - 1 {
			_, build := k.see(point{i})
			require.False(t, build)
		}
		_, build := k.see(point{i})
		require.True(t, build, "key %d", i)
		k.add(point{i}, make([]entry, 1))
		require.Len(t, k.tables, 1)
	}
}

// FuzzVerify compares two signatures, one of them right, with crypto/ecdsa.
func FuzzVerify(f *testing.F) {
	g := newSource(5)
	k := g.key()
	s := g.signature(k)
	f.Add(s.Key.X.Bytes(), s.Key.Y.Bytes(), s.Digest, s.R, s.S)
	v := New(2)
	f.Fuzz(func(t *testing.T, x, y, digest, r, s []byte) {
		list := []Signature{
			{Key: &ecdsa.PublicKey{Curve: p256, X: number(x), Y: number(y)}, Digest: digest, R: r, S: s},
			g.signature(k),
		}
		require.Equal(t, Portable().Verify(list), v.Verify(list))
	})
}

// TestValuesBind: each value of a signature decides in every lane, and only about that
// signature. Signatures are not weighted: each is decided alone.
func TestValuesBind(t *testing.T) {
	const signatures = 2*8 + 1 // two rounds of lanes and a rest
	g := newSource(7)
	var made []Signature
	for range signatures {
		made = append(made, g.signature(g.key()))
	}
	remembers := New(signatures)
	for range often {
		remembers.Verify(made)
	}
	another := g.key()
	for name, verifier := range map[string]*Verifier{"unknown keys": New(0), "known keys": remembers} {
		v := bindtest.Verifier[Signature]{
			Claims: func(n int) (claims []*Signature) {
				for _, s := range made[:n] {
					claims = append(claims, &s)
				}
				return claims
			},
			Verify: func(claims []*Signature, _ []bindtest.Draw) (refused []int, _ []bindtest.Draw) {
				list := make([]Signature, len(claims))
				for i, c := range claims {
					list[i] = *c
				}
				for i, right := range verifier.Verify(list) {
					if !right {
						refused = append(refused, i)
					}
				}
				return refused, nil
			},
			Values: []bindtest.Value[Signature]{
				{Name: "key", Change: func(s *Signature) { s.Key = &another.PublicKey }},
				{Name: "digest", Change: func(s *Signature) {
					s.Digest = append([]byte{s.Digest[0] ^ 1}, s.Digest[1:]...)
				}},
				{Name: "r", Change: func(s *Signature) {
					s.R = new(big.Int).Xor(number(s.R), big.NewInt(1)).Bytes()
				}},
				{Name: "s", Change: func(s *Signature) {
					s.S = new(big.Int).Xor(number(s.S), big.NewInt(1)).Bytes()
				}},
			},
		}
		t.Run(name, func(t *testing.T) { v.TestValues(t, signatures) })
	}
}

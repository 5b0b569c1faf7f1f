//lint:file-ignore SA1019 Keys of the tests are made from coordinates, also from bad ones.

package ecdsap256 // keys is private: which tables are kept does not show in a verdict

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"fmt"
	"math/big"
	"math/rand/v2"
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
	return v.Mod(v, new(big.Int).Sub(n, big.NewInt(1))).Add(v, big.NewInt(1))
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

// spoil changes one bit of the key, the digest, r or s.
func (g source) spoil(s Signature) Signature {
	bit := g.IntN(256)
	flip := func(v *big.Int) *big.Int { return new(big.Int).SetBit(v, bit, v.Bit(bit)^1) }
	switch g.IntN(5) {
	case 0:
		s.Key = &ecdsa.PublicKey{Curve: p256, X: flip(s.Key.X), Y: s.Key.Y}
	case 1:
		s.Key = &ecdsa.PublicKey{Curve: p256, X: s.Key.X, Y: flip(s.Key.Y)}
	case 2:
		digest := append([]byte(nil), s.Digest...)
		digest[bit/8] ^= 1 << (bit % 8)
		s.Digest = digest
	case 3:
		s.R = flip(number(s.R)).Bytes()
	case 4:
		s.S = flip(number(s.S)).Bytes()
	}
	return s
}

// agree requires the verdicts of crypto/ecdsa: of keys seen for the first time, and
// seen often. It returns how many signatures are right.
func agree(t *testing.T, list []Signature) (right int) {
	t.Helper()
	want := Portable().Verify(list)
	require.Equal(t, want, New(0).Verify(list), "unknown keys")
	v := New(len(list) + 1)
	for range often + 1 {
		require.Equal(t, want, v.Verify(list), "known keys")
	}
	for _, ok := range want {
		if ok {
			right++
		}
	}
	return right
}

// TestVerdictsAreThoseOfTheStandardLibrary compares lists of right signatures and ones
// with a changed bit.
func TestVerdictsAreThoseOfTheStandardLibrary(t *testing.T) {
	g := newSource(1)
	cases := nightly.Pick(200, 2000, 1_000_000)
	v := New(16)
	keys := make([]*ecdsa.PrivateKey, 40)
	for i := range keys {
		keys[i] = g.key()
	}
	for done := 0; done < cases; {
		list := make([]Signature, 1+g.IntN(100))
		for i := range list {
			k := keys[min(g.IntN(len(keys)), g.IntN(len(keys)))]
			if g.IntN(4) == 0 {
				k = g.key()
			}
			if list[i] = g.signature(k); g.IntN(2) == 0 {
				list[i] = g.spoil(list[i])
			}
		}
		require.Equal(t, Portable().Verify(list), v.Verify(list))
		done += len(list)
	}
}

// TestEdges checks signatures that random ones never are like.
func TestEdges(t *testing.T) {
	g := newSource(3)
	one := big.NewInt(1)
	last := new(big.Int).Sub(n, one)
	k := g.key()
	good := g.signature(k)
	r, s := number(good.R), number(good.S)
	plus := func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
	minus := func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
	digestOf := func(v *big.Int) []byte { return v.FillBytes(make([]byte, 32)) }
	keyAt := func(x, y *big.Int) *ecdsa.PublicKey { return &ecdsa.PublicKey{Curve: p256, X: x, Y: y} }
	zero, long := []byte{}, make([]byte, 40)
	cases := map[string]Signature{
		"right":            good,
		"digest 0":         sign(k, make([]byte, 32), g.number()),
		"digest n":         sign(k, digestOf(n), g.number()),
		"digest n + 1":     sign(k, digestOf(plus(n, one)), g.number()),
		"digest 2^256 - 1": sign(k, digestOf(minus(new(big.Int).Lsh(one, 256), one)), g.number()),
		"key G":            g.signature(keyOf(one)),
		"key -G":           g.signature(keyOf(last)),
		"key 2G":           g.signature(keyOf(big.NewInt(2))),
		"nonce 1":          sign(k, g.bytes(32), one),
		"nonce n - 1":      sign(k, g.bytes(32), last),
		"nonce 1, key G":   sign(keyOf(one), g.bytes(32), one),
	}
	for name, other := range map[string]Signature{ // the good one with other parts
		"r = 0":              {R: zero},
		"s = 0":              {S: zero},
		"r = 0 of 40 bytes":  {R: long},
		"s = 0 of 40 bytes":  {S: long},
		"with leading zeros": {R: append(make([]byte, 9), good.R...), S: append(make([]byte, 1), good.S...)},
		"r of 33 bytes":      {R: append([]byte{1}, good.R...)},
		"s of 33 bytes":      {S: append([]byte{1}, good.S...)},
		"r = n":              {R: n.Bytes()},
		"s = n":              {S: n.Bytes()},
		"r + n":              {R: plus(r, n).Bytes()},
		"s + n":              {S: plus(s, n).Bytes()},
		"n - s":              {S: minus(n, s).Bytes()},
		"s = 1":              {S: one.Bytes()},
		"s = n - 1":          {S: last.Bytes()},
		"r = 1":              {R: one.Bytes()},
		"r = n - 1":          {R: last.Bytes()},
		"short digest":       {Digest: good.Digest[:31]},
		"long digest":        {Digest: append(good.Digest[:32:32], 1)},
		"key off the curve":  {Key: keyAt(k.X, one)},
		"key (0, 0)":         {Key: keyAt(new(big.Int), new(big.Int))},
		"key x + p":          {Key: keyAt(plus(k.X, field), k.Y)},
		"key -y":             {Key: keyAt(k.X, minus(field, k.Y))},
		"key of P-384":       {Key: &ecdsa.PublicKey{Curve: elliptic.P384(), X: k.X, Y: k.Y}},
	} {
		c := good
		if other.Key != nil {
			c.Key = other.Key
		}
		for to, part := range map[*[]byte][]byte{&c.Digest: other.Digest, &c.R: other.R, &c.S: other.S} {
			if part != nil {
				*to = part
			}
		}
		cases[name] = c
	}
	// u₁G = ±u₂Q for e = ±r·d, and u₁G + u₂Q = O for e = -r·d.
	for _, sign := range []int64{1, -1} {
		r := g.number()
		e := new(big.Int).Mul(r, k.D)
		e.Mul(e, big.NewInt(sign)).Mod(e, n)
		cases[fmt.Sprintf("u₁G = %d·u₂Q", sign)] = Signature{Key: &k.PublicKey, Digest: digestOf(e),
			R: r.Bytes(), S: g.number().Bytes()}
	}
	// The right one of u₁G = u₂Q: R = 2u₁G for s = 2e/k.
	nonce := g.number()
	r = new(big.Int).Mod(keyOf(nonce).X, n)
	e := new(big.Int).Mul(r, k.D)
	e.Mod(e, n)
	s = new(big.Int).Mul(e, big.NewInt(2))
	s.Mul(s, new(big.Int).ModInverse(nonce, n)).Mod(s, n)
	double := Signature{Key: &k.PublicKey, Digest: digestOf(e), R: r.Bytes(), S: s.Bytes()}
	require.True(t, double.verify())
	cases["R = 2u₁G"] = double
	// u₂ = 1, n - 1 and small odd and even numbers: s = r/u₂.
	for _, u := range []*big.Int{one, last, big.NewInt(2), big.NewInt(15), big.NewInt(16), big.NewInt(17),
		new(big.Int).Sub(n, big.NewInt(16))} {
		for _, v := range []*big.Int{one, last, big.NewInt(2), big.NewInt(255), big.NewInt(256), g.number()} {
			x, _ := sum(v, u, &k.PublicKey)
			c := claimed(&k.PublicKey, v, u, x)
			require.True(t, c.verify())
			cases[fmt.Sprintf("u₁ = %x, u₂ = %x", v, u)] = c
		}
	}
	// r + n < p: the x of the point is at least n.
	c := wrapped(t, g)
	cases["x(R) ≥ n"] = c
	c.R = new(big.Int).Add(number(c.R), one).Bytes()
	cases["x(R) ≥ n, wrong"] = c
	// A key with x and x + p of 256 bits at most.
	c = g.shortKey(t, 2)
	cases["key with a short x"] = c
	c.Key = &ecdsa.PublicKey{Curve: p256, X: new(big.Int).Add(c.Key.X, field), Y: c.Key.Y}
	cases["key with a short x, x + p"] = c
	c = g.shortKey(t, 0)
	require.Zero(t, c.Key.X.Sign())
	cases["key with x = 0"] = c
	c.R = new(big.Int).Add(number(c.R), one).Bytes()
	cases["key with x = 0, wrong"] = c
	for order, r := range twisted(t, g) {
		c := good
		c.R = r.Bytes()
		cases[fmt.Sprintf("r of order %d on the twist", order)] = c
	}
	var all []Signature
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := c.verify()
			for _, v := range []*Verifier{New(0), New(4)} {
				for range often + 1 {
					require.Equal(t, want, v.Verify([]Signature{c})[0], name)
				}
			}
			all = append(all, c, good)
		})
	}
	require.Greater(t, agree(t, all), len(cases)+40)
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

// twisted returns the x of points of small orders on the twist of the curve. As -1 is not
// a square, the twist is y² = x³ - 3x - b with -x in place of x.
func twisted(t *testing.T, g source) map[int64]*big.Int {
	t.Helper()
	twist := &elliptic.CurveParams{P: field, N: n, B: new(big.Int).Sub(field, p256.Params().B), BitSize: 256}
	points := new(big.Int).Add(field, big.NewInt(1))
	points.Lsh(points, 1).Sub(points, n)
	found := map[int64]*big.Int{}
	for _, order := range []int64{3, 5, 13} {
		cofactor, rest := new(big.Int).DivMod(points, big.NewInt(order), new(big.Int))
		require.Zero(t, rest.Sign())
		for found[order] == nil {
			x := g.number()
			if y := rootOf(x, twist.B); y != nil {
				if x, _ := twist.ScalarMult(x, y, cofactor.Bytes()); x.Sign() > 0 {
					found[order] = new(big.Int).Sub(field, x)
				}
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

// TestKeysOffTheCurve: formulas of addition do not contain b, so that they have a result
// R for a key on a curve with another b. A signature with the x of this R is wrong.
func TestKeysOffTheCurve(t *testing.T) {
	g := newSource(11)
	var list []Signature
	for range 2 * 8 {
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
		list = append(list, claimed(q, u1, u2, x.Sub(x, ax).Sub(x, bx).Mod(x, field)))
	}
	require.Zero(t, agree(t, list))
}

// wrapped returns a right signature with x(R) ≥ n: the key is Q = (R - u₁G)/u₂ for such
// a point R.
func wrapped(t *testing.T, g source) Signature {
	t.Helper()
	for x := new(big.Int).Set(n); ; x.Add(x, big.NewInt(1)) {
		y, r := rootOf(x, p256.Params().B), new(big.Int).Sub(x, n)
		if y == nil || r.Sign() == 0 {
			continue
		}
		s, e := g.number(), g.number()
		inverse := new(big.Int).ModInverse(s, n)
		u1 := new(big.Int).Mul(e, inverse)
		ax, ay := p256.ScalarBaseMult(u1.Mod(u1, n).Bytes())
		bx, by := p256.Add(x, y, ax, new(big.Int).Sub(field, ay))
		u := new(big.Int).Mul(s, new(big.Int).ModInverse(r, n))
		qx, qy := p256.ScalarMult(bx, by, u.Mod(u, n).Bytes())
		c := Signature{Key: &ecdsa.PublicKey{Curve: p256, X: qx, Y: qy},
			Digest: e.FillBytes(make([]byte, 32)), R: r.Bytes(), S: s.Bytes()}
		require.True(t, c.verify())
		return c
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

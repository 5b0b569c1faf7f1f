package field_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp/field"
)

var prime, _ = new(big.Int).SetString("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", 16)

// value returns the integer of the words, which may be above the prime.
func value(e field.Element) *big.Int {
	v := new(big.Int)
	for i := len(e) - 1; i >= 0; i-- {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(e[i]))
	}
	return v
}

func modulo(v *big.Int) [32]byte {
	return [32]byte(v.Mod(v, prime).FillBytes(make([]byte, 32)))
}

// samples returns edges of the representation and of the words, and random elements.
func samples() []field.Element {
	all := ^uint64(0)
	elements := []field.Element{
		{}, {1}, {2}, {all, all, all, all}, {all - 1, all, all, all}, {0, 0, 0, all}, {all, 0, all, 0}, {0, all, 0, all},
		{0xfffffffefffffc2f, all, all, all}, {0xfffffffefffffc2e, all, all, all}, {0xfffffffefffffc30, all, all, all},
		{1 << 63, 1 << 63, 1 << 63, 1 << 63}, {1<<32 + 977}, {1<<32 + 976}, {0, 0, 0, 1 << 63}, {all}, {0, 1},
	}
	r := rand.New(rand.NewChaCha8([32]byte{1}))
	for range 40 {
		elements = append(elements, field.Element{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()})
	}
	return elements
}

func TestArithmeticIsThatOfIntegers(t *testing.T) {
	for _, x := range samples() {
		checkOne(t, x)
		for _, y := range samples() {
			checkTwo(t, x, y)
		}
	}
}

func checkOne(t *testing.T, x field.Element) {
	t.Helper()
	var z field.Element
	b := value(x)
	require.Equal(t, modulo(new(big.Int).Mul(b, b)), z.Square(&x).Bytes(), "%x squared", x)
	require.Equal(t, modulo(new(big.Int).Neg(b)), z.Neg(&x).Bytes())
	require.Equal(t, modulo(new(big.Int).Lsh(b, 1)), z.Double(&x).Bytes())
	residue := modulo(new(big.Int).Set(b))
	require.Equal(t, residue, x.Bytes())
	require.Equal(t, residue == [32]byte{}, x.IsZero())
	require.Equal(t, residue[31]&1 == 1, x.IsOdd())
	inverse := new(big.Int).ModInverse(new(big.Int).Mod(b, prime), prime)
	if inverse == nil {
		inverse = new(big.Int)
	}
	require.Equal(t, modulo(inverse), z.Inverse(&x).Bytes())
	root := new(big.Int).ModSqrt(new(big.Int).Mod(b, prime), prime)
	require.Equal(t, root != nil, z.Sqrt(&x))
	if root != nil {
		require.True(t, z.Square(&z).Equal(&x))
	}
}

func checkTwo(t *testing.T, x, y field.Element) {
	t.Helper()
	var z field.Element
	a, b := value(x), value(y)
	require.Equal(t, modulo(new(big.Int).Mul(a, b)), z.Mul(&x, &y).Bytes(), "%x times %x", x, y)
	require.Equal(t, modulo(new(big.Int).Add(a, b)), z.Add(&x, &y).Bytes(), "%x plus %x", x, y)
	require.Equal(t, modulo(new(big.Int).Sub(a, b)), z.Sub(&x, &y).Bytes(), "%x minus %x", x, y)
	require.Equal(t, x.Bytes() == y.Bytes(), x.Equal(&y))
	z = x
	require.Equal(t, *new(field.Element).Mul(&x, &y), *z.Mul(&z, &y), "in place")
}

func TestOnlyIntegersBelowThePrimeAreRead(t *testing.T) {
	for _, x := range samples() {
		var b [32]byte
		value(x).FillBytes(b[:])
		var z field.Element
		require.Equal(t, value(x).Cmp(prime) < 0, z.SetBytes(&b))
		require.Equal(t, x, z)
	}
}

func TestInvertIsInverse(t *testing.T) {
	var elements []field.Element
	for _, e := range samples() {
		if !e.IsZero() {
			elements = append(elements, e)
		}
	}
	inverted := append([]field.Element(nil), elements...)
	field.Invert(inverted)
	for i := range elements {
		require.Equal(t, new(field.Element).Inverse(&elements[i]).Bytes(), inverted[i].Bytes(), "%x", elements[i])
	}
	field.Invert(nil)
}

func FuzzArithmetic(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(3), uint64(4), uint64(5), uint64(6), uint64(7), ^uint64(0))
	f.Fuzz(func(t *testing.T, a, b, c, d, e, f, g, h uint64) {
		checkOne(t, field.Element{a, b, c, d})
		checkTwo(t, field.Element{a, b, c, d}, field.Element{e, f, g, h})
	})
}

func BenchmarkField(b *testing.B) {
	x, y := samples()[20], samples()[21]
	for name, f := range map[string]func(){
		"op=add": func() { x.Add(&x, &y) }, "op=sub": func() { x.Sub(&x, &y) }, "op=mul": func() { x.Mul(&x, &y) },
		"op=square": func() { x.Square(&x) }, "op=inverse": func() { x.Inverse(&x) }, "op=sqrt": func() { x.Sqrt(&x) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}

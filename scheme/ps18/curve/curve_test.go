package curve_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// all are the curves of every name and backend.
func all(t testing.TB) map[string]curve.Curve {
	cs := map[string]curve.Curve{}
	for _, name := range curve.Names {
		for _, backend := range curve.Backends {
			slow := strings.Contains(name, "AMCL") && testing.Short()
			if slow || backend == "native" && !curve.HasNative(name) {
				continue
			}
			c, err := curve.Find(name, backend)
			require.NoError(t, err)
			cs[name+"/"+backend] = c
		}
	}
	return cs
}

// each runs test on every curve.
func each(t *testing.T, test func(t *testing.T, c curve.Curve)) {
	for name, c := range all(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, c)
		})
	}
}

// draw returns scalars, and then scalars at the borders.
func draw(c curve.Curve, n int) (ks []*big.Int) {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	for range n {
		b := make([]byte, 48)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		k := new(big.Int).SetBytes(b)
		ks = append(ks, k.Mod(k, c.Order()))
	}
	return ks
}

func borders(c curve.Curve) []*big.Int {
	q := c.Order()
	half := new(big.Int).Rsh(q, 1)
	minus := new(big.Int).Sub(q, big.NewInt(1))
	return []*big.Int{big.NewInt(0), big.NewInt(1), big.NewInt(2), half,
		new(big.Int).Add(half, big.NewInt(1)), minus, new(big.Int).Lsh(big.NewInt(1), 128)}
}

// A sum of multiples of multiples of the generator is one multiple of it.
func TestMSMG2(t *testing.T) {
	each(t, func(t *testing.T, c curve.Curve) {
		for n := 1; n <= 11; n += 5 {
			logs, ks := draw(c, 2*n)[:n], draw(c, 2*n)[n:]
			if n == 6 {
				ks = borders(c)[:6]
			}
			qs, sum := make([]curve.G2, n), new(big.Int)
			for i := range qs {
				qs[i] = c.MulG2(c.GenG2(), logs[i])
				if i%2 == 1 {
					qs[i] = c.PrepareG2(qs[i])
				}
				sum.Add(sum, c.MulScalars(logs[i], ks[i]))
			}
			want := c.MulG2(c.GenG2(), sum.Mod(sum, c.Order()))
			got := c.MSMG2(qs, ks)
			require.True(t, c.EqualG2(want, got), "%d terms", n)
			require.Equal(t, c.AppendG2(nil, want), c.AppendG2(nil, got))
		}
	})
}

// TestSumsG1OfSpecialPoints: the neutral element, equal and opposite points, which have
// no slope between them.
func TestSumsG1OfSpecialPoints(t *testing.T) {
	each(t, func(t *testing.T, c curve.Curve) {
		minus := new(big.Int).Sub(c.Order(), big.NewInt(5))
		five, zero := big.NewInt(5), new(big.Int)
		for _, logs := range [][]*big.Int{
			{five, zero, five, minus, zero, zero, five}, {zero, zero}, {five, five, five, five},
			{five, minus}, {zero, five}, {five, zero}, {five},
		} {
			ps := make([]curve.G1, len(logs))
			for i, log := range logs {
				ps[i] = c.MulG1(c.GenG1(), log)
			}
			equal := make([]*big.Int, len(logs))
			for i := range equal {
				equal[i] = draw(c, 1)[0]
			}
			rows := [][]*big.Int{equal, draw(c, len(logs)), borders(c)[:len(logs)]}
			sums := c.SumsG1(ps, rows...)
			for j, row := range rows {
				sum := new(big.Int)
				for i := range row {
					sum.Add(sum, c.MulScalars(logs[i], row[i]))
				}
				want := c.MulG1(c.GenG1(), sum.Mod(sum, c.Order()))
				require.Equal(t, c.AppendG1(nil, want), c.AppendG1(nil, sums[j]), "row %d of %v", j, logs)
				require.Equal(t, c.IsZeroG1(want), sum.Sign() == 0)
			}
			require.True(t, ps[0].IsValid())
		}
		require.False(t, curve.G1{}.IsValid())
		require.Nil(t, curve.G2{}.Point)
		require.NotNil(t, c.GenG2().Point)
	})
}

func TestPairing(t *testing.T) {
	each(t, func(t *testing.T, c curve.Curve) {
		ks := draw(c, 3)
		g, h := c.GenG1(), c.GenG2()
		p, q := c.MulG1(g, ks[0]), c.MulG2(h, ks[1])
		pq := c.MulG1(g, c.MulScalars(ks[0], ks[1]))
		require.True(t, c.EqualGT(c.Pair(p, q), c.Pair(pq, h)))
		require.False(t, c.EqualGT(c.Pair(p, q), c.Pair(p, h)))
		for _, prepared := range [][2]curve.G2{{q, h}, {c.PrepareG2(q), h}, {q, c.PrepareG2(h)},
			{c.PrepareG2(q), c.PrepareG2(h)}} {
			q, h := prepared[0], prepared[1]
			require.True(t, c.PairingIsOne([]curve.G1{p, c.NegG1(pq)}, []curve.G2{q, h}))
			require.False(t, c.PairingIsOne([]curve.G1{p, pq}, []curve.G2{q, h}))
			require.True(t,
				c.PairingIsOne([]curve.G1{p, c.NegG1(pq), c.NegG1(p), pq}, []curve.G2{q, h, q, h}))
		}
	})
}

// TestMultiplesModuloTheOrder: multiplications in G1 take scalars modulo the order.
func TestMultiplesModuloTheOrder(t *testing.T) {
	each(t, func(t *testing.T, c curve.Curve) {
		for _, k := range draw(c, 3) {
			large := new(big.Int).Mul(c.Order(), big.NewInt(10))
			want, got := c.MulG1(c.GenG1(), k), c.MulG1(c.GenG1(), large.Add(large, k))
			require.Equal(t, c.AppendG1(nil, want), c.AppendG1(nil, got))
		}
	})
}

func TestZero(t *testing.T) {
	each(t, func(t *testing.T, c curve.Curve) {
		zero, k := new(big.Int), big.NewInt(3)
		p, q := c.MulG1(c.GenG1(), k), c.MulG2(c.GenG2(), k)
		require.False(t, c.IsZeroG1(p))
		require.False(t, c.IsZeroG2(q))
		require.True(t, c.IsZeroG1(c.MulG1(p, zero)))
		require.True(t, c.IsZeroG2(c.MulG2(q, zero)))
		require.True(t, c.IsZeroG2(c.MSMG2([]curve.G2{c.MulG2(q, zero), q}, []*big.Int{k, zero})))
		require.False(t, c.EqualG2(q, c.GenG2()))
	})
}

// g1 and g2 are the decoders of points.
func g1(c curve.Curve) func(b []byte) error {
	return func(b []byte) error { _, err := c.DecodeG1(b); return err }
}

func g2(c curve.Curve) func(b []byte) error {
	return func(b []byte) error { _, err := c.DecodeG2(b); return err }
}

func TestEncodings(t *testing.T) {
	each(t, func(t *testing.T, c curve.Curve) {
		for _, k := range append(draw(c, 3), big.NewInt(0), big.NewInt(1)) {
			p, q := c.MulG1(c.GenG1(), k), c.MulG2(c.GenG2(), k)
			b := c.AppendG1([]byte("x"), p)
			require.Len(t, b, 1+c.LenG1())
			back, err := c.DecodeG1(b[1:])
			require.NoError(t, err)
			require.Equal(t, b[1:], c.AppendG1(nil, back))
			require.Equal(t, k.Sign() == 0, c.IsZeroG1(back))
			b = c.AppendG2([]byte("x"), q)
			require.Len(t, b, 1+c.LenG2())
			again, err := c.DecodeG2(b[1:])
			require.NoError(t, err)
			require.Equal(t, b[1:], c.AppendG2(nil, again))
			require.True(t, c.EqualG2(q, again))
			require.Equal(t, k.Sign() == 0, c.IsZeroG2(again))
		}
		for size, decode := range map[int]func([]byte) error{c.LenG1(): g1(c), c.LenG2(): g2(c)} {
			for _, b := range [][]byte{nil, make([]byte, size-1), make([]byte, size+1),
				bytes.Repeat([]byte{0xff}, size)} {
				err := decode(b)
				require.ErrorIs(t, err, curve.ErrEncoding)
				require.True(t, strings.HasPrefix(err.Error(), curve.ErrEncoding.Error()+": "), err)
				if len(b) != size {
					require.ErrorContains(t, err, fmt.Sprintf("%d bytes and not %d", len(b), size))
				}
			}
		}
	})
}

// TestSubgroups: of the points with other x coordinates than the generator, all are outside the
// group, but for the curve BN254 itself.
func TestSubgroups(t *testing.T) {
	each(t, func(t *testing.T, c curve.Curve) {
		decoders := map[string]func(b []byte) error{}
		if c.LenG2() < 128 { // otherwise x and y are encoded in full, and other ones are off the curve
			decoders[string(c.AppendG2(nil, c.GenG2()))] = g2(c)
		}
		if strings.HasPrefix(c.Name(), "BLS12") {
			decoders[string(c.AppendG1(nil, c.GenG1()))] = g1(c)
		}
		for generator, decode := range decoders {
			require.NoError(t, decode([]byte(generator)))
			onTheCurve := 0
			for d := byte(1); d < 32; d++ {
				b := []byte(generator)
				b[len(b)-1] ^= d
				err := decode(b)
				require.Error(t, err, "%x", b)
				if errors.Is(err, curve.ErrSubgroup) {
					onTheCurve++
				}
			}
			if strings.HasSuffix(t.Name(), "/native") && curve.HasNative(c.Name()) {
				require.Positive(t, onTheCurve)
			}
		}
	})
}

func TestFindRefuses(t *testing.T) {
	_, err := curve.Find("P256", "native")
	require.ErrorContains(t, err, `curve "P256" is not one of BN254`)
	_, err = curve.Find("BN254", "gpu")
	require.ErrorContains(t, err, `backend "gpu" is not one of native, mathlib`)
}

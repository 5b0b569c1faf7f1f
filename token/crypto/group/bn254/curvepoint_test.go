package bn254 // straus and pippenger are private: the number of points decides which one a sum takes

import (
	"math/big"
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/require"
)

// multiple is v·p by doubling and adding.
func multiple(p curve.G1Affine, v *big.Int) (a curve.G1Affine) {
	var sum curve.G1Jac
	for i := v.BitLen() - 1; i >= 0; i-- {
		sum.DoubleAssign()
		if v.Bit(i) == 1 {
			sum.AddMixed(&p)
		}
	}
	a.FromJacobian(&sum)
	return a
}

// onTheCurve returns points with small abscissas, their multiples by q and by q
// times most of the effective cofactor: points of small order on curves that
// have them.
func onTheCurve(t *testing.T) (ps []curve.G1Affine) {
	q := fr.Modulus()
	for x := uint64(0); x < 12; x++ {
		var p curve.G1Affine
		p.X.SetUint64(x)
		p.Y.Square(&p.X).Mul(&p.Y, &p.X).Add(&p.Y, &coeffB)
		if p.Y.Sqrt(&p.Y) == nil {
			continue
		}
		require.True(t, onCurve(&p))
		torsion := multiple(p, q)
		candidates := []curve.G1Affine{p, torsion}
		for _, order := range []uint64{3, 11, 33, 10177} {
			candidates = append(candidates,
				multiple(torsion, new(big.Int).SetUint64(effectiveCofactor/order)))
		}
		for _, c := range candidates {
			if !c.IsInfinity() {
				ps = append(ps, c, *new(curve.G1Affine).Neg(&c))
			}
		}
	}
	return ps
}

// TestSumsOfHalvesAreExactOnTheWholeCurve compares both algorithms with
// doubling and adding, without reducing scalars: the results are equal and not
// only equal up to torsion.
func TestSumsOfHalvesAreExactOnTheWholeCurve(t *testing.T) {
	pool := onTheCurve(t)
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 7, 8, 9, 14, 15, 40, 96, 113, 130, 300} {
		for _, same := range []bool{true, false} {
			for name, sum := range map[string]func(ws *workspace) curve.G1Jac{
				"straus": func(ws *workspace) curve.G1Jac {
					sums := make([]curve.G1Jac, 1)
					ws.ends = append(ws.ends, len(ws.halves))
					ws.straus(sums, ws.bases)
					return sums[0]
				},
				"pippenger": func(ws *workspace) curve.G1Jac { return ws.pippenger(ws.bases) },
			} {
				t.Run(name, func(t *testing.T) {
					ws := newForTest().take()
					base := random.IntN(len(pool))
					var want curve.G1Jac
					for i := range n {
						if !same {
							base = random.IntN(len(pool))
						}
						p := pool[base]
						ws.bases = append(ws.bases, p)
						h := half{k: limbs{random.Uint64(), random.Uint64() >> 1}, base: uint32(i),
							minus: random.Uint32() & 1, endo: i%3 == 1}
						ws.halves = append(ws.halves, h)
						if h.endo {
							p.X.Mul(&p.X, &glv.beta)
						}
						if h.minus == 1 {
							p.Neg(&p)
						}
						p = multiple(p, toInt(h.k))
						want.AddMixed(&p)
					}
					got := sum(ws)
					ws.put()
					require.True(t, want.Equal(&got), "%s of %d, one base: %v", name, n, same)
				})
			}
		}
	}
}

func TestMinusOfTheIdentityIsCanonical(t *testing.T) {
	v := vector{fieldP, fp.One(), {}}
	canonicalZeros(v)
	require.Equal(t, vector{{}, fp.One(), {}}, v)
}

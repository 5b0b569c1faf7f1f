package bn254 // straus and pippenger are private: the number of points decides which one a sum takes

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
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

// TestSumsOfHalvesAreExactOnTheWholeCurve compares both algorithms on both kernels with
// doubling and adding, without reducing scalars: the results are equal and not
// only equal up to torsion. The points have one base or any.
func TestSumsOfHalvesAreExactOnTheWholeCurve(t *testing.T) {
	pool := onTheCurve(t)
	random := rand.New(rand.NewPCG(3, 4))
	sizes := []int{1, 2, 8, 9, 15, 40, 130, 3, 7, 14, 96, 113, 300}
	sizes = nightly.Pick(sizes[:7], sizes, slices.Repeat(sizes, 5))
	for i, n := range slices.Repeat(sizes, 2) {
		bases, halves := make([]curve.G1Affine, n), make([]half, n)
		var want curve.G1Jac
		for k := range bases {
			bases[k] = pool[random.IntN(len(pool))]
			if i%2 == 0 {
				bases[k] = bases[0]
			}
			h := half{k: limbs{random.Uint64(), random.Uint64() >> 1}, base: uint32(k),
				minus: random.Uint32() & 1, endo: k%3 == 1}
			halves[k] = h
			p := multiple(bases[k], toInt(h.k))
			if h.endo {
				p.X.Mul(&p.X, &glv.beta)
			}
			if h.minus == 1 {
				p.Neg(&p)
			}
			want.AddMixed(&p)
		}
		for _, g := range kernels() {
			for _, byBuckets := range []bool{false, true} {
				ws, sums := g.take(), make([]curve.G1Jac, 1)
				ws.bases, ws.halves = append(ws.bases, bases...), append(ws.halves, halves...)
				if byBuckets {
					sums[0] = ws.pippenger(ws.bases)
				} else {
					ws.ends = append(ws.ends, n)
					ws.straus(sums, ws.bases)
				}
				ws.put()
				require.True(t, want.Equal(&sums[0]), "%d points, by buckets: %v", n, byBuckets)
			}
		}
	}
}

func TestMinusOfTheIdentityIsCanonical(t *testing.T) {
	v := vector{fieldP, fp.One(), {}}
	canonicalZeros(v)
	require.Equal(t, vector{{}, fp.One(), {}}, v)
}

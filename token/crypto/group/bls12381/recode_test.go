// Code generated from bn254/recode_test.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// trials is how many random scalars are tried; the variable is that of
// grouptest.
func trials(t *testing.T) int {
	text, ok := os.LookupEnv("GROUPTEST_TRIALS")
	if !ok {
		return 3000
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// scalarsForTest returns edge cases and then random scalars, n in all.
func (g *Group) scalarsForTest(n int) (ss []group.Scalar) {
	rnd := rand.New(rand.NewPCG(3, uint64(n)))
	for bit := range 256 {
		v := new(big.Int).Lsh(big.NewInt(1), uint(bit))
		for _, d := range []int64{-1, 0, 1} {
			w := new(big.Int).Add(v, big.NewInt(d))
			s := g.Reduce(w.Mod(w, fr.Modulus()).Bytes())
			ss = append(ss, s, g.Neg(s))
		}
	}
	for len(ss) < n {
		b := make([]byte, 48)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		ss = append(ss, g.Reduce(b))
	}
	return ss
}

func (g *Group) pointsForTest(n int) []group.Point {
	ps := make([]group.Point, n)
	for i, a := range hashed(n) {
		ps[i] = point(&a)
	}
	return ps
}

func TestDigitsAddUpToTheScalar(t *testing.T) {
	l, _ := new(big.Int).SetString(lambda, 10)
	for count := minWindows - 2; count <= maxWindows+4; count++ {
		windows := windowsOf(count)
		require.Equal(t, halfBits, windows[count-1].bit+windows[count-1].width)
		for _, s := range newForTest().scalarsForTest(1600) {
			halves := recodeScalar(element(&s))
			sum := digitSum(t, halves[1], windows)
			sum.Mul(sum, l).Add(sum, digitSum(t, halves[0], windows))
			want := toInt(element(&s).Bits())
			require.Zero(t, want.Cmp(sum.Mod(sum, fr.Modulus())), "%d windows, %v", count, want)
		}
	}
}

func digitSum(t *testing.T, o odd, windows []window) *big.Int {
	sum := new(big.Int)
	for _, w := range slices.Backward(windows) {
		d := o.digit(w.bit, w.width)
		value := big.NewInt(2*int64(d>>1) + 1)
		require.Less(t, value.Int64(), int64(1)<<w.width)
		if d&1 == 1 {
			value.Neg(value)
		}
		sum.Lsh(sum, uint(w.width)).Add(sum, value)
	}
	return sum
}

func TestHalvesAreShortAndAddUp(t *testing.T) {
	l, _ := new(big.Int).SetString(lambda, 10)
	for _, s := range newForTest().scalarsForTest(trials(t)) {
		k := element(&s).Bits()
		halves := split(&k)
		sum := new(big.Int)
		for i, half := range []short{halves[1], halves[0]} {
			abs, minus := half.magnitude()
			v := toInt(abs)
			require.LessOrEqual(t, v.BitLen(), halfBits-1, "half %d of %v", i, toInt(k))
			if minus == 1 {
				v.Neg(v)
			}
			sum.Mul(sum, l).Add(sum, v)
		}
		require.Zero(t, toInt(k).Cmp(sum.Mod(sum, fr.Modulus())))
		for i, half := range splitOdd(&k) {
			abs, _ := half.magnitude()
			require.EqualValues(t, 1, half[0]&1, "half %d of %v is even", i, toInt(k))
			require.LessOrEqual(t, toInt(abs).BitLen(), halfBits, "odd half %d of %v", i, toInt(k))
		}
	}
}

func TestEndomorphism(t *testing.T) {
	l, _ := new(big.Int).SetString(lambda, 10)
	for _, p := range hashed(20) {
		image := p
		image.X.Mul(&p.X, &glv.beta)
		p.ScalarMultiplication(&p, l)
		require.Equal(t, p, image)
	}
}

// TestBothWaysToSum compares interleaving with buckets for every small number
// of points, whichever MSM would choose.
func TestBothWaysToSum(t *testing.T) {
	ps, ss := hashed(150), newForTest().scalarsForTest(1700)
	for _, n := range []int{1, 2, 3, 4, 7, 8, 9, 20, 64, 65, 96, 150} {
		ks := make([]limbs, n)
		for i := range ks {
			ks[i] = element(&ss[2+i*37%(len(ss)-2)]).Bits()
		}
		requireBothWays(t, ps[:n], ks, fmt.Sprintf("%d points", n))
	}
}

// requireBothWays sums kᵢ·Pᵢ by interleaving and by buckets.
func requireBothWays(t *testing.T, ps []curve.G1Affine, ks []limbs, what string) {
	t.Helper()
	straus, buckets := newForTest().take(), newForTest().take()
	defer straus.put()
	defer buckets.put()
	for _, ws := range []*workspace{straus, buckets} {
		for i := range ps {
			ws.addTerm(uint32(i), ks[i])
			ws.bases = append(ws.bases, ps[i])
		}
	}
	a, b := make([]curve.G1Jac, 1), buckets.pippenger(buckets.bases)
	straus.straus(a, straus.bases)
	require.True(t, a[0].Equal(&b), what)
}

// TestBucketsThatCancel has one bucket whose sum is the identity, and another
// one that is not.
func TestBucketsThatCancel(t *testing.T) {
	ps := hashed(2)
	p, q := ps[0], ps[1]
	minus := *new(curve.G1Affine).Neg(&p)
	for nothing := range uint64(15) {
		for something := range uint64(15) {
			ks := []limbs{{1 + nothing}, {1 + nothing}, {1 + something}}
			requireBothWays(t, []curve.G1Affine{p, minus, q}, ks, "buckets that cancel")
		}
	}
}

// TestLongestShortScalars carries out of the highest window, for every width
// that so many terms choose.
func TestLongestShortScalars(t *testing.T) {
	for _, n := range []int{1, 20, 40, 64, 150, 3000} {
		ps, ks := make([]curve.G1Affine, n), make([]limbs, n)
		for i, few := 0, hashed(min(n, 150)); i < n; i++ {
			ps[i], ks[i] = few[i%len(few)], limbs{^uint64(i), ^uint64(0)}
		}
		requireBothWays(t, ps, ks, "longest short scalars")
	}
}

// TestCoordinatesAreCanonical adds the order of the field to one coordinate.
func TestCoordinatesAreCanonical(t *testing.T) {
	g := newForTest()
	b := g.AppendPoint(nil, g.HashToPoint([]byte("p")))
	half := len(b) / 2
	for at := 0; at < len(b); at += half {
		other := slices.Clone(b)
		v := new(big.Int).SetBytes(b[at : at+half])
		v.Add(v, fp.Modulus()).FillBytes(other[at : at+half])
		_, err := g.DecodePoint(other)
		require.ErrorIs(t, err, group.ErrNotCanonical, "coordinate at %d", at)
	}
}

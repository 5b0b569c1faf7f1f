package bn254 // recode is private: a sum does not show the halves of its scalars

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

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

// value returns the odd integer that u stands for.
func (u short) value() *big.Int {
	v := toInt(limbs{u.low, u.high})
	v.Lsh(v, 1).Add(v, big.NewInt(1))
	return v.Sub(v, new(big.Int).Lsh(big.NewInt(1), halfBits))
}

// halfOne is added to 2u: 1 - 2¹²⁸.
var halfOffset, lambdaScalar = func() (offset, l fr.Element) {
	two := new(big.Int).Lsh(big.NewInt(1), halfBits)
	offset.SetBigInt(two.Sub(big.NewInt(1), two))
	l.SetBigInt(lambdaInt())
	return offset, l
}()

// sumsUp reports whether s is the sum of its halves, like requireSum, but in the
// field of scalars, for many of them.
func sumsUp(s *fr.Element, halves ...short) bool {
	var values [2]fr.Element
	for j, u := range halves {
		values[j] = fr.Element{u.low, u.high}
		values[j].Mul(&values[j], &chunkPower[0])
		values[j].Double(&values[j]).Add(&values[j], &halfOffset)
	}
	values[1].Mul(&values[1], &lambdaScalar)
	return values[0].Add(&values[0], &values[1]).Equal(s)
}

// scalarsNearLimits returns scalars around the values where the quotients of splitOdd
// are rounded to another integer.
func scalarsNearLimits() (ss []fr.Element) {
	rnd := rand.New(rand.NewPCG(5, 6))
	q := fr.Modulus()
	for _, scale := range glv.scale {
		s := toInt(limbs{scale.low, scale.high})
		limits := new(big.Int).Rsh(new(big.Int).Mul(q, s), 255-scaleShift) // k·2^scaleShift·s/2²⁵⁶ = n/2
		for range 200 {
			n := new(big.Int).SetBits([]big.Word{big.Word(rnd.Uint64()), big.Word(rnd.Uint64())})
			n.Mod(n, new(big.Int).Add(limits, big.NewInt(1)))
			k := n.Lsh(n, 255-scaleShift).Div(n, s)
			for d := int64(-2); d <= 2; d++ {
				var e fr.Element
				e.SetBigInt(new(big.Int).Mod(new(big.Int).Add(k, big.NewInt(d)), q))
				ss = append(ss, e)
			}
		}
	}
	return ss
}

// recodes is a way to recode scalars.
type recodes func(refs []uint32, scalars []fr.Element, bases []uint32, windows []window)

// recoders are the ways to recode scalars on this machine.
func recoders() map[string]recodes {
	all := map[string]recodes{"one by one": recodeOneByOne}
	if l, ok := newForTest().take().acc.points.(recoder); ok {
		all["lanes"] = l.recode
	}
	return all
}

// requireSums recodes scalars of random bases, and requires that their halves add up to them.
func (recode recodes) requireSums(t *testing.T, scalars []fr.Element, windows []window, rnd *rand.Rand) {
	t.Helper()
	const guard = 0xdeadbeef
	n, whole := len(scalars), (len(scalars)+lanes-1)/lanes*lanes
	ss, bases, refs := make([]fr.Element, whole), make([]uint32, whole), make([]uint32, 2*n*len(windows)+1)
	copy(ss, scalars)
	for r := range n {
		bases[r] = rnd.Uint32() >> 17
	}
	for j := range windows {
		windows[j].first = uint32(1000 * j)
	}
	refs[len(refs)-1] = guard
	recode(refs[:len(refs)-1], ss[:n], bases[:n], windows)
	require.EqualValues(t, guard, refs[len(refs)-1])
	halves := recoded(t, refs, bases[:n], windows)
	for r := range n {
		if !sumsUp(&ss[r], halves[0][r], halves[1][r]) {
			t.Fatalf("%d of %d, %d windows: %v is not the sum of %v and λ·%v", r, n, len(windows),
				toInt(ss[r].Bits()), halves[0][r].value(), halves[1][r].value())
		}
	}
}

// recoded returns the halves that the references of n scalars stand for. It requires
// references to the bases that are given.
func recoded(t *testing.T, refs []uint32, bases []uint32, windows []window) (halves [2][]short) {
	t.Helper()
	n := len(bases)
	for h := range halves {
		halves[h] = make([]short, n)
		for r := range n {
			var u short
			for j, w := range windows {
				ref := refs[(2*j+h)*n+r] - w.first
				if ref>>w.width != bases[r] {
					t.Fatalf("window %d of scalar %d belongs to point %d and not %d", j, r, ref>>w.width,
						bases[r])
				}
				e := ref&w.mask>>1 | 1<<(w.width-1)
				if ref&1 == 1 {
					e = ^e & w.mask
				}
				u = u.plus(short{low: uint64(e)}.shifted(w.bit))
			}
			halves[h][r] = u
		}
	}
	return halves
}

// shifted returns u·2ⁿ.
func (u short) shifted(n uint32) short {
	return short{u.low << n, u.high<<n | u.low>>(64-n) | u.low<<(n-64)}
}

// TestRecoding recodes random scalars and scalars where quotients are rounded, and then
// columns of every length of the last block for all numbers of windows.
func TestRecoding(t *testing.T) {
	scalars := scalarsNearLimits()
	for _, s := range newForTest().scalarsForTest(1600) {
		scalars = append(scalars, *element(&s))
	}
	rnd := rand.New(rand.NewPCG(9, 10))
	for range nightly.Pick(20_000, 100_000, 1_000_000) {
		e := fr.Element{rnd.Uint64(), rnd.Uint64(), rnd.Uint64(), rnd.Uint64() % modulus[3]}
		scalars = append(scalars, e)
	}
	for name, recode := range recoders() {
		t.Run(name, func(t *testing.T) {
			for column := range slices.Chunk(scalars, 1000) {
				recode.requireSums(t, column, windowsOf(8), rnd)
			}
			for n := 1; n <= 3*lanes; n++ {
				for count := minWindows - 2; count <= maxWindows+4; count++ {
					recode.requireSums(t, scalars[len(scalars)-n-count:][:n], windowsOf(count), rnd)
				}
			}
		})
	}
}

// BenchmarkRecode writes the references of 128 scalars for 13 windows.
func BenchmarkRecode(b *testing.B) {
	const n = 128
	windows := windowsOf(minWindows)
	refs, ss, bases := make([]uint32, 2*n*len(windows)), make([]fr.Element, n), make([]uint32, n)
	for i, s := range newForTest().scalarsForTest(2000)[2000-n:] {
		ss[i] = *element(&s)
	}
	for name, recode := range recoders() {
		b.Run("kernel="+name, func(b *testing.B) {
			for b.Loop() {
				recode(refs, ss, bases, windows)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/scalar")
		})
	}
}

// TestHalvesAreShort bounds the halves, with the errors of these constants: see
// glv.
func TestHalvesAreShort(t *testing.T) {
	basis, q := basisOf(), fr.Modulus()
	ratio := func(v *big.Int, bits uint) *big.Rat {
		return new(big.Rat).SetFrac(v, new(big.Int).Lsh(big.NewInt(1), bits))
	}
	for j := range 2 {
		bound := new(big.Rat)
		for i := range basis {
			// q·2^scaleShift·|s - 2ⁿ·|b|/q|/2²⁵⁶
			exact := new(big.Int).Lsh(new(big.Int).Abs(basis[1-i][1]), fr.Bits)
			wrong := new(big.Int).Mul(toInt(limbs{glv.scale[i].low, glv.scale[i].high}), q)
			wrong.Sub(wrong, exact).Abs(wrong).Lsh(wrong, scaleShift)
			quotient := ratio(wrong, 256)
			quotient.Add(quotient, ratio(big.NewInt(1), 62))
			distance := quotient.Add(big.NewRat(1, 1), quotient.Add(quotient, quotient))
			bound.Add(bound, distance.Mul(distance, new(big.Rat).SetInt(new(big.Int).Abs(basis[i][j]))))
		}
		share, _ := bound.Quo(bound, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), halfBits))).Float64()
		require.Less(t, share, 1.0)
		t.Logf("half %d is below %.3f·2¹²⁸", j, share)
	}
}

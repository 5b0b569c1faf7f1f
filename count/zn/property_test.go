package zn_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/zn"
	"github.com/zkatbench/zkatbench/internal/nightly"
)

// writer builds random expressions and tracks, without evaluation, the value
// and the expected operations.
type writer struct {
	t                 *testing.T
	g                 *zn.Group
	rng               *rand.Rand
	alg               zn.Algorithm
	outer, inside     count.Tally
	exps, multi, pows uint64
}

// group is the part of a product evaluated at once.
type group struct {
	plain   uint64 // factors without a power
	inverse uint64 // number of inverted factors among them
	top     int    // digits of the longest exponent
	powers  uint64
}

type written struct {
	e *zn.Element
	v *big.Int
}

func (w *writer) close(p group) {
	parts := p.plain
	if p.powers > 0 {
		parts++
		w.inside.Doubles += uint64(p.top - 1)
	}
	if p.powers == 1 {
		w.exps++
	} else if p.powers > 1 {
		w.multi++
	}
	if p.inverse > 0 {
		w.outer.Negs++
	}
	w.outer.Adds += parts - 1
}

// alone writes a separately evaluated expression.
func (w *writer) alone(depth int) written {
	var p group
	x := w.write(depth, 1, &p)
	w.close(p)
	return x
}

func (w *writer) write(depth, sign int, p *group) written {
	switch kind := w.rng.IntN(8); {
	case depth == 0 || kind == 0:
		e, err := w.g.Random(rand.NewChaCha8([32]byte{byte(w.rng.Uint32())}))
		require.NoError(w.t, err)
		p.factor(sign)
		return written{e, new(big.Int).SetBytes(w.g.Encode(e))}
	case kind < 4:
		a, b := w.write(depth-1, sign, p), w.write(depth-1, sign, p)
		return written{a.e.Mul(b.e), new(big.Int).Add(a.v, b.v)}
	case kind == 4:
		a := w.write(depth-1, -sign, p)
		return written{a.e.Inv(), new(big.Int).Neg(a.v)}
	case kind == 5:
		a := w.alone(depth - 1)
		w.outer.Doubles++
		p.factor(sign)
		return written{a.e.Square(), new(big.Int).Lsh(a.v, 1)}
	default:
		return w.power(depth, sign, p)
	}
}

func (p *group) factor(sign int) {
	p.plain++
	if sign < 0 {
		p.inverse++
	}
}

// power writes xᵏ with |k| > 1.
func (w *writer) power(depth, sign int, p *group) written {
	a := w.alone(depth - 1)
	k := new(big.Int).SetUint64(w.rng.Uint64()>>w.rng.UintN(62) | 2)
	if w.rng.IntN(3) == 0 {
		k.Neg(k)
	}
	signed := new(big.Int).Mul(k, big.NewInt(int64(sign)))
	work := zn.Algorithms{Exp: w.alg}.Cost("", []*big.Int{signed})
	digits := work.Layer(count.Inside)
	w.inside = w.inside.Plus(work.Layer(count.Precomputed)).Plus(count.Tally{Adds: digits.Adds,
		Negs: digits.Negs})
	p.powers++
	p.top = max(p.top, int(digits.Doubles)+1)
	w.pows++
	return written{a.e.Pow(k), new(big.Int).Mul(a.v, k)}
}

// TestTotalIsOuterAndInside checks total = outer + inside for random
// expressions: outer by construction, inside from the digits of each exponent.
func TestTotalIsOuterAndInside(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var algs []zn.Algorithm
	for window := 1; window <= 6; window++ {
		algs = append(algs, zn.Algorithm{Method: zn.WNAF, Window: window},
			zn.Algorithm{Method: zn.Sliding, Window: window})
	}
	groups, recs := make([]*zn.Group, len(algs)), make([]*count.Recorder, len(algs))
	for i, alg := range algs {
		groups[i], recs[i] = newGroup(t, zn.Algorithms{Exp: alg, MultiExp: alg})
	}
	var squared, multi uint64
	for i := range nightly.Pick(2_000, 10_000, 10_000) {
		which := i % len(algs)
		g, rec := groups[which], recs[which]
		w := &writer{t: t, g: g, rng: rng, alg: algs[which]}
		x := w.alone(rng.IntN(6))
		rec.Reset()

		g.Compute(x.e)
		got := rec.Snapshot().Total()
		require.Equal(t, w.outer, got.Outer(), i)
		require.Equal(t, w.inside, got.Inside(), i)
		require.Equal(t, w.outer.Plus(w.inside), got.Total(), i)
		require.Equal(t, w.exps, got.Calls(count.ScalarMul), i)
		require.Equal(t, w.multi, got.Calls(count.MSM), i)
		require.Equal(t, w.pows, w.exps+got.Terms(count.MSM), i)
		require.Zero(t, x.v.Mod(x.v, order).Cmp(new(big.Int).SetBytes(g.Encode(x.e))), i)
		squared += w.outer.Doubles
		multi += w.multi
	}
	require.NotZero(t, squared)
	require.NotZero(t, multi)
}

// TestAlgorithmsAgree checks that all algorithms compute the same, also with
// several bases and with different windows for one power and several.
func TestAlgorithmsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for m := zn.WNAF; m <= zn.Pippenger; m++ {
		for window := 1; window <= 8; window++ {
			g, _ := newGroup(t, zn.Algorithms{
				Exp:      zn.Algorithm{Method: m, Window: window},
				MultiExp: zn.Algorithm{Method: m, Window: 9 - window},
			})
			for n := 1; n <= 5; n++ {
				want := new(big.Int)
				e := g.Neutral()
				for _, x := range elements(t, g, n) {
					k := big.NewInt(rng.Int64() - rng.Int64())
					e = e.Mul(x.Pow(k))
					want.Add(want, k.Mul(k, new(big.Int).SetBytes(g.Encode(x))))
				}
				require.Zero(t, want.Mod(want, order).Cmp(new(big.Int).SetBytes(g.Encode(e))))
			}
		}
	}
}

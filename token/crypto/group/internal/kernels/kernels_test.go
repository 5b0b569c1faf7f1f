package main

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// value returns the integer that limbs hold.
func value(limbs []*interval) *big.Int {
	v := new(big.Int)
	for i := len(limbs) - 1; i >= 0; i-- {
		v.Lsh(v, limbBits).Add(v, limbs[i].value)
	}
	return v
}

// edges are integers below bound, the extreme ones and random ones.
func edges(f *field, bound *big.Int, rnd *rand.Rand) (vs []*big.Int) {
	for _, v := range []int64{0, 1, 2} {
		vs = append(vs, big.NewInt(v), new(big.Int).Sub(bound, big.NewInt(v+1)))
		vs = append(vs, new(big.Int).Sub(f.p, big.NewInt(v-1)), new(big.Int).Sub(f.product(), big.NewInt(v)))
	}
	for bit := 0; bit < bound.BitLen()-1; bit += 13 {
		vs = append(vs, pow2(bit), new(big.Int).Sub(pow2(bit), big.NewInt(1)))
	}
	for range 6 {
		words := make([]big.Word, bound.BitLen()/64+1)
		for i := range words {
			words[i] = big.Word(rnd.Uint64())
		}
		v := new(big.Int).SetBits(words)
		vs = append(vs, v)
	}
	for i := range vs {
		vs[i].Mod(vs[i], bound)
	}
	return vs
}

// run is one run of a step: every operand has a value below its bound, in turn the
// extreme ones and random ones.
type run struct {
	f     *field
	in    map[string]*big.Int
	pr    program
	m     map[string]memory
	state *interpreter
}

func newRun(f *field) *run {
	r := &run{f: f, in: map[string]*big.Int{}, m: map[string]memory{}, state: &interpreter{memory: map[string][]*interval{}}}
	names := []string{"ax", "ay", "az", "bx", "by", "bz", "d", "p", "next", "x", "dst", "azz", "azzz", "bzz", "bzzz"}
	for i := range scratchBlocks {
		names = append(names, scratch(i))
	}
	for _, name := range names {
		r.m[name] = memory{name: name, last: true}
	}
	r.pr = program{machine: r.state, f: f}
	return r
}

func (r *run) set(name string, v *big.Int) {
	r.in[name] = v
	for _, limb := range r.f.split(v) {
		r.state.memory[name] = append(r.state.memory[name], r.state.exactly(new(big.Int).SetUint64(limb)))
	}
}

// each runs check on some fields, with operands below their bounds.
func each(t *testing.T, fields []*field, bounds func(f *field) map[string]*big.Int, check func(r *run)) {
	t.Helper()
	for _, f := range fields {
		t.Run(f.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, 2))
			lists := map[string][]*big.Int{}
			for name, bound := range bounds(f) {
				lists[name] = edges(f, bound, rnd)
			}
			for n := range 200 {
				r := newRun(f)
				for name, list := range lists {
					v := list[rnd.IntN(len(list))]
					if n < len(list) && n%2 == 0 {
						v = list[n]
					}
					r.set(name, v)
				}
				check(r)
			}
		})
	}
}

// wantMod requires that operand name is congruent to want and below bound.
func (r *run) wantMod(t *testing.T, name string, want, bound *big.Int) {
	t.Helper()
	got := value(r.state.memory[name])
	if got.Cmp(bound) >= 0 {
		t.Fatalf("%s is %x, not below %x", name, got, bound)
	}
	if got.Mod(got, r.f.p).Cmp(new(big.Int).Mod(want, r.f.p)) != 0 {
		t.Fatalf("%s is %x and not %x for %x", name, got, want, r.in)
	}
}

// mont is a·b/R mod p.
func (r *run) mont(a, b *big.Int) *big.Int {
	inverse := new(big.Int).ModInverse(r.f.radix(), r.f.p)
	v := new(big.Int).Mul(a, b)
	return v.Mul(v, inverse).Mod(v, r.f.p)
}

func TestPartialProducts(t *testing.T) {
	each(t, curves, func(f *field) map[string]*big.Int {
		return map[string]*big.Int{"ax": f.coordinate(), "bx": f.coordinate(), "ay": f.coordinate(), "p": f.product()}
	}, func(r *run) {
		products(r.pr, r.m)
		d := new(big.Int).Sub(r.in["bx"], r.in["ax"])
		r.wantMod(t, "d", d, r.f.denominator())
		r.wantMod(t, "next", r.mont(r.in["p"], d), r.f.product())
	})
}

func TestMultiplications(t *testing.T) {
	each(t, fields, func(f *field) map[string]*big.Int {
		return map[string]*big.Int{"p": f.product(), "d": f.coordinate()}
	}, func(r *run) {
		multiply(r.pr, r.m)
		r.wantMod(t, "d", r.mont(r.in["p"], r.in["d"]), r.f.product())
	})
	each(t, fields, func(f *field) map[string]*big.Int {
		return map[string]*big.Int{"d": f.p, "ax": f.coordinate()}
	}, func(r *run) {
		scale(r.pr, r.m)
		r.wantMod(t, "ax", r.mont(r.in["ax"], r.in["d"]), r.f.coordinate())
	})
}

func TestSums(t *testing.T) {
	bounds := func(f *field) map[string]*big.Int {
		c := f.coordinate()
		return map[string]*big.Int{"ax": c, "ay": c, "bx": c, "by": c, "d": f.denominator(), "p": f.product(), "next": c}
	}
	each(t, curves, bounds, func(r *run) {
		rise := new(big.Int).Sub(r.in["by"], r.in["ay"])
		sums(r.pr, r.m)
		r.wantSlope(t, rise, r.in["bx"])
	})
}

func (r *run) wantSlope(t *testing.T, rise, x2 *big.Int) {
	t.Helper()
	inverse := r.mont(r.in["next"], r.in["p"])
	lambda := r.mont(rise, inverse)
	x3 := r.mont(lambda, lambda)
	x3.Sub(x3, r.in["ax"]).Sub(x3, x2)
	r.wantMod(t, "ax", x3, r.f.coordinate())
	y3 := r.mont(lambda, new(big.Int).Sub(r.in["ax"], x3))
	r.wantMod(t, "ay", y3.Sub(y3, r.in["ay"]), r.f.coordinate())
	r.wantMod(t, "p", r.mont(r.in["next"], r.in["d"]), r.f.coordinate())
}

// TestChains begins chains and adds points to chains and chains to chains.
func TestChains(t *testing.T) {
	each(t, curves, func(f *field) map[string]*big.Int { return map[string]*big.Int{"ay": f.coordinate()} }, func(r *run) {
		chainBegin(r.pr, r.m)
		r.wantMod(t, "ay", negated(r.in["ay"]), r.f.coordinate())
		r.wantMod(t, "azz", negated(r.f.one()), r.f.chainedZ())
		r.wantMod(t, "azzz", r.f.one(), r.f.chainedZ())
	})
	bounds := func(f *field) map[string]*big.Int {
		c, z := f.coordinate(), f.chainedZ()
		return map[string]*big.Int{"ax": c, "ay": c, "azz": z, "azzz": z, "bx": c, "by": c, "bzz": z, "bzzz": z}
	}
	each(t, curves, bounds, func(r *run) {
		chain(r.pr, r.m)
		r.wantChain(t, r.in["by"], r.f.one(), r.f.one())
	})
	each(t, curves, bounds, func(r *run) {
		join(r.pr, r.m)
		r.wantChain(t, negated(r.in["by"]), negated(r.in["bzz"]), r.in["bzzz"])
	})
}

func negated(v *big.Int) *big.Int { return new(big.Int).Neg(v) }

// TestAffines makes chains affine.
func TestAffines(t *testing.T) {
	each(t, curves, func(f *field) map[string]*big.Int {
		c, z := f.coordinate(), f.chainedZ()
		return map[string]*big.Int{"ax": c, "ay": c, "azz": z, "azzz": z, "d": f.denominator(), "p": f.product(), "next": c}
	}, func(r *run) {
		inverse := r.mont(r.in["next"], r.in["p"])
		affines(r.pr, r.m)
		ratio := r.mont(r.in["azz"], inverse)
		r.wantMod(t, "ax", r.mont(r.in["ax"], r.mont(ratio, ratio)), r.f.coordinate())
		r.wantMod(t, "ay", negated(r.mont(r.in["ay"], inverse)), r.f.coordinate())
		r.wantMod(t, "p", r.mont(r.in["next"], r.in["d"]), r.f.coordinate())
	})
	each(t, curves, func(f *field) map[string]*big.Int {
		return map[string]*big.Int{"azzz": f.chainedZ(), "p": f.product()}
	}, func(r *run) {
		chainProducts(r.pr, r.m)
		r.wantMod(t, "d", r.in["azzz"], r.f.chainedZ())
		r.wantMod(t, "next", r.mont(r.in["p"], r.in["azzz"]), r.f.product())
	})
}

// wantChain requires the sum of two chains, the second with the given Y, ZZ and
// ZZZ.
func (r *run) wantChain(t *testing.T, y2, zz2, zzz2 *big.Int) {
	t.Helper()
	y1, zz1, zzz1 := negated(r.in["ay"]), negated(r.in["azz"]), r.in["azzz"]
	u, s := r.mont(r.in["ax"], zz2), r.mont(y1, zzz2)
	p, rise := minus(r.mont(r.in["bx"], zz1), u), minus(r.mont(y2, zzz1), s)
	square := r.mont(p, p)
	cube, q := r.mont(p, square), r.mont(u, square)
	x3 := minus(minus(r.mont(rise, rise), cube), times(2, q))
	y3 := minus(r.mont(rise, minus(q, x3)), r.mont(s, cube))
	r.wantMod(t, "ax", x3, r.f.coordinate())
	r.wantMod(t, "ay", negated(y3), r.f.coordinate())
	r.wantMod(t, "azz", negated(r.product(zz1, zz2, square)), r.f.chainedZ())
	r.wantMod(t, "azzz", r.product(zzz1, zzz2, cube), r.f.chainedZ())
}

// finds reports whether an addition on the machine is refused or wrong.
func finds(f *field, on func(*interpreter) machine) (found bool) {
	defer func() { found = found || recover() != nil }()
	rnd := rand.New(rand.NewPCG(3, 4))
	c := f.coordinate()
	operands := func(bounds map[string]*big.Int) *run {
		r := newRun(f)
		for name, bound := range bounds {
			list := edges(f, bound, rnd)
			r.set(name, list[rnd.IntN(len(list))])
		}
		r.pr.machine = on(r.state)
		return r
	}
	wrong := func(r *run, name string, want *big.Int) bool {
		got := value(r.state.memory[name])
		return got.Mod(got, f.p).Cmp(new(big.Int).Mod(want, f.p)) != 0
	}
	for range 100 {
		r := operands(map[string]*big.Int{"ax": c, "ay": c, "bx": c, "by": c, "d": f.denominator(), "p": f.product(), "next": c})
		sums(r.pr, r.m)
		lambda := r.product(minus(r.in["by"], r.in["ay"]), r.in["next"], r.in["p"])
		if wrong(r, "ax", minus(minus(r.product(lambda, lambda), r.in["ax"]), r.in["bx"])) {
			return true
		}
		z := f.chainedZ()
		r = operands(map[string]*big.Int{"ax": c, "ay": c, "bx": c, "by": c, "azz": z, "azzz": z})
		chain(r.pr, r.m)
		d := new(big.Int).Add(r.product(r.in["bx"], r.in["azz"]), r.in["ax"])
		rise := new(big.Int).Add(r.product(r.in["by"], r.in["azzz"]), r.in["ay"])
		q := r.product(r.in["ax"], d, d)
		if wrong(r, "ax", minus(new(big.Int).Add(r.product(rise, rise), r.product(d, d, d)), times(2, q))) {
			return true
		}
	}
	return false
}

// TestWords converts from words and back.
func TestWords(t *testing.T) {
	each(t, fields, func(f *field) map[string]*big.Int {
		return map[string]*big.Int{"x": f.coordinate(), "in": f.p}
	}, func(r *run) {
		var words []vec
		rest := new(big.Int).Set(r.in["in"])
		for range r.f.words {
			words = append(words, r.state.exactly(new(big.Int).And(rest, new(big.Int).SetUint64(1<<64-1))))
			rest.Rsh(rest, 64)
		}
		want := new(big.Int).Lsh(r.in["in"], uint(r.f.shift))
		for minus := range 2 {
			enter(r.pr, r.m["dst"], words, r.state.new(big.NewInt(int64(-minus)), big.NewInt(-1), big.NewInt(1)))
			r.wantMod(t, "dst", want, r.f.coordinate())
			want.Neg(want)
		}
		got := new(big.Int)
		out := leave(r.pr, r.m["x"])
		for i := range out {
			v := out[len(out)-1-i].(*interval).value
			got.Lsh(got, 64).Add(got, v)
		}
		want = r.mont(r.in["x"], pow2(limbBits*r.f.limbs-r.f.shift))
		if got.Cmp(want) != 0 {
			t.Fatalf("%x in words is %x and not %x", r.in["x"], got, want)
		}
	})
}

// Code generated from bn254/lanes_formulas_amd64_test.go by bls12381/generate. DO NOT EDIT.

//go:build !purego

package bls12381

import (
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// The kernels of chains and of Jacobian points are formulas, which hold for all
// numbers: these tests need no points of the curve.

// formula is one run of a kernel on batchLen places, with operands by name.
type formula struct {
	planes map[string]laneCoords
	values map[string][]fp.Element
	temp   kernelMemory
}

// formulaOf returns the operands that next returns, which are integers e + k·p.
func formulaOf(names []string, next func(name string, i int) operand) *formula {
	f := &formula{planes: map[string]laneCoords{}, values: map[string][]fp.Element{}}
	for _, name := range names {
		plane, values := make(laneCoords, laneLimbs*lanePlaces), make([]fp.Element, batchLen)
		for i := range batchLen {
			o := next(name, i)
			values[i] = o.e
			for limb, v := range laneInt(&o.e, o.k) {
				plane[limb*lanePlaces+i] = v
			}
		}
		f.planes[name], f.values[name] = plane, values
	}
	return f
}

func (f *formula) at(name string) *uint64 {
	if plane := f.planes[name]; plane != nil {
		return &plane[0]
	}
	return nil
}

func (f *formula) args() *laneArgs {
	return &laneArgs{
		ax: f.at("ax"), ay: f.at("ay"), az: f.at("az"), azz: f.at("azz"), azzz: f.at("azzz"),
		bx: f.at("bx"), by: f.at("by"), bz: f.at("bz"), bzz: f.at("bzz"), bzzz: f.at("bzzz"),
		temp: &f.temp, n: batchLen,
	}
}

// toElement is 2^-laneShift: an integer v stands for v/2^(52·laneLimbs), and its
// words for v/2^(64·words).
var toElement = func() (e fp.Element) {
	e.Inverse(&inverseToLanes)
	return e
}()

// in returns the element that operand name of place i stands for.
func (f *formula) in(name string, i int) (e fp.Element) {
	e.Mul(&f.values[name][i], &toElement)
	return e
}

// requireResults compares the operands of all places with the elements that want
// returns for them.
func (f *formula) requireResults(t *testing.T, names [2]string, want func(i int) [2]fp.Element) {
	t.Helper()
	s := &laneScratch{}
	got := make([]curve.G1Affine, batchLen)
	storeLanes(got, f.planes[names[0]], f.planes[names[1]], s)
	for i := range got {
		if w := want(i); got[i].X != w[0] || got[i].Y != w[1] {
			t.Fatalf("place %d: %v is (%v, %v) and not %v", i, names, got[i].X, got[i].Y, w)
		}
	}
}

// eachFormula runs check on operands that are random and on all pairs of edges of
// operands that neighbour in the list of names. Operands are below k·p with the k
// of their name.
func eachFormula(t *testing.T, names []string, below func(name string) uint64, check func(t *testing.T, f *formula)) {
	t.Helper()
	needLanes(t)
	const random = 350_000
	edges, rnd := edgeElements(), rand.New(rand.NewPCG(15, 16))
	for first := 0; first < len(edges)*len(edges); first += batchLen {
		check(t, formulaOf(names, func(name string, i int) operand {
			pair := (first + i) % (len(edges) * len(edges))
			e, k := edges[pair%len(edges)], uint64(0)
			if index(names, name)%2 == 1 {
				e = edges[pair/len(edges)]
			}
			if i%3 == 1 {
				k = below(name) - 1
			}
			return operand{e, k}
		}))
	}
	for range random / batchLen {
		check(t, formulaOf(names, func(name string, _ int) operand {
			return operand{randomElement(rnd), rnd.Uint64N(below(name))}
		}))
	}
}

func index(names []string, name string) int {
	for i := range names {
		if names[i] == name {
			return i
		}
	}
	return -1
}

// mul, sub and neg are arithmetic on values.
func mul(a, b fp.Element) (c fp.Element) { return *c.Mul(&a, &b) }
func sub(a, b fp.Element) (c fp.Element) { return *c.Sub(&a, &b) }
func neg(a fp.Element) (c fp.Element)    { return *c.Neg(&a) }

// belowInChains is 2 for the operands ZZ and ZZZ and the multiple of coordinates
// for others.
func belowInChains(name string) uint64 {
	if len(name) > len("ax") {
		return 2
	}
	return coordinateMultiple
}

// sumOfChains returns (X₃, Y₃) and (ZZ₃, ZZZ₃) for place i of f, where the second
// chain has the given Y, ZZ and ZZZ.
func sumOfChains(f *formula, i int, y2, zz2, zzz2 fp.Element) (xy, zs [2]fp.Element) {
	y1, zz1, zzz1 := neg(f.in("ay", i)), neg(f.in("azz", i)), f.in("azzz", i)
	u, s := mul(f.in("ax", i), zz2), mul(y1, zzz2)
	p, r := sub(mul(f.in("bx", i), zz1), u), sub(mul(y2, zzz1), s)
	square := mul(p, p)
	cube, q := mul(p, square), mul(u, square)
	x3 := sub(sub(sub(mul(r, r), cube), q), q)
	y3 := sub(mul(r, sub(q, x3)), mul(s, cube))
	return [2]fp.Element{x3, neg(y3)}, [2]fp.Element{neg(mul(mul(zz1, zz2), square)), mul(mul(zzz1, zzz2), cube)}
}

func TestChainFormulas(t *testing.T) {
	eachFormula(t, []string{"ax", "bx", "ay", "by", "azz", "azzz"}, belowInChains, func(t *testing.T, f *formula) {
		laneChain(f.args())
		want := func(i int) (xy, zs [2]fp.Element) { return sumOfChains(f, i, f.in("by", i), fp.One(), fp.One()) }
		f.requireResults(t, [2]string{"ax", "ay"}, func(i int) [2]fp.Element { xy, _ := want(i); return xy })
		f.requireResults(t, [2]string{"azz", "azzz"}, func(i int) [2]fp.Element { _, zs := want(i); return zs })
	})
}

func TestJoinFormulas(t *testing.T) {
	names := []string{"ax", "bx", "ay", "by", "azz", "bzz", "azzz", "bzzz"}
	eachFormula(t, names, belowInChains, func(t *testing.T, f *formula) {
		laneJoin(f.args())
		want := func(i int) (xy, zs [2]fp.Element) {
			return sumOfChains(f, i, neg(f.in("by", i)), neg(f.in("bzz", i)), f.in("bzzz", i))
		}
		f.requireResults(t, [2]string{"ax", "ay"}, func(i int) [2]fp.Element { xy, _ := want(i); return xy })
		f.requireResults(t, [2]string{"azz", "azzz"}, func(i int) [2]fp.Element { _, zs := want(i); return zs })
	})
}

func coordinatesBelow(string) uint64 { return coordinateMultiple }

func TestJacobianDoubleFormulas(t *testing.T) {
	eachFormula(t, []string{"ax", "ay", "az"}, coordinatesBelow, func(t *testing.T, f *formula) {
		a := f.args()
		a.times = 1
		laneJacobianDoubles(a)
		f.requireResults(t, [2]string{"ax", "ay"}, func(i int) [2]fp.Element {
			x, y := f.in("ax", i), f.in("ay", i)
			y2, e, d := mul(y, y), mul(x, x), fp.Element{}
			e.Double(&e).Add(&e, new(fp.Element).Square(&x))
			d.Mul(&x, &y2).Double(&d).Double(&d)
			x3 := sub(sub(mul(e, e), d), d)
			y4 := mul(y2, y2)
			y4.Double(&y4).Double(&y4).Double(&y4)
			return [2]fp.Element{x3, sub(mul(e, sub(d, x3)), y4)}
		})
		f.requireResults(t, [2]string{"az", "az"}, func(i int) [2]fp.Element {
			z := mul(f.in("ay", i), f.in("az", i))
			z.Double(&z)
			return [2]fp.Element{z, z}
		})
	})
}

func TestJacobianSumFormulas(t *testing.T) {
	eachFormula(t, []string{"ax", "bx", "ay", "by", "az"}, coordinatesBelow, func(t *testing.T, f *formula) {
		laneJacobianMixed(f.args())
		h := func(i int) fp.Element { z := f.in("az", i); return sub(mul(f.in("bx", i), mul(z, z)), f.in("ax", i)) }
		f.requireResults(t, [2]string{"ax", "ay"}, func(i int) [2]fp.Element {
			z, s, h := f.in("az", i), f.in("ay", i), h(i)
			r := sub(mul(mul(f.in("by", i), z), mul(z, z)), s)
			cube, v := mul(h, mul(h, h)), mul(f.in("ax", i), mul(h, h))
			x3 := sub(sub(sub(mul(r, r), cube), v), v)
			return [2]fp.Element{x3, sub(mul(r, sub(v, x3)), mul(s, cube))}
		})
		f.requireResults(t, [2]string{"az", "az"}, func(i int) [2]fp.Element {
			z := mul(f.in("az", i), h(i))
			return [2]fp.Element{z, z}
		})
	})
}

//go:build !purego

package bn254

import (
	"math/rand/v2"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
)

// An operation of points in lanes is compared with gnark-crypto on coordinates
// of any kind: the formulas hold for points of no curve, so every coordinate can
// be an edge.

// places is how many places an operation uses at most at once.
const places = 200

// laneOperation is one operation in many places.
type laneOperation struct {
	coordinates int // coordinates in each place
	// do computes in lanes, and stores the results of place k in out[k]. in holds
	// the coordinates of all places.
	do func(ws *workspace, out []curve.G1Jac, in []operand)
	// want computes with gnark-crypto. ok is false if the operation is undefined
	// for these coordinates.
	want func(v []fp.Element) (p curve.G1Jac, ok bool)
}

// outOfLanes is 2^-laneShift: words are an integer in lanes, modulo p, times it.
var outOfLanes = *new(fp.Element).Inverse(&inverseToLanes)

// put puts the coordinate o into place i.
func (v laneCoords) put(i int, o *operand) {
	for limb, word := range laneInt(&o.e, o.k) {
		v[limb*lanePlaces+i] = word
	}
}

// putPoints puts coordinates 2·which and 2·which+1 of each place into the places
// of l from place first on.
func putPoints(l *lanePoints, first int, in []operand, coordinates, which int) {
	for k := 0; k < len(in)/coordinates; k++ {
		l.x.put(first+k, &in[k*coordinates+2*which])
		l.y.put(first+k, &in[k*coordinates+2*which+1])
	}
	l.used = max(l.used, first+len(in)/coordinates)
}

// storeAffine stores the first len(out) points of l, from place first on.
func storeAffine(l *lanePoints, first int, out []curve.G1Jac) {
	ps := make([]curve.G1Affine, len(out))
	l.store(ps, first)
	for k, p := range ps {
		out[k] = curve.G1Jac{X: p.X, Y: p.Y}
		out[k].Z.SetOne()
	}
}

// jacobianOf returns the point with the affine coordinates v.
func jacobianOf(v []fp.Element) (p curve.G1Jac) {
	p = curve.G1Jac{X: v[0], Y: v[1]}
	p.Z.SetOne()
	return p
}

// sameX reports whether p and q have the same x, or one is the identity.
func sameX(p, q *curve.G1Jac) bool {
	var a, b fp.Element
	a.Square(&q.Z).Mul(&a, &p.X)
	b.Square(&p.Z).Mul(&b, &q.X)
	return a.Equal(&b)
}

// sumOf returns the sum of points. ok is false if the slope of an addition is undefined.
func sumOf(ps ...curve.G1Jac) (sum curve.G1Jac, ok bool) {
	sum = ps[0]
	for i := range ps[1:] {
		if sameX(&sum, &ps[1+i]) {
			return sum, false
		}
		sum.AddAssign(&ps[1+i])
	}
	return sum, true
}

var laneOperations = map[string]laneOperation{
	"store": {2, func(ws *workspace, out []curve.G1Jac, in []operand) {
		l := ws.acc.points.(*lanePoints)
		putPoints(l, 3, in, 2, 0)
		storeAffine(l, 3, out)
	}, func(v []fp.Element) (curve.G1Jac, bool) { return jacobianOf(v), true }},

	"gather": {2, func(ws *workspace, out []curve.G1Jac, in []operand) { gatherForTest(ws, out, in, 0) },
		func(v []fp.Element) (curve.G1Jac, bool) { return jacobianOf(v), true }},

	"gather negated": {2, func(ws *workspace, out []curve.G1Jac, in []operand) { gatherForTest(ws, out, in, 1) },
		func(v []fp.Element) (curve.G1Jac, bool) {
			p := jacobianOf(v)
			p.Y.Neg(&p.Y)
			return p, true
		}},

	"endomorphism": {2, func(ws *workspace, out []curve.G1Jac, in []operand) {
		l := ws.acc.points.(*lanePoints)
		putPoints(l, 5, in, 2, 0)
		l.endomorphism(5, len(out))
		storeAffine(l, 5, out)
	}, func(v []fp.Element) (curve.G1Jac, bool) {
		p := jacobianOf(v)
		p.X.Mul(&p.X, &glv.beta)
		return p, true
	}},

	"add": {4, func(ws *workspace, out []curve.G1Jac, in []operand) {
		acc, b := ws.acc.points.(*lanePoints), ws.in.points.(*lanePoints)
		putPoints(acc, 1, in, 4, 0)
		putPoints(b, 2, in, 4, 1)
		acc.add(1, b, 2, len(out), len(out))
		storeAffine(acc, 1, out)
	}, func(v []fp.Element) (curve.G1Jac, bool) { return sumOf(jacobianOf(v), jacobianOf(v[2:])) }},

	"double": {2, func(ws *workspace, out []curve.G1Jac, in []operand) {
		acc := ws.acc.points.(*lanePoints)
		putPoints(acc, 4, in, 2, 0)
		acc.add(4, ws.in.points, 0, 0, len(out))
		storeAffine(acc, 4, out)
	}, func(v []fp.Element) (curve.G1Jac, bool) {
		p := jacobianOf(v)
		p.DoubleAssign()
		return p, !v[1].IsZero()
	}},

	"chain": {8, func(ws *workspace, out []curve.G1Jac, in []operand) {
		l, b, n := ws.acc.points.(*lanePoints), ws.in.points.(*lanePoints), len(out)
		putPoints(l, 0, in, 8, 0)
		l.begin(n)
		for which := 1; which < 4; which++ {
			putPoints(b, which, in, 8, which)
			l.extend(b, which, n)
		}
		if l.affine(n) {
			storeAffine(l, 0, out)
		}
	}, func(v []fp.Element) (curve.G1Jac, bool) {
		return sumOf(jacobianOf(v), jacobianOf(v[2:]), jacobianOf(v[4:]), jacobianOf(v[6:]))
	}},

	"join": {8, func(ws *workspace, out []curve.G1Jac, in []operand) {
		l, b, n := ws.acc.points.(*lanePoints), ws.in.points.(*lanePoints), len(out)
		for half := range 2 {
			putPoints(l, half*n, in, 8, 2*half)
			putPoints(b, half*n, in, 8, 2*half+1)
		}
		l.begin(2 * n)
		l.extend(b, 0, 2*n)
		l.join(0, n, n)
		if l.affine(n) {
			storeAffine(l, 0, out)
		}
	}, func(v []fp.Element) (curve.G1Jac, bool) {
		p, ok := sumOf(jacobianOf(v), jacobianOf(v[2:]))
		q, also := sumOf(jacobianOf(v[4:]), jacobianOf(v[6:]))
		if !ok || !also {
			return p, false
		}
		return sumOf(p, q)
	}},

	"Jacobian double": {3, func(ws *workspace, out []curve.G1Jac, in []operand) {
		j := putJacobian(ws, in, 3)
		j.double(len(out), 1)
		j.storeForTest(out)
	}, func(v []fp.Element) (curve.G1Jac, bool) {
		p := curve.G1Jac{X: v[0], Y: v[1], Z: v[2]}
		p.DoubleAssign()
		return p, true
	}},

	"Jacobian add affine": {5, func(ws *workspace, out []curve.G1Jac, in []operand) {
		j, b := putJacobian(ws, in, 5), ws.in.points.(*lanePoints)
		for k := range out {
			b.x.put(k, &in[5*k+3])
			b.y.put(k, &in[5*k+4])
		}
		b.used = max(b.used, len(out))
		j.addAffine(b, len(out))
		j.storeForTest(out)
	}, func(v []fp.Element) (curve.G1Jac, bool) {
		return sumOrNone(curve.G1Jac{X: v[0], Y: v[1], Z: v[2]}, jacobianOf(v[3:]))
	}},
}

// sumOrNone returns p + q, with z = 0 if p or q has z = 0 or both have the same
// x.
func sumOrNone(p, q curve.G1Jac) (curve.G1Jac, bool) {
	if p.Z.IsZero() || q.Z.IsZero() || sameX(&p, &q) {
		return curve.G1Jac{}, true
	}
	p.AddAssign(&q)
	return p, true
}

// gatherForTest gathers the points in the reverse order, with the given sign.
func gatherForTest(ws *workspace, out []curve.G1Jac, in []operand, sign uint32) {
	n := len(out)
	ps, refs := make([]curve.G1Affine, n), make([]uint32, n)
	for k := range ps {
		ps[n-1-k] = curve.G1Affine{X: in[2*k].words(), Y: in[2*k+1].words()}
		refs[k] = uint32(n-1-k)<<1 | sign
	}
	l := ws.in.points.(*lanePoints)
	l.gather(7, entries{points: ps}, refs)
	storeAffine(l, 7, out)
}

// words is the integer o, in lanes, as an element in words.
func (o *operand) words() (e fp.Element) { return *e.Mul(&o.e, &outOfLanes) }

// putJacobian puts the first three coordinates of each place into memory for points in
// Jacobian coordinates.
func putJacobian(ws *workspace, in []operand, coordinates int) *laneJacobian {
	j := ws.acc.points.(*lanePoints).scratch.jacobian(0)
	for k := range len(in) / coordinates {
		o := in[k*coordinates:]
		j.x.put(k, &o[0])
		j.y.put(k, &o[1])
		j.z.put(k, &o[2])
	}
	j.used = max(j.used, len(in)/coordinates)
	return j
}

func (j *laneJacobian) storeForTest(out []curve.G1Jac) {
	storeAffine(j.lanePoints, 0, out)
	zs := make([]curve.G1Affine, len(out))
	storeLanes(zs, j.z, j.z, j.scratch)
	for k := range out {
		out[k].Z = zs[k].X
	}
}

// sameJacobian reports whether p and q have the same coordinates x and y, or both
// have z = 0.
func sameJacobian(p, q *curve.G1Jac) bool {
	if p.Z.IsZero() || q.Z.IsZero() {
		return p.Z.IsZero() && q.Z.IsZero()
	}
	var a, b, p2, q2 fp.Element
	p2.Square(&p.Z)
	q2.Square(&q.Z)
	a.Mul(&q2, &q.Z).Mul(&a, &p.Y)
	b.Mul(&p2, &p.Z).Mul(&b, &q.Y)
	return sameX(p, q) && a.Equal(&b)
}

// requireOperation compares an operation in all places that in holds;
// places without a result are left out.
func requireOperation(t *testing.T, op laneOperation, in []operand) {
	t.Helper()
	var left []operand
	var want []curve.G1Jac
	v := make([]fp.Element, op.coordinates)
	for ; len(in) > 0; in = in[op.coordinates:] {
		for i := range v {
			v[i] = in[i].words()
		}
		if p, ok := op.want(v); ok {
			left, want = append(left, in[:op.coordinates]...), append(want, p)
		}
	}
	ws := newForTest().take()
	defer ws.put()
	var out [places]curve.G1Jac
	for n := 1; len(want) > 0; n = n%places + 1 {
		n := min(n, len(want))
		clear(out[:])
		op.do(ws, out[:n], left[:n*op.coordinates])
		for k := range n {
			if !sameJacobian(&out[k], &want[k]) {
				t.Fatalf("place %d of %d: %x gives %x and not %x", k, n, left[k*op.coordinates:(k+1)*op.coordinates], out[k], want[k])
			}
		}
		left, want = left[n*op.coordinates:], want[n:]
	}
}

// TestLaneOperationsOfEdges computes with all pairs of edges in each pair of
// coordinates, of chains in the coordinates of the first two points, below p and as large as
// coordinates may be.
func TestLaneOperationsOfEdges(t *testing.T) {
	needLanes(t)
	edges := edgeElements()
	for name, op := range laneOperations {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(15, 16))
			paired := op.coordinates
			if paired == 8 {
				paired = 4
			}
			for first := range paired {
				for second := range first {
					var in []operand
					for _, a := range edges {
						for _, b := range edges {
							for _, k := range []uint64{0, coordinateMultiple - 1} {
								place := randomOperands(rnd, op.coordinates)
								place[first], place[second] = operand{a, k}, operand{b, k}
								in = append(in, place...)
							}
						}
					}
					requireOperation(t, op, in)
				}
			}
		})
	}
}

// TestLaneOperations computes with 10⁶ random coordinates, in batches of all
// lengths of the last block.
func TestLaneOperations(t *testing.T) {
	needLanes(t)
	const coordinates, part = 1_000_000, 40_000
	for name, op := range laneOperations {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(13, 14))
			for range coordinates / part {
				requireOperation(t, op, randomOperands(rnd, part/op.coordinates*op.coordinates))
			}
		})
	}
}

func randomOperands(rnd *rand.Rand, n int) []operand {
	in := make([]operand, n)
	for i := range in {
		in[i] = operand{randomElement(rnd), rnd.Uint64N(coordinateMultiple)}
	}
	return in
}

// TestLaneComparisons compares points in Jacobian coordinates with affine ones,
// where no, one or both coordinates are the same.
func TestLaneComparisons(t *testing.T) {
	needLanes(t)
	rnd := rand.New(rand.NewPCG(17, 18))
	edges := edgeElements()
	element := func() fp.Element {
		if rnd.IntN(3) == 0 {
			return edges[rnd.IntN(len(edges))]
		}
		return randomElement(rnd)
	}
	ws := newForTest().take()
	defer ws.put()
	l, j := ws.acc.points.(*lanePoints), ws.acc.points.(*lanePoints).scratch.jacobian(0)
	equal := 0
	for n := 1; n <= 600; n++ {
		n := n%places + 1
		got, want := make([]bool, n), make([]bool, n)
		for k := range n {
			p, z := curve.G1Affine{X: element(), Y: element()}, element()
			q := p
			switch rnd.IntN(4) {
			case 0:
				q.X = element()
			case 1:
				q.Y = element()
			case 2:
				q.Y.Neg(&q.Y)
			}
			want[k] = p == q && !z.IsZero()
			if want[k] {
				equal++
			}
			var z2 fp.Element
			z2.Square(&z)
			q.X.Mul(&q.X, &z2)
			q.Y.Mul(&q.Y, &z2).Mul(&q.Y, &z)
			l.load(k, p)
			j.load(k, q)
			setLane(j.z, lanePlaces, k, &z)
		}
		j.equal(got, l)
		for k := range want {
			if got[k] != want[k] {
				t.Fatalf("place %d of %d: equal is %v", k, n, got[k])
			}
		}
	}
	if equal < 1000 {
		t.Fatalf("only %d points were equal", equal)
	}
}

package params

import (
	"fmt"
	"strconv"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/csp"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// generators are all points of a set of parameters.
type generators struct {
	pedersen    [3]group.Point // g₀, g₁, h
	bulletproof *bulletproofPoints
	csp         *cspPoints
}

type bulletproofPoints struct {
	p, q        group.Point
	left, right []group.Point // n each
}

type cspPoints struct {
	left, right []group.Point // n+1 each
}

// domain stands before the name of each generator.
const domain = "lfdt-panurus.zkatdlognogh.1."

// derive hashes the documented strings (section 3.3), so that nobody can know
// a relation between two generators.
func derive(g group.Group, bits int, systems []rangeproof.Kind) (gs generators, err error) {
	hash := func(name string) group.Point { return g.HashToPoint([]byte(domain + name)) }
	list := func(name string, n int) []group.Point {
		ps := make([]group.Point, n)
		for i := range ps {
			ps[i] = hash(name + "." + strconv.Itoa(i))
		}
		return ps
	}
	copy(gs.pedersen[:], list("PedersenGenerators", len(gs.pedersen)))
	for _, kind := range systems {
		switch kind {
		case rangeproof.Bulletproof:
			gs.bulletproof = &bulletproofPoints{
				p: hash("RangeProof.P"), q: hash("RangeProof.Q"),
				left: list("RangeProof.L", bits), right: list("RangeProof.R", bits),
			}
		case rangeproof.CSP:
			gs.csp = &cspPoints{left: list("CSPRangeProof.L", bits+1), right: list("CSPRangeProof.R", bits+1)}
		default:
			return gs, fmt.Errorf("%w: range-proof system %q is unknown", ErrInvalid, kind)
		}
	}
	return gs, nil
}

// all lists the points with their names.
func (gs generators) all() (points []group.Point, names []string) {
	add := func(name string, ps ...group.Point) {
		for i, p := range ps {
			points, names = append(points, p), append(names, fmt.Sprintf("%s %d", name, i))
		}
	}
	add("Pedersen generator", gs.pedersen[:]...)
	if b := gs.bulletproof; b != nil {
		add("range-proof generator P, Q", b.p, b.q)
		add("left range-proof generator", b.left...)
		add("right range-proof generator", b.right...)
	}
	if c := gs.csp; c != nil {
		add("left CSP generator", c.left...)
		add("right CSP generator", c.right...)
	}
	return points, names
}

// distinct refuses the identity and points that are equal or opposite.
func (gs generators) distinct(g group.Group) error {
	points, names := gs.all()
	seen := make(map[string]int, 2*len(points))
	for i, p := range points {
		if g.IsIdentity(p) {
			return fmt.Errorf("%w: %s %w", ErrInvalid, names[i], group.ErrIdentity)
		}
		minus := g.SubPoints(group.Point{}, p)
		for _, q := range []group.Point{p, minus} {
			key := string(g.AppendPoint(nil, q))
			if j, ok := seen[key]; ok {
				return fmt.Errorf("%w: %s and %s are equal or opposite", ErrInvalid, names[j], names[i])
			}
			seen[key] = i
		}
	}
	return nil
}

// same returns an error that names the first point that differs.
func (gs generators) same(g group.Group, want generators) error {
	points, names := gs.all()
	wanted, _ := want.all()
	for i := range points {
		if !g.Equal(points[i], wanted[i]) {
			return fmt.Errorf("%w: %s is not the one of its documented string", ErrInvalid, names[i])
		}
	}
	return nil
}

// systems makes the range-proof systems, CSP first.
func (gs generators) systems(g group.Group, bits, tableBytes int) (list []rangeproof.System, err error) {
	g0, g1, h := gs.pedersen[0], gs.pedersen[1], gs.pedersen[2]
	if c := gs.csp; c != nil {
		s, err := csp.New(csp.Config{Group: g, Bits: bits, G0: g0, G1: g1, H: h, Left: c.left, Right: c.right, TableBytes: tableBytes})
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		list = append(list, s)
	}
	if b := gs.bulletproof; b != nil {
		s, err := bulletproof.New(bulletproof.Config{Group: g, Bits: bits, G1: g1, H: h, P: b.p, Q: b.q, Left: b.left, Right: b.right, TableBytes: tableBytes})
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		list = append(list, s)
	}
	return list, nil
}

// kinds lists the systems that have points.
func (gs generators) kinds() (kinds []rangeproof.Kind) {
	if gs.bulletproof != nil {
		kinds = append(kinds, rangeproof.Bulletproof)
	}
	if gs.csp != nil {
		kinds = append(kinds, rangeproof.CSP)
	}
	return kinds
}

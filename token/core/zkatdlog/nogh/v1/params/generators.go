package params

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// generators are all points of a set of parameters.
type generators struct {
	pedersen [3]group.Point // g₀, g₁, h
	systems  []systemPoints // in the order of systems.All
}

// systemPoints are the generators of one range-proof system.
type systemPoints struct {
	family rangeproof.Family
	lists  [][]group.Point
	points []group.Point
}

// domain is the prefix of the name of each generator.
const domain = "lfdt-panurus.zkatdlognogh.1."

// derive hashes the documented strings (section 3.3), so that relations between
// generators are unknown to everyone.
func derive(g group.Group, bits int, kinds []rangeproof.Kind) (gs generators, err error) {
	hash := func(name string) group.Point { return g.HashToPoint([]byte(domain + name)) }
	list := func(name string, n int) []group.Point {
		ps := make([]group.Point, n)
		for i := range ps {
			ps[i] = hash(name + "." + strconv.Itoa(i))
		}
		return ps
	}
	for _, kind := range kinds {
		if _, known := systems.Find(kind); !known {
			return gs, fmt.Errorf("%w: range-proof system %q is unknown", ErrInvalid, kind)
		}
	}
	copy(gs.pedersen[:], list("PedersenGenerators", len(gs.pedersen)))
	for _, f := range systems.All {
		if !slices.Contains(kinds, f.Kind) {
			continue
		}
		s := systemPoints{family: f}
		for _, l := range f.Lists {
			s.lists = append(s.lists, list(l.Domain, f.ListLen(bits)))
		}
		for _, p := range f.Points {
			s.points = append(s.points, hash(p.Domain))
		}
		gs.systems = append(gs.systems, s)
	}
	return gs, nil
}

// all returns the points with their names.
func (gs generators) all() (points []group.Point, names []string) {
	add := func(name string, ps []group.Point) {
		for i, p := range ps {
			points, names = append(points, p), append(names, fmt.Sprintf("%s %d", name, i))
		}
	}
	add("Pedersen generators", gs.pedersen[:])
	for _, s := range gs.systems {
		for i, l := range s.family.Lists {
			add(l.Name, s.lists[i])
		}
		for i, p := range s.family.Points {
			points, names = append(points, s.points[i]), append(names, p.Name)
		}
	}
	return points, names
}

// distinct refuses the identity, and points that are equal or opposite.
func (gs generators) distinct(g group.Group) error {
	points, names := gs.all()
	seen := make(map[string]int, 2*len(points))
	for i, p := range points {
		if group.IsIdentity(p) {
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

// same returns an error that names the first differing point.
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

// newSystems makes the range-proof systems, the preferred one first.
func (gs generators) newSystems(g group.Group, bits, tableBytes int) (list []rangeproof.System, err error) {
	for _, s := range slices.Backward(gs.systems) {
		system, err := s.family.New(rangeproof.Generators{
			Group: g, Bits: bits, Pedersen: gs.pedersen, Lists: s.lists, Points: s.points,
			TableBytes: tableBytes,
		})
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		list = append(list, system)
	}
	return list, nil
}

// kinds lists the systems with points.
func (gs generators) kinds() (kinds []rangeproof.Kind) {
	for _, s := range gs.systems {
		kinds = append(kinds, s.family.Kind)
	}
	return kinds
}

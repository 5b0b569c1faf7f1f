package params

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/pb"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// section is the message of one range-proof system in the parameters. Its
// fields are found by their names in rangeproof.Family.
type section struct {
	family rangeproof.Family
	m      protoreflect.Message
}

// readSections returns the sections present in m.
func readSections(m *pb.PublicParameters) (sections []section) {
	outer := m.ProtoReflect()
	for _, f := range systems.All {
		if field := fieldOf(outer, f.Params); outer.Has(field) {
			sections = append(sections, section{f, outer.Get(field).Message()})
		}
	}
	return sections
}

func fieldOf(m protoreflect.Message, name string) protoreflect.FieldDescriptor {
	return m.Descriptor().Fields().ByName(protoreflect.Name(name))
}

// number returns an unsigned integer field.
func (s section) number(name string) uint64 { return s.m.Get(fieldOf(s.m, name)).Uint() }

// read reads the generators for n bits (rules 3 to 6). The reader keeps errors
// of points.
func (s section) read(r *pointReader, n int) (ps systemPoints, err error) {
	f := s.family
	if got := s.number("bit_length"); got != uint64(n) {
		return ps, fmt.Errorf("%w: %s parameters of %d bits, want %d", ErrInvalid, f.Kind, got, n)
	}
	if got := s.number("number_of_rounds"); got != uint64(f.Rounds(n)) {
		return ps, fmt.Errorf("%w: %s parameters with %d rounds for %d bits", ErrInvalid, f.Kind, got, n)
	}
	ps.family = f
	for _, g := range f.Lists {
		list := s.m.Get(fieldOf(s.m, g.Field)).List()
		ms := make([]*pb.G1, list.Len())
		for i := range ms {
			ms[i], _ = list.Get(i).Message().Interface().(*pb.G1)
		}
		ps.lists = append(ps.lists, r.list(g.Name, ms, f.ListLen(n)))
	}
	for _, g := range f.Points {
		m, _ := s.m.Get(fieldOf(s.m, g.Field)).Message().Interface().(*pb.G1)
		ps.points = append(ps.points, r.point(g.Name, m))
	}
	return ps, nil
}

// write adds the section of ps for n bits to m. g1 encodes a point.
func (ps systemPoints) write(m *pb.PublicParameters, n int, g1 func(group.Point) *pb.G1) {
	outer, f := m.ProtoReflect(), ps.family
	inner := outer.Mutable(fieldOf(outer, f.Params)).Message()
	message := func(p group.Point) protoreflect.Value { return protoreflect.ValueOfMessage(g1(p).ProtoReflect()) }
	for i, g := range f.Lists {
		list := inner.Mutable(fieldOf(inner, g.Field)).List()
		for _, p := range ps.lists[i] {
			list.Append(message(p))
		}
	}
	for i, g := range f.Points {
		inner.Set(fieldOf(inner, g.Field), message(ps.points[i]))
	}
	number := func(name string, v int) { inner.Set(fieldOf(inner, name), protoreflect.ValueOfUint64(uint64(v))) }
	number("bit_length", n)
	number("number_of_rounds", f.Rounds(n))
}

package wire

import (
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Points decodes the points of one value: one by one while the value is read, or
// all together afterwards, which costs less (group.Codec.DecodePoints).
type Points struct {
	g       group.Group
	later   bool
	raw     [][]byte
	to      []*group.Point
	decoded []group.Point
	proper  []bool // points that must not be the identity
	bytes   []byte // memory of encodings other than views
}

var pointsPool = sync.Pool{New: func() any { return new(Points) }}

// OneByOne returns Points that are decoded while the value is read.
func OneByOne(g group.Group) *Points { return &Points{g: g} }

// Together calls read, which reads a value into variables outside of it. The
// points that read gives to ps are decoded together after it has returned. If one
// is refused, or read returns an error, Together calls read again with points
// that are decoded one by one, so the error is the first one in the order of
// reading.
func Together(g group.Group, read func(ps *Points) error) error {
	ps := pointsPool.Get().(*Points)
	defer ps.put()
	ps.g, ps.later = g, true
	if read(ps) == nil && ps.decodeAll() {
		return nil
	}
	return read(OneByOne(g))
}

// put makes ps empty and keeps its memory.
func (ps *Points) put() {
	clear(ps.raw)
	clear(ps.to)
	clear(ps.decoded)
	*ps = Points{raw: ps.raw[:0], to: ps.to[:0], decoded: ps.decoded[:0], proper: ps.proper[:0], bytes: ps.bytes[:0]}
	pointsPool.Put(ps)
}

// room returns memory for n bytes, which lasts until the points are decoded.
func (ps *Points) room(n int) []byte {
	if cap(ps.bytes)-len(ps.bytes) < n {
		ps.bytes = make([]byte, 0, 2*cap(ps.bytes)+n) // earlier encodings stay where they are
	}
	used := len(ps.bytes)
	ps.bytes = ps.bytes[:used+n]
	return ps.bytes[used : used : used+n]
}

// decode decodes one point into to, or later. If proper is set, the identity is
// refused.
func (ps *Points) decode(raw []byte, to *group.Point, proper bool) error {
	if ps.later {
		ps.raw, ps.to, ps.proper = append(ps.raw, raw), append(ps.to, to), append(ps.proper, proper)
		return nil
	}
	return decodePoint(ps.g, raw, to, proper)
}

func decodePoint(g group.Group, raw []byte, to *group.Point, proper bool) error {
	p, err := g.DecodePoint(raw)
	if err == nil && proper && g.IsIdentity(p) {
		err = group.ErrIdentity
	}
	if err != nil {
		return err
	}
	*to = p
	return nil
}

// decodeAll decodes all points and reports whether they are valid.
func (ps *Points) decodeAll() bool {
	for range ps.raw {
		ps.decoded = append(ps.decoded, group.Point{})
	}
	if _, err := ps.g.DecodePoints(ps.decoded, ps.raw); err != nil {
		return false
	}
	for i, p := range ps.decoded {
		if ps.proper[i] && ps.g.IsIdentity(p) {
			return false
		}
		*ps.to[i] = p
	}
	return true
}

// Group is the group of the points.
func (ps *Points) Group() group.Group { return ps.g }

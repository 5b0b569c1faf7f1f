package wire

import (
	"cmp"
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
	spots   []spot
	path    []place // of all spots
	bytes   []byte  // memory of encodings other than views
}

// spot is the place of a point in its message, for errors.
type spot struct {
	message  Name
	field    string
	from, to int // in Points.path
	offset   int
}

// pointsPool keeps the memory of decoded points.
var pointsPool = sync.Pool{New: func() any { return new(Points) }}

// OneByOne returns Points that are decoded while the value is read.
func OneByOne(g group.Group) *Points { return &Points{g: g} }

// Later returns Points that DecodeAll decodes.
func Later(g group.Group) *Points {
	ps := pointsPool.Get().(*Points)
	ps.g, ps.later = g, true
	return ps
}

// Together returns the value that read returns. The points that read gives to ps are
// decoded together after it has returned. The error is the first one in the order of
// reading: an error of a point comes before an error of read. With an error the value is zero.
func Together[T any](g group.Group, read func(ps *Points) (T, error)) (T, error) {
	ps := Later(g)
	defer ps.put()
	v, err := read(ps)
	errs := [1]error{err}
	decodeAll([]*Points{ps}, errs[:])
	if errs[0] != nil {
		var none T
		return none, errs[0]
	}
	return v, nil
}

// put makes ps empty and keeps its memory.
func (ps *Points) put() {
	clear(ps.raw)
	clear(ps.to)
	clear(ps.decoded)
	clear(ps.spots)
	*ps = Points{
		raw: ps.raw[:0], to: ps.to[:0], decoded: ps.decoded[:0], proper: ps.proper[:0],
		spots: ps.spots[:0], path: ps.path[:0], bytes: ps.bytes[:0],
	}
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

// decode decodes one point into to, or later, when an error names its spot on the path. If
// proper is set, the identity is refused.
func (ps *Points) decode(raw []byte, to *group.Point, proper bool, at spot, path []place) error {
	if !ps.later {
		return decodePoint(ps.g, raw, to, proper)
	}
	at.from, at.to = len(ps.path), len(ps.path)+len(path)
	ps.path = append(ps.path, path...)
	ps.raw, ps.to, ps.proper = append(ps.raw, raw), append(ps.to, to), append(ps.proper, proper)
	ps.spots = append(ps.spots, at)
	return nil
}

func decodePoint(g group.Group, raw []byte, to *group.Point, proper bool) error {
	p, err := g.DecodePoint(raw)
	if err == nil && proper && group.IsIdentity(p) {
		err = group.ErrIdentity
	}
	if err != nil {
		return err
	}
	*to = p
	return nil
}

// DecodeAll decodes the points of several values of one group together. It sets the error
// of each value with a wrong point, of the first one in the order of reading. The Points
// must not be used afterwards.
func DecodeAll(values []*Points, errs []error) {
	decodeAll(values, errs)
	for _, ps := range values {
		ps.put()
	}
}

func decodeAll(values []*Points, errs []error) {
	if len(values) == 0 {
		return
	}
	all := values[0]
	if len(values) > 1 {
		all = Later(all.g)
		defer all.put()
		for _, ps := range values {
			all.raw = append(all.raw, ps.raw...)
		}
	}
	all.decoded = append(all.decoded, make([]group.Point, len(all.raw))...)
	rest := all.decoded
	_, err := all.g.DecodePoints(rest, all.raw)
	for i, ps := range values {
		if err != nil && len(values) > 1 {
			decodeAll(values[i:i+1], errs[i:])
			continue
		}
		errs[i] = cmp.Or(ps.set(rest[:len(ps.raw)], err), errs[i])
		rest = rest[len(ps.raw):]
	}
}

// set gives the points to the value, after it has decoded them one by one if err says that
// one is wrong. It returns the error of the first wrong one.
func (ps *Points) set(decoded []group.Point, err error) error {
	for i, p := range decoded {
		var wrong error
		switch {
		case err != nil:
			wrong = decodePoint(ps.g, ps.raw[i], &p, ps.proper[i])
		case ps.proper[i] && group.IsIdentity(p):
			wrong = group.ErrIdentity
		}
		if wrong != nil {
			s := ps.spots[i]
			return &DecodeError{What: s.message, Field: join(ps.path[s.from:s.to], s.field), Offset: s.offset,
				Err: wrong}
		}
		*ps.to[i] = p
	}
	return err
}

// Group is the group of the points.
func (ps *Points) Group() group.Group { return ps.g }

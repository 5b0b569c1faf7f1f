package wire

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

// TestPointsAreEmptiedAndKept: Points that were used do not keep the value, and their
// memory is used again.
func TestPointsAreEmptiedAndKept(t *testing.T) {
	g := grouptest.Toy(199)
	ps := &Points{g: g, later: true}
	var to [3]group.Point
	for i := range to {
		raw := g.AppendPoint(ps.room(g.PointLen()), g.Generator())
		require.NoError(t, ps.decode(raw, &to[i], true, spot{message: "value", field: "point"}, []place{{"outer", i}}))
	}
	var errs [1]error
	decodeAll([]*Points{ps}, errs[:])
	require.NoError(t, errs[0])
	require.Equal(t, g.Generator(), to[2])
	used := *ps
	ps.put()
	require.Nil(t, ps.g)
	require.False(t, ps.later)
	for name, lens := range map[string][2]int{
		"raw": {len(ps.raw), cap(ps.raw)}, "to": {len(ps.to), cap(ps.to)}, "decoded": {len(ps.decoded), cap(ps.decoded)},
		"proper": {len(ps.proper), cap(ps.proper)}, "spots": {len(ps.spots), cap(ps.spots)},
		"path": {len(ps.path), cap(ps.path)}, "bytes": {len(ps.bytes), cap(ps.bytes)},
	} {
		require.Zero(t, lens[0], name)
		require.NotZero(t, lens[1], name)
	}
	require.Equal(t, make([][]byte, 3), used.raw)
	require.Equal(t, make([]*group.Point, 3), used.to)
	require.Equal(t, make([]group.Point, 3), used.decoded)
	require.Equal(t, make([]spot, 3), used.spots)
	for range 1000 { // with the race detector, a pool drops some
		if got := pointsPool.Get().(*Points); cap(got.raw) > 0 {
			return
		} else {
			got.raw = make([][]byte, 1)
			got.put()
		}
	}
	require.Fail(t, "no memory is used again")
}

// TestRoomsStay: each room has its bytes while others are taken, in few pieces of memory.
func TestRoomsStay(t *testing.T) {
	ps := &Points{}
	var rooms [][]byte
	var caps []int
	for i := range byte(100) {
		room := ps.room(4)
		require.Empty(t, room)
		require.Equal(t, 4, cap(room))
		rooms = append(rooms, append(room, i, i, i, i))
		if len(caps) == 0 || caps[len(caps)-1] != cap(ps.bytes) {
			caps = append(caps, cap(ps.bytes))
		}
	}
	for i, room := range rooms {
		b := byte(i)
		require.Equal(t, []byte{b, b, b, b}, room)
	}
	require.LessOrEqual(t, len(caps), 7, "each piece is twice as long as the one before")
}

// TestErrorsOfPointsNameTheirPlace: a wrong point decoded later has the place that
// it was read from, also among points with longer paths.
func TestErrorsOfPointsNameTheirPlace(t *testing.T) {
	g := grouptest.Toy(199)
	paths := [][]place{nil, {{"a", -1}}, {{"b", 0}, {"c", 7}}, nil}
	want := []string{"point", "a.point", "b[0].c[7].point", "point"}
	for wrong := range paths {
		var to [4]group.Point
		_, err := Together(g, func(ps *Points) (any, error) {
			for i, path := range paths {
				raw := g.AppendPoint(nil, g.Generator())
				if i == wrong {
					raw = raw[1:]
				}
				if err := ps.decode(raw, &to[i], false, spot{message: "value", field: "point", offset: 10 + i}, path); err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		de := new(DecodeError)
		require.ErrorAs(t, err, &de)
		require.Equal(t, Name("value"), de.What)
		require.Equal(t, want[wrong], de.Field)
		require.Equal(t, 10+wrong, de.Offset)
		for i := range to {
			require.Equal(t, i >= wrong, to[i] == (group.Point{}), "points before the wrong one are stored")
		}
	}
}

// TestMembersOfOneKindAreCounted: a list with a member of another kind gives no count of
// members.
func TestMembersOfOneKindAreCounted(t *testing.T) {
	member := []byte{TagOctetString, 1, 7}
	require.Equal(t, 0, count(nil))
	require.Equal(t, 1, count(member))
	require.Equal(t, 2, count(append(member[:3:3], member...)))
	for _, b := range [][]byte{{TagInteger, 1, 7}, member[:2], append(member[:3:3], TagInteger, 1, 7)} {
		require.Equal(t, -1, count(b))
	}
}

// TestValuesAreDecodedTogether: each value gets its points, or the error of its first wrong
// one, for any others.
func TestValuesAreDecodedTogether(t *testing.T) {
	DecodeAll(nil, nil)
	g := grouptest.Toy(199)
	const values, points = 3, 3
	for wrong := range 1 << (values * points) {
		var lists []*Points
		var got [values][points]group.Point
		for v := range got {
			ps := Later(g)
			for i := range got[v] {
				raw := g.AppendPoint(nil, g.Generator())
				if wrong>>(v*points+i)&1 == 1 {
					raw = raw[1:]
				}
				require.NoError(t, ps.decode(raw, &got[v][i], false, spot{message: "value", field: "point"}, []place{{"outer", i}}))
			}
			lists = append(lists, ps)
		}
		errs := make([]error, len(lists))
		DecodeAll(lists, errs)
		for v, err := range errs {
			own := wrong >> (v * points) & (1<<points - 1)
			if own == 0 {
				require.NoError(t, err)
				require.Equal(t, [points]group.Point{g.Generator(), g.Generator(), g.Generator()}, got[v])
				continue
			}
			require.ErrorIs(t, err, group.ErrLength)
			require.ErrorContains(t, err, fmt.Sprintf("outer[%d].point", bits.TrailingZeros(uint(own))))
		}
	}
}

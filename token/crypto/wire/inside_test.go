package wire // pointsPool is private: memory that is kept does not show in a message

import (
	"reflect"
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
		require.NoError(t,
			ps.decode(raw, &to[i], true, spot{message: "value", field: "point"}, []place{{"outer", i}}))
	}
	var errs [1]error
	decodeAll([]*Points{ps}, errs[:])
	require.NoError(t, errs[0])
	require.Equal(t, g.Generator(), to[2])
	used := *ps
	ps.put()
	require.Nil(t, ps.g)
	require.False(t, ps.later)
	for field, v := range reflect.ValueOf(*ps).Fields() {
		if v.Kind() == reflect.Slice {
			require.Zero(t, v.Len(), field.Name)
			require.NotZero(t, v.Cap(), field.Name)
		}
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

// TestRoomsStay: each room has its bytes while others are taken.
func TestRoomsStay(t *testing.T) {
	ps := &Points{}
	var rooms [][]byte
	for i := range byte(100) {
		room := ps.room(4)
		require.Empty(t, room)
		require.Equal(t, 4, cap(room))
		rooms = append(rooms, append(room, i, i, i, i))
	}
	for i, room := range rooms {
		b := byte(i)
		require.Equal(t, []byte{b, b, b, b}, room)
	}
}

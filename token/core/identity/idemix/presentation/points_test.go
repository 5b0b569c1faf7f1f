package presentation // strict and points are private: the test counts decoded points

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// counted counts the points that are decoded.
type counted struct {
	group.Group
	points *int
}

func (c counted) DecodePoint(b []byte) (group.Point, error) {
	*c.points++
	return c.Group.DecodePoint(b)
}

// TestStrictStopsAtAWrongPoint of a message, and reads the other messages.
func TestStrictStopsAtAWrongPoint(t *testing.T) {
	g, err := curves.ByName("BN254")
	require.NoError(t, err)
	right, identity := g.AppendPoint(nil, g.Generator()), g.AppendPoint(nil, group.Point{})
	for name, c := range map[string]struct {
		raws    [][]byte
		decoded int
		want    error
	}{
		"right":        {[][]byte{right, right, right}, 3, nil},
		"first wrong":  {[][]byte{identity, right, right}, 1, group.ErrIdentity},
		"second wrong": {[][]byte{right, identity, {1}}, 2, group.ErrIdentity},
		"last wrong":   {[][]byte{right, right, identity}, 3, group.ErrIdentity},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			values := make([]group.Point, len(c.raws)+1)
			message, other := &points{messageName: "message"}, &points{messageName: "other"}
			var open []place
			for i, raw := range c.raws {
				open = append(open, place{message, &point{field: "point", raw: raw, to: &values[i]}})
			}
			open = append(open, place{other, &point{field: "point", raw: right, to: &values[len(c.raws)]}})
			strict(counted{g, &n})(open)
			require.ErrorIs(t, message.result, c.want)
			require.NoError(t, other.result)
			require.Equal(t, c.decoded+1, n)
			require.True(t, g.Equal(g.Generator(), values[len(c.raws)]))
		})
	}
}

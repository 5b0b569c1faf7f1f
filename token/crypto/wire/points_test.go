package wire_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// listed is read by readListed.
type listed struct {
	first, second group.Point
	s             group.Scalar
	list          []group.Point
}

func (v *listed) read(ps *wire.Points, b []byte) error {
	*v = listed{}
	r := wire.NewReader("test", ps, b)
	r.Point("first", &v.first)
	r.NonIdentity("second", &v.second)
	v.s = r.Scalar("s")
	v.list = r.NonIdentities("list", nil, 9)
	return r.Done()
}

// outside returns the encoding of a point of the curve in another subgroup, or
// bytes of no point where other subgroups do not exist.
func outside(t *testing.T, g group.Group) []byte {
	for x := range byte(100) {
		for y := range byte(100) {
			b := make([]byte, g.PointLen())
			b[len(b)/2-1], b[len(b)-1] = x, y
			_, onCurve := g.DecodeCurvePoint(b)
			if _, inGroup := g.DecodePoint(b); onCurve == nil && inGroup != nil {
				return b
			}
		}
	}
	b := make([]byte, g.PointLen())
	b[len(b)-1] = 1
	return b
}

// TestTogetherIsOneByOne compares verdict, error and value of reading together
// with the errors of reading one by one, with several faults in one message.
func TestTogetherIsOneByOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"BN254", "BLS12_381_BBS_GURVY", "FP256BN_AMCL"} {
		g := vectors.Curve(t, name)
		gen, stranger := g.AppendPoint(nil, g.Generator()), outside(t, g)
		scalar := g.AppendScalar(nil, g.Uint64(5))
		off := bytes.Clone(gen)
		off[len(off)-1] ^= 1
		refused := 0
		for trial := range 300 {
			w := wire.NewWriter(g, nil)
			w.Point(g.Generator())
			w.Point(g.Generator())
			w.Scalar(g.Uint64(5))
			list := make([]group.Point, 9)
			for i := range list {
				list[i] = g.Generator()
				if random.IntN(30) == 0 {
					list[i] = group.Point{}
				}
			}
			w.Points(list)
			b := w.Done()
			for at := bytes.Index(b, gen); at >= 0; {
				switch random.IntN(20) {
				case 0:
					copy(b[at:], stranger)
				case 1:
					copy(b[at:], off)
				case 2:
					copy(b[at:], g.AppendPoint(nil, group.Point{}))
				}
				next := bytes.Index(b[at+1:], gen)
				if next < 0 {
					break
				}
				at += 1 + next
			}
			switch random.IntN(12) {
			case 0:
				b = b[:random.IntN(len(b))]
			case 1:
				b = bytes.Replace(b, scalar, bytes.Repeat([]byte{0xff}, len(scalar)), 1)
			case 2:
				b[random.IntN(len(b))] ^= 1 << random.IntN(8)
			}
			want := new(listed)
			wantErr := want.read(wire.OneByOne(g), b)
			got, err := wire.Together(g, func(ps *wire.Points) (*listed, error) {
				l := new(listed)
				return l, l.read(ps, b)
			})
			require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err), "%s, trial %d", name, trial)
			if err == nil {
				require.Equal(t, want, got)
			} else {
				require.Nil(t, got)
				refused++
			}
		}
		require.NotZero(t, refused)
		require.Less(t, refused, 300)
	}
}

// TestWrongPointsOfManyValues: of three values that are decoded together, each gets the error of its
// own point, with its field. The others get their points.
func TestWrongPointsOfManyValues(t *testing.T) {
	g := bn254(t)
	right := wire.AppendJSONPointField(nil, 7, g, g.Generator())
	off := g.AppendPoint(nil, g.Generator())
	encoded := base64.StdEncoding.EncodeToString(off)
	off[len(off)-1] ^= 1
	wrong := bytes.Replace(right, []byte(encoded), []byte(base64.StdEncoding.EncodeToString(off)), 1)
	const n = 3
	for pattern := range 1 << n {
		var values []*wire.Points
		var points [n]group.Point
		for i := range points {
			b := right
			if pattern>>i&1 == 1 {
				b = wrong
			}
			ps := wire.Later(g)
			m := wire.NewMessage("message", b)
			m.JSONPoint(7, fmt.Sprint("point ", i), ps, &points[i])
			require.NoError(t, m.Done())
			values = append(values, ps)
		}
		errs := make([]error, n)
		wire.DecodeAll(values, errs)
		for i, err := range errs {
			if pattern>>i&1 == 1 {
				require.ErrorIs(t, err, group.ErrNotOnCurve)
				require.ErrorContains(t, err, fmt.Sprintf("message: point %d at byte ", i))
				continue
			}
			require.NoError(t, err, "%d of %b", i, pattern)
			require.True(t, g.Equal(g.Generator(), points[i]))
		}
	}
}

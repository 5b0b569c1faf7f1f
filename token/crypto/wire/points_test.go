package wire_test

import (
	"bytes"
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

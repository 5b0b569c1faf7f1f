package v2 // layoutOf is private: points of a proof are exchanged by their names

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// refuses requires that both verifiers refuse the proof for one reason.
func (in instance) refuses(t *testing.T, proof []byte, reason string, what string, args ...any) {
	t.Helper()
	what = fmt.Sprintf(what, args...)
	require.Equal(t, reason, verdict(in.p.Verify(in.st, proof)), what)
	require.Equal(t, reason, in.slowVerdict(t, proof, reason), "%s, slowly", what)
}

// place is where an item of a proof is.
type place struct {
	name     string
	at, size int
}

// in returns the item of a proof.
func (pl place) in(proof []byte) []byte { return proof[pl.at:][:pl.size] }

// with returns the proof with another item.
func (pl place) with(proof, item []byte) []byte {
	return slices.Concat(proof[:pl.at], item, proof[pl.at+pl.size:])
}

// places lists the points and the responses of a proof as section 9 does.
func (in instance) places() (points, responses []place) {
	k, at := (len(in.st.Outputs)*in.p.bits+63)/64, 1
	names := []string{"M"}
	for _, name := range []string{"D", "R"} {
		for j := range k {
			names = append(names, fmt.Sprint(name, j+1))
		}
	}
	for _, name := range append(names, "S", "Q") {
		points = append(points, place{name, at, in.p.group.PointLen()})
		at += in.p.group.PointLen()
	}
	count := 4*k + 22
	if in.st.PublicType {
		count--
	}
	for i := range count {
		responses = append(responses, place{fmt.Sprint("response ", i), at, group.ScalarLen})
		at += group.ScalarLen
	}
	return points, responses
}

// TestEveryItemIsBound changes each point and each scalar of a proof to another, and each
// scalar to the same one with q added.
func TestEveryItemIsBound(t *testing.T) {
	shapes := []shape{{bits: 64, inputs: 2, outputs: 2}, {bits: 32, outputs: 1, publicType: true},
		{bits: 64, inputs: 1, outputs: 16}, {bits: 16, inputs: 9, outputs: 64}}
	for i, s := range shapes[:nightly.Pick(2, 3, 4)] {
		g := vectors.Curve(t, vectorCurves[i%2])
		in := newInstance(t, g, s, 21)
		proof := in.prove(t)
		points, responses := in.places()
		for i := 0; i < len(points); i += nightly.Pick(5, 2, 1) {
			point, err := g.DecodePoint(points[i].in(proof))
			require.NoError(t, err)
			for _, other := range []group.Point{g.SubPoints(group.Point{}, point),
				g.AddPoints(point, in.p.generators.Point(atG1))} {
				in.refuses(t, points[i].with(proof, g.AppendPoint(nil, other)), "equation", points[i].name)
			}
		}
		for i := 0; i < len(responses); i += nightly.Pick(9, 3, 1) {
			old, err := g.DecodeScalar(responses[i].in(proof))
			require.NoError(t, err)
			for _, other := range []group.Scalar{g.Neg(old), g.Add(old, g.Uint64(1))} {
				in.refuses(t, responses[i].with(proof, g.AppendScalar(nil, other)), "equation",
					responses[i].name)
			}
			wide := new(big.Int).SetBytes(responses[i].in(proof))
			if wide.Add(wide, g.Order()).BitLen() <= 256 {
				in.refuses(t, responses[i].with(proof, wide.FillBytes(make([]byte, 32))), "encoding",
					"%s plus q", responses[i].name)
			}
		}
	}
}

// TestEveryByteIsBound flips a bit of each byte.
func TestEveryByteIsBound(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 32, inputs: 1, outputs: 2}, 23)
	proof := in.prove(t)
	for i := range proof {
		changed := clone(proof)
		changed[i] ^= 1 << (i % 8)
		require.Error(t, in.p.Verify(in.st, changed), "byte %d", i)
	}
	for _, changed := range [][]byte{nil, proof[:0], proof[:1], proof[:len(proof)-1],
		append(clone(proof), 0), append([]byte{version - 1}, proof[1:]...)} {
		in.refuses(t, changed, "encoding", "%d bytes", len(changed))
	}
}

// TestDecodeErrorsNameFieldAndOffset puts an invalid value at each place, and the
// identity at each point.
func TestDecodeErrorsNameFieldAndOffset(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, s := range []shape{{bits: 64, inputs: 1, outputs: 2}, {bits: 64, outputs: 16, publicType: true}} {
		in := newInstance(t, g, s, 25)
		proof := in.prove(t)
		points, responses := in.places()
		_, err := in.p.Decode(in.st, proof[1:])
		require.Equal(t, &wire.DecodeError{What: "v2 proof", Offset: -1, Err: wire.ErrLength}, err)
		for _, pl := range append(points, responses...) {
			for _, fill := range []byte{0xff, 0} {
				if fill == 0 && pl.size == group.ScalarLen {
					continue
				}
				_, err := in.p.Decode(in.st, pl.with(proof, bytes.Repeat([]byte{fill}, pl.size)))
				wrong := new(wire.DecodeError)
				require.ErrorAs(t, err, &wrong)
				require.Equal(t, pl.name, wrong.Field)
				require.Equal(t, pl.at, wrong.Offset, pl.name)
			}
		}
	}
}

package v2

import (
	"fmt"
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
	if reason == "equation" {
		in.sameScalars(t, proof)
	}
	if reason != "equation" || len(in.st.Inputs)+len(in.st.Outputs) < nightly.Pick(4, 6, 129) {
		require.Equal(t, reason, verdict(in.p.verifySlowly(in.st, proof)), "%s, slowly", what)
	}
}

// TestEveryPointIsBound replaces each point of a proof.
func TestEveryPointIsBound(t *testing.T) {
	for i, s := range []shape{{bits: 64, inputs: 2, outputs: 2}, {bits: 64, inputs: 2, outputs: 2},
		{bits: 64, inputs: 1, outputs: 16}} {
		g := vectors.Curve(t, vectorCurves[i%2])
		in := newInstance(t, g, s, 21)
		proof := in.prove(t)
		n := g.PointLen()
		l := in.p.layoutOf(in.st)
		for i := range l.points() {
			if i%nightly.Pick(5, 2, 1) != 0 {
				continue
			}
			at := 1 + i*n
			point, err := g.DecodePoint(proof[at : at+n])
			require.NoError(t, err)
			others := []group.Point{
				g.HashToPoint([]byte("another")), g.SubPoints(group.Point{}, point),
				g.AddPoints(point, in.p.generators.Point(atG1)),
			}
			for k, other := range others {
				changed := append(g.AppendPoint(clone(proof[:at]), other), proof[at+n:]...)
				in.refuses(t, changed, "equation", "%s replaced, %d", l.pointName(i), k)
			}
			in.refuses(t, append(g.AppendPoint(clone(proof[:at]), group.Point{}), proof[at+n:]...),
				"encoding", "identity")
		}
		for _, pair := range [][2]int{{l.at("D", 0), l.at("D", 1)}, {l.at("D", 0), l.at("D", l.blocks-1)},
			{l.at("R", 0), l.at("R", 1)}, {l.at("R", l.blocks-2), l.at("R", l.blocks-1)},
			{l.at("M", 0), l.at("S", 0)}, {l.at("S", 0), l.at("Q", 0)}} {
			changed := clone(proof)
			copy(changed[1+pair[0]*n:][:n], proof[1+pair[1]*n:][:n])
			copy(changed[1+pair[1]*n:][:n], proof[1+pair[0]*n:][:n])
			in.refuses(t, changed, "equation", "points %v exchanged", pair)
		}
	}
}

// TestEveryScalarIsBound changes each scalar of a proof.
func TestEveryScalarIsBound(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, s := range []shape{{bits: 64, inputs: 2, outputs: 2}, {bits: 32, outputs: 1, publicType: true},
		{bits: 16, inputs: 9, outputs: 64}} {
		in := newInstance(t, g, s, 22)
		proof := in.prove(t)
		l := in.p.layoutOf(in.st)
		first := 1 + l.points()*g.PointLen()
		for i := range l.scalars(responseParts) {
			if i%nightly.Pick(9, 2, 1) != 0 {
				continue
			}
			at := first + 32*i
			old, err := g.DecodeScalar(proof[at : at+32])
			require.NoError(t, err)
			others := []group.Scalar{g.Add(old, g.Uint64(1)), g.Neg(old), {}}
			if s.outputs > 2 {
				others = others[:nightly.Pick(1, 3, 3)]
			}
			for k, other := range others {
				changed := append(g.AppendScalar(clone(proof[:at]), other), proof[at+32:]...)
				in.refuses(t, changed, "equation", "response %d replaced, %d", i, k)
			}
			wide := g.Order()
			wide.Add(wide, bigOfBytes(proof[at:at+32]))
			if wide.BitLen() <= 256 {
				changed := append(clone(proof[:at]),
					append(wide.FillBytes(make([]byte, 32)), proof[at+32:]...)...)
				in.refuses(t, changed, "encoding", "response %d plus q", i)
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

// TestDecodeErrorsNameFieldAndOffset puts an invalid value at each field, and the
// identity at each point.
func TestDecodeErrorsNameFieldAndOffset(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, s := range []shape{{bits: 64, inputs: 1, outputs: 2}, {bits: 64, outputs: 16, publicType: true}} {
		in := newInstance(t, g, s, 25)
		proof := in.prove(t)
		names := []string{"M"}
		for _, name := range []string{"D", "R"} {
			for j := range s.outputs {
				names = append(names, fmt.Sprint(name, j+1))
			}
		}
		names = append(names, "S", "Q")
		points := len(names)
		for i := range (len(proof) - 1 - points*g.PointLen()) / group.ScalarLen {
			names = append(names, fmt.Sprintf("response %d", i))
		}
		at := 1
		for i, name := range names {
			n := g.PointLen()
			if i >= points {
				n = group.ScalarLen
			}
			for _, fill := range []byte{0xff, 0} {
				if fill == 0 && i >= points {
					continue
				}
				changed := clone(proof)
				for k := range n {
					changed[at+k] = fill
				}
				_, err := in.p.Decode(in.st, changed)
				wrong := new(wire.DecodeError)
				require.ErrorAs(t, err, &wrong)
				require.Equal(t, name, wrong.Field)
				require.Equal(t, at, wrong.Offset, name)
			}
			at += n
		}
		require.Len(t, proof, at)
	}
}

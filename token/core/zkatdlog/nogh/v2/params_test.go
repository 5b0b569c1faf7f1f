package v2 // tables and digest are private: New has no other result for them

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// hashing is a group with another result for one string.
type hashing struct {
	group.Group
	name  string
	point group.Point
}

func (h hashing) HashToPoint(b []byte) group.Point {
	if string(b) == h.name {
		return h.point
	}
	return h.Group.HashToPoint(b)
}

// TestParametersAreChecked: bit lengths, and generators that are the identity,
// equal or opposite.
func TestParametersAreChecked(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, bits := range []int{-16, 0, 1, 8, 15, 17, 24, 48, 63, 65, 128} {
		_, err := New(g, bits, 1)
		require.ErrorIs(t, err, ErrParams, bits)
		vectors.Formatted(t, err)
	}
	first := g.HashToPoint([]byte("zkatdlog-nogh-v2.G.0"))
	for name, c := range map[string]struct {
		point group.Point
		names string // in the error
	}{
		"identity": {group.Point{}, "generator %d is"},
		"equal":    {first, "generators 3 and %d are"},
		"opposite": {g.SubPoints(group.Point{}, first), "generators 3 and %d are"},
		"a token generator": {g.HashToPoint([]byte("lfdt-panurus.zkatdlognogh.1.PedersenGenerators.2")),
			"generators 2 and %d are"},
	} {
		t.Run(name, func(t *testing.T) {
			for of, at := range map[string]int{"zkatdlog-nogh-v2.G.15": atSlots + 15,
				"zkatdlog-nogh-v2.H.65": atErrors + 65} {
				t.Run(of, func(t *testing.T) {
					_, err := New(hashing{g, of, c.point}, 16, 1)
					require.ErrorIs(t, err, ErrParams, "%s: %s", of, name)
					require.ErrorContains(t, err, fmt.Sprintf(c.names, at), "%s: %s", of, name)
					vectors.Formatted(t, err)
					require.Equal(t, name == "identity", errors.Is(err, group.ErrIdentity),
						"%s: %s", of, name)
				})
			}
		})
	}
	_, err := New(hashing{g, "zkatdlog-nogh-v2.G.16", group.Point{}}, 16, 1)
	require.NoError(t, err, "a string without generator")
}

// TestZeroParameters: parameters that New did not make give an error for each claim.
func TestZeroParameters(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 16, inputs: 1, outputs: 1}, 9)
	proof, zero := in.prove(t), new(Params)
	_, decode := zero.Decode(in.st, proof)
	_, prove := zero.Prove(in.st, in.w, nil)
	errs := append(each(t, zero, make([]Claim, 3)), decode, prove, zero.Verify(in.st, proof),
		zero.VerifyBatch([]Claim{{in.st, proof}}))
	require.Len(t, errs, 3+4)
	for i, err := range errs {
		require.ErrorIs(t, err, ErrParams, "%d", i)
	}
}

// TestParametersSayWhatTheyAre: curve, bits, digest, generators and memory. By default all tables
// together take at most 15 MB, and the table of small proofs has wider windows.
func TestParametersSayWhatTheyAre(t *testing.T) {
	for _, curve := range vectorCurves {
		t.Run(curve, func(t *testing.T) {
			g := vectors.Curve(t, curve)
			p, err := New(g, 64, 0)
			require.NoError(t, err)
			require.LessOrEqual(t, p.TableBytes(), 15_000_000)
			require.Greater(t, p.common.Bytes()/p.common.Len(), 2*p.generators.Bytes()/p.generators.Len())
			require.Equal(t, p.common, p.table(atErrors+p.layout(1, commonBlocks).errors()))
			require.Equal(t, p.generators, p.table(atErrors+p.layout(1, commonBlocks+1).errors()))
			for i := range p.common.Len() {
				require.Equal(t, p.generators.Point(i), p.common.Point(i), "generator %d", i)
			}
			small, err := New(g, 16, 1)
			require.NoError(t, err)
			require.Equal(t, g, small.Group())
			require.Equal(t, 16, small.Bits())
			require.Equal(t, uint64(1<<16-1), small.maxValue())
			require.Equal(t, digest(g, 16, derive(g)), small.Digest())
			require.Equal(t, small.common.Bytes()+small.generators.Bytes()+small.digits.Bytes(),
				small.TableBytes())
			large, err := New(g, 16, 4<<20)
			require.NoError(t, err)
			require.Less(t, small.TableBytes(), large.TableBytes())
			require.Less(t, large.TableBytes(), 5<<20)
			for i, want := range derive(g)[:3] {
				require.True(t, g.Equal(want, small.TokenGenerators()[i]), "generator %d", i)
			}
		})
	}
}

package v2 // sameScalars of slow_test.go, which compares private scalars, is here

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// shape is the shape of a statement.
type shape struct {
	bits            int
	inputs, outputs int // without inputs it is an issue
	publicType      bool
	publicValue     uint64
}

var shapeSeed = flag.Uint64("shape-seed", 0, "seed of random shapes; 0 takes the time")

// fewShapes have a border each: of blocks, of the table of common proofs, of
// the numbers of tokens, and the largest of each bit length.
var fewShapes = []shape{
	{bits: 16, inputs: 1, outputs: 1}, {bits: 16, outputs: 25},
	{bits: 16, inputs: 10, outputs: 3, publicType: true},
	{bits: 16, inputs: 9, outputs: 29, publicValue: 1}, {bits: 16, outputs: 64, publicType: true},
	{bits: 16, inputs: 64, outputs: 64},
	{bits: 32, inputs: 2, outputs: 2, publicValue: ^uint64(0)}, {bits: 32, inputs: 17, outputs: 9},
	{bits: 32, inputs: 3, outputs: 32},
	{bits: 64, outputs: 1}, {bits: 64, inputs: 8, outputs: 3, publicType: true, publicValue: 7},
	{bits: 64, inputs: 63, outputs: 5}, {bits: 64, inputs: 16, outputs: 16},
}

// someShapes returns shapes for a property that holds for every shape: by day
// fewShapes and some random ones, at night every pair of edges.
func someShapes(t testing.TB) (all []shape) {
	all = append(all, fewShapes...)
	for _, bits := range []int{16, 32, 64} {
		for i, m := range outputEdges(bits) {
			for k, n := range []int{0, 1, 2, 3, 8, 9, 15, 16, 17, 24, 25, 63, maxInputs} {
				s := shape{bits: bits, inputs: n, outputs: m, publicType: (i+k)%2 == 0}
				if n > 1 {
					s.publicValue = []uint64{0, 1, ^uint64(0)}[i%3]
				}
				if nightly.On() || !testing.Short() && (i+k)%13 == 0 {
					all = append(all, s)
				}
			}
		}
	}
	return append(all, randomShapes(t, nightly.Pick(3, 6, 100))...)
}

// outputEdges are the numbers of outputs around each border of blocks, and
// the ends of counters of 3, 4 or 5 bits.
func outputEdges(bits int) (edges []int) {
	perBlock, most := 64/bits, min(maxOutputs, maxBlocks*64/bits)
	for m := 1; m <= most; m++ {
		first, last := m%perBlock == 1%perBlock, m%perBlock == 0
		if first || last || m < 4 || (m+1)%8 < 3 || m == most {
			edges = append(edges, m)
		}
	}
	return edges
}

// randomShapes returns n shapes from a seed that it logs.
func randomShapes(t testing.TB, n int) (all []shape) {
	t.Helper()
	seed := *shapeSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("random shapes: -shape-seed=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range n {
		s := shape{bits: 16 << random.IntN(3), inputs: random.IntN(maxInputs + 1),
			publicType: random.IntN(2) == 0}
		s.outputs = 1 + random.IntN(min(maxOutputs, maxBlocks*64/s.bits))
		if s.inputs > 1 {
			s.publicValue = random.Uint64() >> random.IntN(64)
		}
		all = append(all, s)
	}
	return all
}

func (s shape) String() string {
	return fmt.Sprintf("bits=%d/%dx%d/public=%t,%d", s.bits, s.inputs, s.outputs, s.publicType, s.publicValue)
}

// TestHonestProofsAreAccepted checks completeness, including encoding and
// decoding, and compares every scalar of both equations with the slow verifier,
// which also computes the sums of some.
func TestHonestProofsAreAccepted(t *testing.T) {
	for i, s := range someShapes(t) {
		for c, curve := range vectorCurves {
			if !nightly.On() && i%nightly.Pick(3, 2, 2) != c {
				continue
			}
			t.Run(curve+"/"+s.String(), func(t *testing.T) {
				g := vectors.Curve(t, curve)
				in := newInstance(t, g, s, byte(i))
				proof := in.prove(t)
				_, responses := in.places()
				require.Len(t, proof, responses[len(responses)-1].at+group.ScalarLen)
				decoded, err := in.p.Decode(in.st, proof)
				require.NoError(t, err)
				require.Equal(t, proof, decoded.Encode(g))
				require.NoError(t, in.p.Verify(in.st, proof))
				require.Empty(t, in.slowVerdict(t, proof, ""))
			})
		}
	}
}

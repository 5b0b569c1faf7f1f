package csp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func maker(t testing.TB, g group.Group, bits int) rangeproof.System { return system(t, g, bits) }

// TestEveryBitLengthWorks proves once for each n.
func TestEveryBitLengthWorks(t *testing.T) {
	for n := 1; n <= maxBits; n++ {
		p := rangetest.NewProver(t, maker, "BN254", n)
		it := p.Prove(t, ^uint64(0)>>(64-n))
		require.NoError(t, p.Verify([]rangeproof.Item{it}), "%d bits", n)
	}
}

func TestParametersThatDescribeNoProofAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, bits := range []int{-1, 0, 65, 128} {
		generators := make([]group.Point, bits+1)
		_, err := New(Config{Group: g, Bits: bits, Left: generators, Right: generators})
		require.ErrorIs(t, err, ErrConfig, fmt.Sprint(bits))
		vectors.Formatted(t, err)
	}
	for _, lengths := range [][2]int{{5, 4}, {4, 5}, {6, 5}, {5, 6}} {
		_, err := New(Config{Group: g, Bits: 4, Left: make([]group.Point, lengths[0]),
			Right: make([]group.Point, lengths[1])})
		require.ErrorIs(t, err, ErrConfig, fmt.Sprint(lengths))
		require.ErrorContains(t, err,
			fmt.Sprintf(": %d left and %d right generators for ", lengths[0], lengths[1]))
	}
	for order, want := range map[uint64]string{
		127: "CSP parameters: a group of order 127 is too small for 64 bits", 131: "",
	} {
		_, err := New(Config{Group: grouptest.Toy(order), Bits: 64, Left: make([]group.Point, 65),
			Right: make([]group.Point, 65)})
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
}

// TestCost checks the table "Cost" of docs/protocol-v1-csp.md.
// Explain a change here in the commit.
func TestCost(t *testing.T) {
	for _, n := range []int{16, 32, 64} {
		p := rangetest.NewProver(t, maker, "BN254", n)
		p.System.Precompute()
		recorder := &count.Recorder{}
		g, err := opcount.Wrap(p.Group, recorder.Bucket(""), nil)
		require.NoError(t, err)
		counts := func() count.Counts {
			defer recorder.Reset()
			return recorder.Snapshot().Total()
		}
		p = p.On(g)
		s := p.System.(*scheme)
		m := s.width

		items := []rangeproof.Item{p.Prove(t, 3)}
		c := counts()
		// V and A; Pc without its bits; Sc; W; round 0; the later rounds.
		want := 4 + (n + 3) + m + 2 + (2*m - s.padded + 1) + (s.rounds-1)*(m+2)
		require.EqualValues(t, want, c.Terms(count.FixedMSM), "prover, n = %d", n)
		require.EqualValues(t, 1, c.Terms(count.MSM)) // ρ·Sc

		for _, k := range []int{1, 2, 5} {
			for len(items) < k {
				items = append(items, items[0])
			}
			require.NoError(t, p.Verify(items))
			c := counts()
			require.EqualValues(t, m+1, c.Terms(count.FixedMSM), "verifier, n = %d, %d proofs", n, k)
			require.EqualValues(t, 2*k+k*(3+2*s.rounds), c.Terms(count.MSM))
		}
	}
}

package v1_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// block is requests of one transfer each, right and with a wrong proof.
type block struct {
	network      *fixture.Network
	right, wrong []validator.Submission
}

func newBlock(t *testing.T, protocols params.Protocols, size int) (b block) {
	t.Helper()
	b.network = network(t, protocols)
	for i := range size {
		parts := networktest.Parts(t, b.network, "transfers", 1, 2, uint64(i))
		anchor := fmt.Sprintf("tx%d", i)
		a, err := b.network.Signed(anchor, parts...)
		require.NoError(t, err)
		b.right = append(b.right, validator.Submission{Anchor: anchor, Raw: a.Request.Encode()})
		actions := []request.Action{otherProof(t, b.network, a.Request.Actions[0])}
		b.wrong = append(b.wrong,
			validator.Submission{Anchor: anchor, Raw: signedAgain(t, b.network, anchor, parts, actions)})
	}
	return b
}

// terms validates submissions and returns the verdicts, and the number of terms of all
// sums over points of the submissions.
func (b block) terms(t *testing.T, submissions []validator.Submission) ([]validator.Verdict, uint64) {
	t.Helper()
	var recorder count.Recorder
	n := b.network.On(func(g group.Group) group.Group {
		counting, err := opcount.Wrap(g, recorder.Bucket("batch"), nil)
		require.NoError(t, err)
		return counting
	})
	verdicts := n.Validator(validator.Options{}).ValidateBatch(submissions)
	all := count.Counts{}
	for _, phase := range recorder.Snapshot() {
		all.Merge(phase)
	}
	return verdicts, all.Terms(count.MSM)
}

// TestWrongProofsOfABlock: each submission gets its verdict, whichever proofs are
// wrong. k wrong ones of n take at most 3 + log₂ k times the work of n right ones, and
// equal ones are checked once.
func TestWrongProofsOfABlock(t *testing.T) {
	const size = 8
	for name, protocols := range map[string]params.Protocols{"v1": {V1: true}, "v2": {V2: true}} {
		t.Run(name, func(t *testing.T) {
			b := newBlock(t, protocols, size)
			alone := b.network.Validator(validator.Options{})
			verdicts, most := b.terms(t, b.right)
			require.Positive(t, most)
			for _, v := range verdicts {
				require.NoError(t, v.Err)
			}
			for _, set := range []uint{1, 1 << (size - 1), 0b10010, 0b1110101, 1<<size - 1} {
				submissions, k := slices.Clone(b.right), bits.OnesCount(set)
				for i := range submissions {
					if set>>i&1 == 1 {
						submissions[i] = b.wrong[i]
					}
				}
				verdicts, terms := b.terms(t, submissions)
				for i, v := range verdicts {
					want, err := alone.Validate(submissions[i].Anchor, submissions[i].Raw)
					require.Equal(t, set>>i&1 == 1, err != nil)
					require.Equal(t, err, v.Err)
					require.Equal(t, want, v.Accepted)
				}
				require.LessOrEqual(t, terms, most*uint64(3+bits.Len(uint(k-1))), "%b", set)
			}
			_, one := b.terms(t, b.wrong[:1])
			verdicts, equal := b.terms(t, slices.Repeat(b.wrong[:1], 2*size))
			require.LessOrEqual(t, equal, one)
			for _, v := range verdicts {
				require.Error(t, v.Err)
			}
		})
	}
}

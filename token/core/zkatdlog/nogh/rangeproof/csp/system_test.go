package csp // scheme is private: the other tests get it from here

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

var maker = rangetest.Made(Family, 1)

// system makes the parameters of the documented generator strings.
func system(t testing.TB, g group.Group, bits int) *scheme {
	t.Helper()
	return maker(t, g, bits).(*scheme)
}

// TestEveryBitLengthWorks proves once for each n.
func TestEveryBitLengthWorks(t *testing.T) {
	for n := 1; n <= maxBits; n += nightly.Pick(21, 3, 1) {
		p := rangetest.NewProver(t, maker, "BN254", n)
		it := p.Prove(t, ^uint64(0)>>(64-n))
		require.NoError(t, p.Verify([]rangeproof.Item{it}), "%d bits", n)
	}
}

// TestSmallGroupsAreRefused: the condition 2n < q for interpolation.
func TestSmallGroupsAreRefused(t *testing.T) {
	for _, c := range []struct {
		order uint64
		bits  int
		want  string
	}{
		{13, 6, ""}, {13, 7, "CSP parameters: a group of order 13 is too small for 7 bits"},
		{127, 64, "CSP parameters: a group of order 127 is too small for 64 bits"}, {131, 64, ""},
	} {
		t.Run(fmt.Sprint(c.order, " ", c.bits), func(t *testing.T) {
			_, err := Family.New(rangetest.Generators(Family, grouptest.Toy(c.order), c.bits))
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.want)
			}
		})
	}
}

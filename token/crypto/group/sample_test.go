package group_test

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

// TestSamplesOfABrokenSource: the error of the source is kept, and no scalar.
func TestSamplesOfABrokenSource(t *testing.T) {
	g := grouptest.Toy(199)
	for read, want := range map[int]error{0: io.ErrClosedPipe, 1: io.ErrClosedPipe,
		2*group.SampleLen - 1: io.ErrClosedPipe, 2 * group.SampleLen: nil} {
		dst := []group.Scalar{g.Uint64(1), g.Uint64(2)}
		source := io.MultiReader(bytes.NewReader(bytes.Repeat([]byte{7}, read)),
			iotest.ErrReader(io.ErrClosedPipe))
		err := group.Sample(g, source, dst)
		if want == nil {
			require.NoError(t, err)
			require.Equal(t, dst[0], dst[1])
			require.NotZero(t, dst[0])
			continue
		}
		require.ErrorIs(t, err, group.ErrRandom, "%d bytes", read)
		require.ErrorIs(t, err, want, "%d bytes", read)
		require.EqualError(t, err, group.ErrRandom.Error()+": "+want.Error())
		require.Equal(t, make([]group.Scalar, 2), dst, "%d bytes", read)
	}
}

package curve

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// refusing is a field whose FromBytes fails at one call.
type refusing struct{}

var (
	errRefused       = errors.New("refused")
	calls, refusedAt int
)

func (*refusing) FromBytes([]byte) error {
	if calls++; calls == refusedAt {
		return errRefused
	}
	return nil
}

func (*refusing) Mul(_, _ *refusing)           {}
func (*refusing) Square(*refusing)             {}
func (*refusing) Add(_, _ *refusing)           {}
func (*refusing) Sub(_, _ *refusing)           {}
func (*refusing) Reduce()                      {}
func (*refusing) Select(_, _ *refusing, _ int) {}
func (*refusing) Bytes() (b [32]byte)          { return b }

// TestConstantsAreElements: a curve over a field that refuses b, a coordinate of the
// generator or 1 panics, and so does a text that is no number.
func TestConstantsAreElements(t *testing.T) {
	defer func() { refusedAt = 0 }()
	for refusedAt = range 6 {
		calls = 0
		if refusedAt == 0 || refusedAt > 4 {
			New[refusing](Limits{})
			require.Equal(t, 4, calls)
			continue
		}
		require.PanicsWithError(t, errRefused.Error(), func() { New[refusing](Limits{}) }, refusedAt)
	}
	require.PanicsWithValue(t, "curve: constant xyz", func() { fromHex("xyz") })
}

package validator // check is private: no request has each set of differences

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

// TestEveryDifferenceIsListed: the differences that occur in a request are listed in the
// order of the constants, whichever and however many they are.
func TestEveryDifferenceIsListed(t *testing.T) {
	taken := Differences(request.V0_14)
	require.Greater(t, len(taken), 9)
	for missing := range len(taken) + 1 {
		c := &check{Validator: &Validator{taken: taken}}
		want := slices.Clone(taken)
		if missing < len(taken) {
			want = slices.Delete(want, missing, missing+1)
		}
		for _, d := range want {
			require.True(t, c.tolerates(d))
		}
		require.Equal(t, want, c.listDifferences())
		require.False(t, c.tolerates("another"))
	}
}

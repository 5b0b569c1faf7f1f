package vectors

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Formatted requires an error without a verb that has a wrong argument, such as
// "%!d(string=x)".
func Formatted(t testing.TB, err error) {
	t.Helper()
	require.Error(t, err)
	require.NotContains(t, err.Error(), "%!")
}

package hugepages

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestOnePage: memory of exactly one page is one, also behind a part of another.
func TestOnePage(t *testing.T) {
	s := make([]byte, 3*Size)
	first := int(-uintptr(unsafe.Pointer(&s[0])) % Size)
	require.Len(t, within(s[first:first+Size]), Size)
	require.Empty(t, within(s[first:first+Size-1]))
	require.Len(t, within(s[first:first+2*Size]), 2*Size)
	require.Empty(t, within(s[first+1:first+2*Size-1]))
}

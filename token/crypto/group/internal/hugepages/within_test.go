package hugepages

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestOnePage: memory of exactly one page is one, also behind a part of another.
func TestOnePage(t *testing.T) {
	s := make([]byte, 3*size)
	first := int(-uintptr(unsafe.Pointer(&s[0])) % size)
	require.Len(t, within(s[first:first+size]), size)
	require.Empty(t, within(s[first:first+size-1]))
	require.Len(t, within(s[first:first+2*size]), 2*size)
	require.Empty(t, within(s[first+1:first+2*size-1]))
}

package hugepages // within is private: the system does not show what part of memory it was told of

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestPagesAreWholeAndInside cuts slices of all interesting lengths and positions
// out of one.
func TestPagesAreWholeAndInside(t *testing.T) {
	type entry [96]byte
	const perPage = size / len(entry{})
	all := make([]entry, 4*perPage)
	for first := 0; first < 2*perPage; first += 1009 {
		for _, n := range []int{0, 1, perPage, perPage + 1, 2*perPage - 1, 2 * perPage} {
			s := all[first : first+n]
			pages := within(s)
			bytes := n * len(entry{})
			require.Zero(t, len(pages)%size)
			require.Less(t, bytes-len(pages), 2*size, "a whole page is missing")
			if len(pages) == 0 {
				continue
			}
			from, begin := uintptr(unsafe.Pointer(&pages[0])), uintptr(unsafe.Pointer(&s[0]))
			require.Zero(t, from%size)
			require.GreaterOrEqual(t, from, begin)
			require.LessOrEqual(t, from+uintptr(len(pages)), begin+uintptr(bytes))
		}
	}
	require.Empty(t, within[entry](nil))
}

func TestAdviceKeepsContents(t *testing.T) {
	s := make([]uint32, 3*size/4)
	for i := range s {
		s[i] = uint32(i)
	}
	Advise(s)
	for i := range s {
		if s[i] != uint32(i) {
			t.Fatalf("element %d is %d", i, s[i])
		}
	}
}

// TestOnePage: memory of exactly one page is one, also behind a part of another.
func TestOnePage(t *testing.T) {
	s := make([]byte, 3*size)
	first := int(-uintptr(unsafe.Pointer(&s[0])) % size)
	require.Len(t, within(s[first:first+size]), size)
	require.Empty(t, within(s[first:first+size-1]))
	require.Len(t, within(s[first:first+2*size]), 2*size)
	require.Empty(t, within(s[first+1:first+2*size-1]))
}

package hugepages // within is private: the system does not show what part of memory it was told of

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestPagesAreWholeAndInside cuts slices that begin and end around the borders of pages.
func TestPagesAreWholeAndInside(t *testing.T) {
	all := make([]byte, 5*size)
	all = all[-uintptr(unsafe.Pointer(&all[0]))%size:][:4*size]
	var borders []int
	for border := 0; border <= len(all); border += size {
		borders = append(borders, max(border-1, 0), border, min(border+1, len(all)))
	}
	for i, from := range borders {
		for _, to := range borders[i:] {
			first, last := (from+size-1)/size*size, to/size*size
			pages := within(all[from:to])
			require.Equal(t, max(last-first, 0), len(pages), "from %d to %d", from, to)
			if len(pages) > 0 {
				require.True(t, &all[first] == &pages[0], "from %d to %d", from, to)
			}
		}
	}
	words := make([]uint64, size/4) // of two pages
	require.Equal(t, size, len(within(words[1:])))
	require.Empty(t, within[uint64](nil))
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

package hugepages_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/zkatbench/zkatbench/token/crypto/group/internal/hugepages"
)

// TestPagesAreAdvised reads the flags of the memory from the kernel.
func TestPagesAreAdvised(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Skip("this kernel has no huge pages")
	}
	s, err := unix.Mmap(-1, 0, 4<<21, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	require.False(t, advised(t, &s[len(s)/2]))
	hugepages.Advise(s)
	require.True(t, advised(t, &s[len(s)/2]))
	require.NoError(t, unix.Munmap(s))
}

// advised reports whether huge pages were asked for the memory at p.
func advised(t *testing.T, p *byte) bool {
	maps, err := os.Open("/proc/self/smaps")
	require.NoError(t, err)
	defer maps.Close()
	inside := false
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			at := uintptr(unsafe.Pointer(p))
			inside = from <= at && at < to
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && inside {
			return strings.Contains(flags+" ", " hg ")
		}
	}
	return false
}

//go:build unix

package drive // lockHolder and alive are private: the processes and locks of a machine are not known

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestHolders describes processes that hold the lock.
func TestHolders(t *testing.T) {
	since := time.Date(2026, 1, 2, 15, 4, 5, 0, time.Local)
	for want, h := range map[string]Holder{
		"a process that the system does not name": {Command: "x", Since: since}, "process 12": {PID: 12},
		"process 12 (go test)":                 {PID: 12, Command: "go test"},
		"process 12, since 15:04:05":           {PID: 12, Since: since},
		"process 12 (go test), since 15:04:05": {PID: 12, Command: "go test", Since: since},
	} {
		t.Run(want, func(t *testing.T) {
			require.Equal(t, want, h.String())
			require.Equal(t,
				"waiting for another measurement on this machine: "+want+
					" (-nolock measures without waiting)",
				h.Waiting())
		})
	}
	const locks = "1: POSIX  ADVISORY  WRITE 11 08:02:5678 0 EOF\n2: FLOCK  ADVISORY  WRITE\n3: FLOCK  " +
		"ADVISORY  WRITE x 08:02:5678 0 EOF\n4: FLOCK  ADVISORY  WRITE 12 08:02:15678 0 EOF\n4: -> FLOCK  " +
		"ADVISORY  WRITE 13 08:02:5678 0 EOF\n5: FLOCK  ADVISORY  WRITE 14 08:02:5678\n6: FLOCK  ADVISORY  " +
		"WRITE 15 08:02:5678 0 EOF\n"
	for inode, want := range map[uint64]int{5678: 14, 15678: 12, 78: 0} {
		require.Equal(t, want, lockHolder(locks, inode))
	}
	require.Zero(t, lockHolder("", 1))
	require.True(t, alive(os.Getpid()))
	require.True(t, alive(1))
	require.False(t, alive(1<<30))
}

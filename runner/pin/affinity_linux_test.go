package pin_test

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/zkatbench/zkatbench/runner/pin"
)

// TestThreadIsBoundAsBefore: a thread with fewer processors than others keeps them.
func TestThreadIsBoundAsBefore(t *testing.T) {
	cpus, err := pin.Allowed()
	if err != nil || len(cpus) < 2 {
		t.Skipf("needs two processors: %v %v", cpus, err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	bound, was := unix.CPUSet{}, unix.CPUSet{}
	require.NoError(t, unix.SchedGetaffinity(0, &was))
	bound.Set(cpus[0])
	require.NoError(t, unix.SchedSetaffinity(0, &bound))
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), allowedBy+"=1")
	require.NoError(t, pin.Start(cmd, cpus[1:2]))
	require.NoError(t, cmd.Wait())
	var now unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &now))
	require.Equal(t, bound, now)
	require.NoError(t, unix.SchedSetaffinity(0, &was))
}

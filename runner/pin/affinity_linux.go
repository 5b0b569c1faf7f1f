package pin

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

const maxProcessor = 1024 // of unix.CPUSet

// Allowed returns the processors of this process.
func Allowed() (cpus []int, err error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(os.Getpid(), &set); err != nil {
		return nil, fmt.Errorf("sched_getaffinity: %w", err)
	}
	for cpu := range maxProcessor {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

func setOf(cpus []int) (set unix.CPUSet) {
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return set
}

// Start starts a command on the given processors, or on all if there are none. A
// process inherits the affinity of the thread that starts it.
func Start(cmd *exec.Cmd, cpus []int) error {
	if len(cpus) == 0 {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var old unix.CPUSet
	if err := unix.SchedGetaffinity(0, &old); err != nil {
		return fmt.Errorf("sched_getaffinity: %w", err)
	}
	set := setOf(cpus)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("processors %s: sched_setaffinity: %w", list(cpus), err)
	}
	err := cmd.Start()
	if back := unix.SchedSetaffinity(0, &old); back != nil {
		runtime.LockOSThread() // a thread that stays bound ends with its goroutine
		err = errors.Join(err, fmt.Errorf("sched_setaffinity: %w", back))
	}
	return err
}

// Confine binds all threads of this process to the rest of the processors, and with
// them the processes that it starts in other ways than by Start.
func (p Plan) Confine() error {
	if len(p.Measured) == 0 {
		return nil
	}
	set := setOf(p.Rest)
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range tasks {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			continue
		}
		if err := unix.SchedSetaffinity(id, &set); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("sched_setaffinity: %w", err)
		}
	}
	return nil
}

package drive

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// A Holder is the process that holds the lock. Fields are zero if they are not
// known: only Linux tells.
type Holder struct {
	PID     int
	Command string
	Since   time.Time
}

// maxCommand bounds the command in a message, in columns.
const maxCommand = 60

// String describes the holder for a message: process 12 (go test ./pkg), since
// 15:04:05.
func (h Holder) String() string {
	if h.PID == 0 {
		return "a process that the system does not name"
	}
	text := fmt.Sprintf("process %d", h.PID)
	if h.Command != "" {
		text += " (" + h.Command + ")"
	}
	if !h.Since.IsZero() {
		text += ", since " + h.Since.Local().Format(time.TimeOnly)
	}
	return text
}

// Waiting is the message of a process that waits for h.
func (h Holder) Waiting() string {
	return "waiting for another measurement on this machine: " + h.String() +
		" (-nolock measures without waiting)"
}

// lentEnv names the environment variable with the process that lends its lock
// to the processes that it starts, or noLock.
const lentEnv = "ZKATBENCH_LOCK"

const noLock = "none"

// Lend lets the processes that this process starts measure while this process
// holds the lock. A command that runs test binaries calls it after Lock.
func Lend() error { return os.Setenv(lentEnv, strconv.Itoa(os.Getpid())) }

// WithoutLock lets the processes that this process starts measure without the
// lock.
func WithoutLock() error { return os.Setenv(lentEnv, noLock) }

// lent reports whether an ancestor lends its lock, or does without it.
func lent(holder func() Holder) bool {
	text := os.Getenv(lentEnv)
	if text == noLock {
		return true
	}
	pid, err := strconv.Atoi(text)
	if err != nil || pid == os.Getpid() {
		return false
	}
	h := holder()
	return h.PID == pid || h.PID == 0 && alive(pid)
}

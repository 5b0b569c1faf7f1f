//go:build !linux

package pin

import (
	"errors"
	"os/exec"
)

// errSystem reports a system without affinity.
var errSystem = errors.New("processes can be bound to processors on Linux only")

// Allowed returns an error.
func Allowed() ([]int, error) { return nil, errSystem }

// Start starts a command; it cannot bind it.
func Start(cmd *exec.Cmd, cpus []int) error {
	if len(cpus) > 0 {
		return errSystem
	}
	return cmd.Start()
}

// Confine does nothing.
func (p Plan) Confine() error { return nil }

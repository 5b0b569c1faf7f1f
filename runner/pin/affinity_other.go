//go:build !linux

package pin

import "os/exec"

// Allowed returns ErrSystem.
func Allowed() ([]int, error) { return nil, ErrSystem }

// Start starts a command; it cannot bind it.
func Start(cmd *exec.Cmd, cpus []int) error {
	if len(cpus) > 0 {
		return ErrSystem
	}
	return cmd.Start()
}

// Confine does nothing.
func (p Plan) Confine() error { return nil }

// Package leaks finds goroutines that a test package leaves running.
//
//	leaks.go    Run and Checked, which tests use in the place of m.Run
//	check/      the command that has every package of the module call it
package leaks

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// Run runs the tests and returns the exit status, which is 1 if they pass and
// goroutines are left.
func Run(m *testing.M) int {
	status := m.Run()
	if status != 0 {
		return status
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, "goroutines are left after the tests:", err)
		return 1
	}
	return 0
}

// Checked is a testing.M with a Run that is leaks.Run, for libraries that run the
// tests themselves.
type Checked struct{ *testing.M }

// Run is leaks.Run.
func (c Checked) Run() int { return Run(c.M) }

package suitetest

import (
	"testing"

	"github.com/zkatbench/zkatbench/bench"
)

// Run runs op under the load runner and prints its reports, if -run names the
// test; else it does op once in each case and checks the result. ^C ends the
// run with a report of what was measured, a second ^C ends the program.
func Run(t *testing.T, op bench.Op) {
	if !bench.Named(t.Name()) {
		driver().Once(t, op)
		return
	}
	driver().Load(t.Context(), t, op)
}

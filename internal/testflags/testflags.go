// Package testflags lets every test binary of the module accept the flags of the
// benchmarks.
//
// go test passes a flag such as -bits to all packages that it names, and a test
// binary exits if it does not know one of them. Packages with benchmarks define
// the flags that they read (bench/benchtest). All others accept and ignore them,
// by a blank import of package accept in one of their tests.
//
// The names stand here as text because a test binary that imported the subjects
// would link all that they use, and would run again after every change to it.
// Tests compare the names with the flags of all subjects (cmd/zkatbench), and
// find test packages that do not accept them (internal/tidy).
package testflags

import (
	_ "embed"
	"flag"
	"strings"
)

// names has a line for each flag in alphabetical order, with the word switch after flags
// that can be given without a value. go generate ./cmd/zkatbench writes it.
//
//go:embed names.txt
var names string

// Values are the names of flags that take a value, Switches the names of the others.
var Values, Switches = read(names)

func read(text string) (values, switches []string) {
	for line := range strings.Lines(text) {
		if name, isSwitch := strings.CutSuffix(strings.TrimSpace(line), " switch"); isSwitch {
			switches = append(switches, name)
		} else {
			values = append(values, name)
		}
	}
	return values, switches
}

// Accept defines the flags that fs does not have yet, and ignores their values.
// It returns true, so that a package can call it to initialise a variable.
func Accept(fs *flag.FlagSet) bool {
	for i, names := range [][]string{Values, Switches} {
		for _, name := range names {
			if fs.Lookup(name) == nil {
				fs.Var(ignored{isSwitch: i == 1}, name, "ignored here: a flag of the benchmarks")
			}
		}
	}
	return true
}

// ignored is a flag.Value that accepts every text.
type ignored struct{ isSwitch bool }

func (ignored) String() string     { return "" }
func (ignored) Set(string) error   { return nil }
func (i ignored) IsBoolFlag() bool { return i.isSwitch }

package main

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/suggest"
	"github.com/zkatbench/zkatbench/internal/testflags"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// benchmarkFlags are the flags of the benchmarks of all subjects.
var benchmarkFlags = slices.Concat(testflags.Values, testflags.Switches)

// explain makes an error of the flags a line with the name of the command.
func (l *commandLine) explain(err error) error {
	unknown := new(flags.UnknownError)
	switch {
	case !errors.As(err, &unknown):
		return err
	case l.takesTestFlags() &&
		(result.IsTestFlag(unknown.Name) || slices.Contains(benchmarkFlags, unknown.Name)):
		example := "-" + unknown.Name
		if unknown.Name == "bench" {
			example += "=."
		}
		return fmt.Errorf("-%s is a flag of go test: write it after --, as in -- %s", unknown.Name, example)
	}
	return fmt.Errorf("%w%s", err, suggest.Meant(unknown.Name, "-", l.flags.Names()))
}

func (l *commandLine) takesTestFlags() bool { return strings.Contains(l.arguments, "flags of go test") }

// noCommand is the error for an unknown command.
func noCommand(word string, all []*commandLine) error {
	if now, ok := moved[word]; ok {
		return fmt.Errorf("%q is now %s", word, now)
	}
	names := []string{"help"}
	for _, l := range all {
		names = append(names, l.name)
	}
	return fmt.Errorf("%q is not a command; zkatbench help lists the commands%s", word,
		suggest.Meant(word, "", names))
}

// noOperation is the error for an unknown operation. Earlier versions put a prefix before
// the name, such as ct/.
func noOperation(word string) error {
	var names []string
	for _, s := range subjects {
		for _, op := range s.Ops {
			names = append(names, op.Name)
		}
	}
	return fmt.Errorf("%q is not an operation; zkatbench list shows them%s", word,
		suggest.Meant(path.Base(word), "", names))
}

// moved are the commands of earlier versions.
var moved = map[string]string{
	"bench":   "zkatbench inside OPERATION -what=time, or -what=instr for iai",
	"oneshot": "zkatbench inside OPERATION -what=run, or -what=flame for profiles",
	"steps":   "zkatbench inside OPERATION -what=steps",
	"heap":    "zkatbench inside OPERATION -what=heap",
	"instr":   "zkatbench inside OPERATION -what=instr",
	"mutate":  "ZKAT_NIGHTLY=1 go test ./token/internal/badinput -run=Mutants",
}

// checkEnvironment refuses a variable with a name near to the name of a flag.
func checkEnvironment(environ []string, all []*commandLine) error {
	known := slices.Clone(benchmarkFlags)
	for _, l := range all {
		known = append(known, l.flags.Names()...)
		for _, sub := range l.below {
			known = append(known, sub.flags.Names()...)
		}
	}
	return suggest.Environment(environ, bench.Env, append(known, "op"))
}

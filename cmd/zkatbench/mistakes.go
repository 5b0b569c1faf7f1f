package main

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/suggest"
	"github.com/zkatbench/zkatbench/internal/testflags"
)

// The errors of package flag have no types.
var (
	badValue    = regexp.MustCompile(`^invalid (?:boolean )?value ("(?:[^"\\]|\\.)*") for (?:flag )?-([^:]*): `)
	unknownFlag = regexp.MustCompile(`^flag provided but not defined: -(.*)$`)
)

// benchmarkFlags are the flags of the benchmarks of all subjects.
var benchmarkFlags = slices.Concat(testflags.Values, testflags.Switches)

// explain makes an error of package flag a line that says what is allowed.
func (l *commandLine) explain(err error) error {
	if m := badValue.FindStringSubmatch(err.Error()); m != nil {
		if f := l.flags.Lookup(m[2]); f != nil {
			return usageError("%s: -%s: %s is not %s", l.name, m[2], m[1], allowed(f.Value))
		}
	}
	m := unknownFlag.FindStringSubmatch(err.Error())
	if m == nil {
		return usageError("%s: %w", l.name, err)
	}
	name := m[1]
	if strings.Contains(l.takes, "flags of go test") && (result.IsTestFlag(name) || slices.Contains(benchmarkFlags, name)) {
		example := "-" + name
		if name == "bench" {
			example += "=."
		}
		return usageError("%s: -%s is a flag of go test: write it after --, as in zkatbench %s %s -- %s", l.name, name, l.name, l.example(), example)
	}
	var names []string
	l.flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return usageError("%s: there is no flag -%s%s", l.name, name, suggest.Meant(name, "-", names))
}

// example returns arguments of the command for a message.
func (l *commandLine) example() string {
	if strings.Contains(l.takes, "BASE") {
		return "main HEAD ./..."
	}
	return "./..."
}

// allowed describes the values of a flag.
func allowed(v flag.Value) string {
	g, ok := v.(flag.Getter)
	if !ok {
		return "a value that it takes"
	}
	switch g.Get().(type) {
	case bool:
		return "true or false"
	case int, int64:
		return "a whole number"
	case uint, uint64:
		return "a whole number of at least 0"
	case float64:
		return "a number"
	case time.Duration:
		return "a duration such as 10s or 1m30s"
	}
	return fmt.Sprintf("a %T", g.Get())
}

// noCommand is the error for a word that is no command.
func noCommand(word string) error {
	names := []string{"help"}
	for _, c := range commands {
		names = append(names, c.name)
	}
	return usageError("%q is not a command; zkatbench help lists the commands%s", word, suggest.Meant(word, "", names))
}

// checkEnvironment refuses a variable that is near to the one of a flag.
func checkEnvironment(environ []string) error {
	if err := suggest.Environment(environ, "ZKAT_", benchmarkFlags); err != nil {
		return usageError("%w", err)
	}
	return nil
}

package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
)

// badFlag is an error shown without a prefix; its exit status is 2.
type badFlag struct{ error }

func (badFlag) Is(target error) bool { return target == errUsage }

// parse parses the flags of a command. If help was requested, it prints the
// help and returns nil without an error.
func parse(set bench.Set, name string, args []string, out io.Writer) (*bench.Selection, error) {
	return parseFor(set, name+" takes flags only", args, out)
}

// parseFor is parse with a description of the allowed arguments for errors.
func parseFor(set bench.Set, takes string, args []string, out io.Writer) (*bench.Selection, error) {
	name, _, _ := strings.Cut(takes, " ")
	fs := flag.NewFlagSet("zkatbench "+name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	flags := set.Register(fs)
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		fs.SetOutput(out)
		fs.PrintDefaults()
		return nil, nil
	} else if err != nil {
		return nil, badFlag{errors.New("zkatbench: " + err.Error())}
	}
	if fs.NArg() > 0 {
		return nil, badFlag{errors.New("zkatbench: " + takes + ", not " + fs.Arg(0))}
	}
	sel, err := flags.Resolve(os.Getenv)
	if err != nil {
		return nil, badFlag{err}
	}
	return sel, nil
}

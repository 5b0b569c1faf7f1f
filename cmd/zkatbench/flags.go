package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
)

// badFlag is an error that is shown as it is and means exit status 2.
type badFlag struct{ error }

func (badFlag) Is(target error) bool { return target == errUsage }

// parse reads the flags of a command. It returns nil without an error if help
// was asked for, which it has then given.
func parse(set bench.Set, name string, args []string, out io.Writer) (*bench.Selection, error) {
	return parseFor(set, name+" takes flags only", args, out)
}

// parseFor is parse with what the command takes, for the message on other arguments.
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

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"
)

// runCommand parses the flags of c and runs it. Errors of flags are one line;
// help goes to out.
func runCommand(ctx context.Context, c *ffcli.Command, args []string, s streams) error {
	var help bytes.Buffer
	prepare(c, "zkatbench", &help)
	err := c.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, err = s.out.Write(help.Bytes())
		return err
	}
	if err != nil {
		if inner := errors.Unwrap(err); inner != nil {
			err = inner // without the text added by ff
		}
		return usageError("%s: %w", c.Name, err)
	}
	return c.Run(ctx)
}

// prepare gives a command and its subcommands flag sets that do not exit and
// print only into help.
func prepare(c *ffcli.Command, parent string, help *bytes.Buffer) {
	if c.FlagSet == nil {
		c.FlagSet = flag.NewFlagSet("", flag.ContinueOnError)
	}
	c.FlagSet.Init(parent+" "+c.Name, flag.ContinueOnError)
	c.FlagSet.SetOutput(help)
	for _, sub := range c.Subcommands {
		prepare(sub, parent+" "+c.Name, help)
	}
}

// usageError is an error of the command line: exit status 2.
func usageError(format string, args ...any) error {
	return badFlag{fmt.Errorf("zkatbench: "+format, args...)}
}

// splitAtDashes splits a command line at --: the part after it is for go test.
func splitAtDashes(args []string) (ours, tests []string) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:]
	}
	return args, nil
}

// noLateFlags reports flags after the first argument, which package flag does
// not parse.
func noLateFlags(command string, args []string) error {
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			return usageError("%s: %s: flags come before other arguments, and flags of go test after --", command, a)
		}
	}
	return nil
}

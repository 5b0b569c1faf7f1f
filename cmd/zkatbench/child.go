package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
)

// childPart is the variable of the environment that tells a child of this program which
// part of its command line it is for. A command line without it is for all parts.
const childPart = "ZKATBENCH_CHILD"

// runChild runs this program with the arguments and the environment, which must be
// complete. The child reads from s.in and writes to s; an interrupt ends it like its
// parent. If it fails it has said why, so the error has no text but its exit status.
func runChild(ctx context.Context, args, environment []string, in io.Reader, s streams) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Args[0], cmd.Env = os.Args[0], environment
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, s.out, s.err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err = cmd.Run()
	switch exit := new(exec.ExitError); {
	case ctx.Err() != nil:
		return errInterrupted
	case errors.As(err, &exit):
		return exitError{status: exit.ExitCode()}
	}
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
)

// childPart is the variable of the environment that tells a child of this program which
// part of its command line it is for, as two numbers: "0:1". A command line without it
// is for all parts.
const childPart = "ZKATBENCH_CHILD"

// child returns a run of this program for a part of its command line, which begins with
// the command. A seed that was drawn goes in front, since a given one comes later.
// An interrupt ends it like its parent.
func child(ctx context.Context, command []string, seed uint64, part [2]int) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := append([]string{command[0], "-seed=" + strconv.FormatUint(seed, 10)}, command[1:]...)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d:%d", childPart, part[0], part[1]))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd, nil
}

// childEnded is the error of a child. One that failed has said why, so the error has no
// text but its exit status.
func childEnded(ctx context.Context, err error) error {
	if exit := new(exec.ExitError); errors.As(err, &exit) && ctx.Err() == nil {
		return exitError{status: exit.ExitCode()}
	}
	return err
}

// partOf returns the part that this process is for, if it is a child.
func partOf(command string) (part [2]int, is bool, err error) {
	text := os.Getenv(childPart)
	if text == "" {
		return part, false, nil
	}
	if _, err := fmt.Sscanf(text, "%d:%d", &part[0], &part[1]); err != nil || part[0] < 0 || part[1] < 0 {
		return part, true, fmt.Errorf("%s: %q is not two numbers, such as 0:1", childPart, text)
	}
	return part, true, nil
}

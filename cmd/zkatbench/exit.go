package main

import (
	"errors"
	"io"
	"syscall"
)

// streams are the streams of a command: figures go to out, progress and
// warnings to err. Both make control characters visible, since names and messages
// come from files.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

var (
	// errInterrupted reports that the printed results are incomplete.
	errInterrupted = errors.New("interrupted; the rest was not measured")
	// errStopped reports that a command was ended in the middle of its work.
	errStopped = errors.New("interrupted; the work in progress is lost")
)

// The exit statuses of all commands besides 0.
const (
	negative    = 1   // the command did its work, and has found something bad
	failed      = 2   // it could not do its work: a bad command line or input, no file, a failed tool
	undecided   = 3   // it cannot tell
	interrupted = 130 // after ^C by the convention of shells
	closedPipe  = 128 + int(syscall.SIGPIPE)
)

// exitError is a finding: an error with its exit status. Its text may be empty if
// everything has been printed. Any other error of a command is a failure.
type exitError struct {
	status int
	error
}

func (e exitError) Unwrap() error { return e.error }

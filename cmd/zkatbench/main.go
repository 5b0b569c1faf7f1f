package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
)

// heading is a group of commands.
type heading struct {
	title string
	lines []func(streams) *commandLine
}

// headings list all commands. A new one is a separate file and a name here: a
// function that declares its command line. Errors are one line each: one of the
// errors below, wrapped with details, or an exitError. Then go generate writes
// its help into docs/commands.md.
var headings = []heading{
	{"Measure",
		[]func(streams) *commandLine{runLine, loadLine, scoreLine, compareLine, gateLine, mergeLine,
			reportLine, historyLine, watchLine}},
	{"Look inside", []func(streams) *commandLine{listLine, insideLine, shotsLine, opsLine, costsLine}},
	{"Token engine", []func(streams) *commandLine{capacityLine, vectorsLine, verifyLine}},
	{"Laboratory", []func(streams) *commandLine{thresholdLine, ps18Line, headroomLine, limbsLine, peersLine}},
}

// lines returns the command lines of all commands.
func lines(s streams) (all []*commandLine) {
	for _, h := range headings {
		for _, line := range h.lines {
			all = append(all, line(s))
		}
	}
	return append(all, versionLine(s))
}

// lastWords is the time that a command has after the first interrupt to print its
// results so far. Then the process exits.
const lastWords = 2 * time.Second

// The first interrupt ends a command after its current measurement, but within
// lastWords, and the second one immediately.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop()
		time.Sleep(lastWords)
		status(errStopped, text.Printer{Writer: os.Stderr})
		os.Exit(interrupted)
	})
	// A write to a closed pipe returns an error instead of killing the process,
	// so that temporary folders are removed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args[1:],
		streams{os.Stdin, text.Printer{Writer: os.Stdout}, text.Printer{Writer: os.Stderr}}))
}

// run runs a command line and returns its exit status.
func run(ctx context.Context, args []string, s streams) int {
	if len(args) == 0 {
		_ = usage(s.err) // an error here cannot be reported anywhere
		return 2
	}
	isHelp := args[0] == "help" || args[0] == "-h" || args[0] == "--help"
	switch {
	case isHelp && len(args) == 1:
		return status(usage(s.out), s.err)
	case isHelp:
		args = append(args[1:len(args):len(args)], "-h")
	case args[0] == "-version" || args[0] == "--version":
		args = []string{"version"}
	}
	all := lines(s)
	for _, l := range all {
		if l.name == args[0] {
			err := checkEnvironment(os.Environ(), all)
			if err == nil {
				err = l.run(ctx, args[1:], s)
			}
			return status(err, s.err)
		}
	}
	return status(noCommand(args[0], all), s.err)
}

// status prints an error and returns the exit status for it.
func status(err error, complaints io.Writer) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, syscall.EPIPE) {
		return closedPipe // the reader has gone, and so has its interest in the reason
	}
	var exit exitError
	isExit := errors.As(err, &exit)
	if !isExit || exit.error != nil {
		fmt.Fprintf(complaints, "zkatbench: %v\n", err)
	}
	switch {
	case isExit:
		return exit.status
	case errors.Is(err, errInterrupted), errors.Is(err, result.ErrInterrupted):
		return interrupted
	}
	return failed
}

func usage(out io.Writer) error {
	var b strings.Builder
	b.WriteString("usage: zkatbench command [flags]; zkatbench help command lists its flags\n")
	for _, h := range headings {
		fmt.Fprintf(&b, "\n%s\n", h.title)
		commands := text.Table{Indent: "  "}
		for _, line := range h.lines {
			l := line(streams{})
			commands.Rows = append(commands.Rows, []string{fmt.Sprintf("%-9s", l.name), l.summary})
		}
		_ = commands.Write(&b, cmp.Or(text.Width(out), helpWidth)) // a builder does not fail
	}
	_, err := io.WriteString(out, b.String())
	return err
}

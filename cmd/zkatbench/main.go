// Command zkatbench answers questions about the engine and its benchmarks that
// go test does not. Each subcommand is a file of its name.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// command is a subcommand. Its errors are one line each.
type command struct {
	name, summary string
	run           func(ctx context.Context, args []string, out io.Writer) error
}

var commands = []command{
	{"costs", "measure what each group operation takes on this machine", costs},
	{"ops", "count the group operations of the benchmarked operations, and predict their times", ops},
	{"mutate", "validate random mutants of token requests, none of which may be accepted", mutate},
	{"vectors", "write files of token requests with the verdicts that they should get", vectors},
	{"selftest", "audit the load runner on this machine: its cost, its clock, its statistics", selfTest},
	{"verify", "verify the requests in a folder of such files, ours or recorded ones", verify},
}

var (
	// errUsage is a command line that asks for nothing that there is.
	errUsage = errors.New("zkatbench: usage")
	// errInterrupted says that what was printed is not all.
	errInterrupted = errors.New("zkatbench: interrupted; the rest was not measured")
)

// The first interrupt ends a command after what it is measuring, the second at
// once.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit status: 2 for a bad command line, 1 if the work failed or
// was interrupted.
func run(ctx context.Context, args []string, out, complaints io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		usage(out)
		return 0
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		err := c.run(ctx, args[1:], out)
		if err == nil {
			return 0
		}
		fmt.Fprintln(complaints, err)
		if errors.Is(err, errUsage) {
			return 2
		}
		return 1
	}
	fmt.Fprintf(complaints, "zkatbench: %q is no command; zkatbench help lists them\n", args[0])
	return 2
}

func usage(out io.Writer) {
	fmt.Fprintln(out, "usage: zkatbench command [flags]; zkatbench command -h lists its flags")
	for _, c := range commands {
		fmt.Fprintf(out, "  %-8s %s\n", c.name, c.summary)
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/result"
)

// streams are the streams of a command: figures go to out, progress and
// warnings to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// command is a subcommand. Its errors are one line each.
type command struct {
	name, summary string
	run           func(ctx context.Context, args []string, s streams) error
}

// commands lists all subcommands. A new one is a separate file and a line here:
// a function that parses its args by a commandLine, or by selection if all its
// flags are axes of package bench, answers -h with nil, and returns one of the errors below, wrapped with details, or an exitError. Then
// go generate writes its help into docs/commands.md.
var commands = []command{
	{"run", "measure benchmarks into a file, with the environment that explains the figures", runBenchmarks},
	{"compare", "compare two revisions, or two result files: yes, no, or cannot tell", compare},
	{"gate", "fail, by exit status, if compare finds a regression or cannot tell", gateCommand},
	{"load", "put a web server or a command under load: throughput, latencies, requirements", loadCommand},
	{"merge", "join result files, such as those of shards", merge},
	{"report", "draw results as one HTML page", drawReport},
	{"history", "keep results over revisions and find changes", keepHistory},
	{"list", "list the operations that can be measured, by subject", list},
	{"bench", "measure one operation by time, instructions, steps or memory: ct/X, iai/X, steps/X, heap/X, oneshot/X", benchOne},
	{"oneshot", "run one operation as a small program that suits profilers", oneShot},
	{"steps", "print the cost of each step of an operation as CSV", steps},
	{"heap", "print the memory that an operation allocates and keeps", heapCommand},
	{"instr", "count the instructions of an operation under Valgrind", instructions},
	{"shots", "time operations once in each of many environments and processes", shots},
	{"score", "print results as a table of scores: mean ± 99.9 % interval", scores},
	{"costs", "measure the time of each group operation on this machine", costs},
	{"ops", "count the group operations of the benchmarked operations, and predict their times", ops},
	{"mutate", "validate random mutants of token requests, which must all be refused", outOnly(mutate)},
	{"vectors", "write files of token requests with their expected verdicts", outOnly(vectors)},
	{"headroom", "prove that limbs of a size never overflow, or find operands with a wrong product", headroom},
	{"limbs", "generate arithmetic of prime fields for limb sizes that are proved safe", limbs},
	{"peers", "compare our proofs with two Rust libraries on this machine", peers},
	{"threshold", "compare threshold signatures in a table; record runs and replay their parties", thresholdCommand},
	{"selftest", "audit the load runner on this machine: its cost, its clock, its statistics", outOnly(selfTest)},
	{"ps18", "verify pairing signatures in a file of vectors", pairingSignatures},
	{"verify", "verify the requests in a folder of such files, generated or recorded", outOnly(verify)},
	{"version", "print the version of zkatbench, its revision and the Go release", version},
}

// outOnly adapts a command that writes figures only.
func outOnly(f func(context.Context, []string, io.Writer) error) func(context.Context, []string, streams) error {
	return func(ctx context.Context, args []string, s streams) error { return f(ctx, args, s.out) }
}

var (
	// errUsage reports an invalid command line.
	errUsage = errors.New("zkatbench: usage")
	// errInterrupted reports that the printed results are incomplete.
	errInterrupted = errors.New("zkatbench: interrupted; the rest was not measured")
)

// interrupted is the exit status after ^C by the convention of shells.
const interrupted = 130

// exitError is an error with its exit status. Its text may be empty if
// everything has been printed.
type exitError struct {
	status int
	error
}

func (e exitError) Unwrap() error { return e.error }

// The first interrupt ends a command after its current measurement, the second
// one immediately.
func main() {
	if os.Getenv(emptyProgram) != "" {
		return
	}
	heap.Arm()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	// A write to a closed pipe returns an error instead of killing the process,
	// so that temporary folders are removed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// closedPipe is the exit status after a write to a closed pipe, by the
// convention of shells.
const closedPipe = 128 + int(syscall.SIGPIPE)

// run returns the exit status: 0; 2 for an invalid command line; the status of
// an exitError; 130 after an interrupt; 141 after a write to a closed pipe; or 1
// for other errors.
func run(ctx context.Context, args []string, s streams) int {
	if len(args) == 0 {
		usage(s.err)
		return 2
	}
	isHelp := args[0] == "help" || args[0] == "-h" || args[0] == "--help"
	switch {
	case isHelp && len(args) == 1:
		usage(s.out)
		return 0
	case isHelp:
		args = append(args[1:len(args):len(args)], "-h")
	case args[0] == "-version" || args[0] == "--version":
		args = []string{"version"}
	}
	for _, c := range commands {
		if c.name == args[0] {
			err := checkEnvironment(os.Environ())
			if err == nil {
				err = c.run(ctx, args[1:], s)
			}
			return status(err, s.err)
		}
	}
	return status(noCommand(args[0]), s.err)
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
		fmt.Fprintln(complaints, err)
	}
	switch {
	case isExit:
		return exit.status
	case errors.Is(err, errUsage):
		return 2
	case errors.Is(err, errInterrupted), errors.Is(err, result.ErrInterrupted), errors.Is(err, context.Canceled):
		return interrupted
	}
	return 1
}

func usage(out io.Writer) {
	fmt.Fprintln(out, "usage: zkatbench command [flags]; zkatbench help command lists its flags")
	for _, c := range commands {
		fmt.Fprintf(out, "  %-8s %s\n", c.name, c.summary)
	}
}

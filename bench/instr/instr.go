// Package instr counts the instructions of an operation under Valgrind.
//
//	instr.go  Measure: two runs of a program, and their difference
//	parse.go  the output of cachegrind
//
// A program is run twice under cachegrind, with n and with 2n operations and the
// same preparation. Start-up, preparation and the runtime cancel in the
// difference, so the figure hardly depends on the machine. Valgrind emulates its
// own processor: figures compare with each other, not with times.
package instr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// tools are the programs that counting needs; they exist on Linux.
var tools = []string{"valgrind", "setarch"}

// errMissing says that a tool is not installed.
var errMissing = errors.New("is not installed")

// Missing returns an error that names the first tool missing from PATH.
func Missing() error {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%s %w", tool, errMissing)
		}
	}
	return nil
}

// enough is the number of instructions of n operations that hides the variation
// of start-up, some 300 000 between two runs: 0.06 %.
const enough = 500_000_000

// pairs is the number of pairs of runs. Their median counts, since each process
// draws seeds of hash tables that change the cost of all its operations.
const pairs = 3

// most bounds the operations of the shorter run.
const most = 1 << 16

// A Program returns the command that prepares and works the given numbers of operations.
type Program func(prepared, worked int) (*exec.Cmd, error)

// Measure returns the counts of one operation, and the number of operations of the
// shorter run: n, doubled until the operations take enough instructions. With cache it
// also simulates caches of a fixed size.
func Measure(ctx context.Context, program Program, n int, cache bool) (perOp Counts, last int, err error) {
	if err := Missing(); err != nil {
		return Counts{}, 0, err
	}
	var all []Counts
	for len(all) < pairs {
		c, err := pair(ctx, program, n, cache)
		if err != nil {
			return Counts{}, 0, err
		}
		if len(all) == 0 && c.Instructions*float64(n) < enough && 2*n <= most {
			n *= 2
			continue
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Counts) int { return cmp.Compare(a.Instructions, b.Instructions) })
	return all[len(all)/2], n, nil
}

// pair returns the counts of one operation by a run with 2n operations and one with n.
func pair(ctx context.Context, program Program, n int, cache bool) (Counts, error) {
	short, err := run(ctx, program, 2*n, n, cache)
	if err != nil {
		return Counts{}, err
	}
	long, err := run(ctx, program, 2*n, 2*n, cache)
	each := func(long, short float64) float64 { return (long - short) / float64(n) }
	return Counts{each(long.Instructions, short.Instructions), each(long.L1, short.L1), each(long.LL, short.LL), each(long.RAM, short.RAM)}, err
}

// run runs the program once.
func run(ctx context.Context, program Program, prepared, worked int, cache bool) (Counts, error) {
	args := []string{"setarch", "-R", "valgrind", "--tool=cachegrind", "--cachegrind-out-file=/dev/null", "--cache-sim=no"}
	if cache {
		args = append(args[:5:5], "--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64")
	}
	own, err := program(prepared, worked)
	if err != nil {
		return Counts{}, err
	}
	cmd := exec.CommandContext(ctx, args[0], slices.Concat(args[1:], []string{own.Path}, own.Args[1:])...)
	cmd.Env = append(own.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	cmd.Stdin = own.Stdin
	var errors strings.Builder
	cmd.Stderr = &errors
	err = cmd.Run()
	if ctx.Err() != nil {
		return Counts{}, ctx.Err()
	}
	if err != nil {
		return Counts{}, fmt.Errorf("valgrind: %w: %s", err, last(errors.String()))
	}
	return parse(errors.String(), cache)
}

// last returns the last line of text without Valgrind's own lines.
func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if !strings.HasPrefix(lines[i], "==") {
			return lines[i]
		}
	}
	return lines[len(lines)-1]
}

// Features returns the vector extensions that Valgrind offers to programs.
func Features() string {
	out, err := exec.Command("valgrind", "--version").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out)) + ": avx2"
}

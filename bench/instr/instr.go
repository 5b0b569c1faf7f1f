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
	"bytes"
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

// Options selects the program and the counts.
type Options struct {
	// Cache also simulates caches of a fixed size.
	Cache bool
	// Command returns the program that prepares and works the given numbers of
	// operations.
	Command func(prepared, worked int) (*exec.Cmd, error)
	// Input returns the standard input of the program; nil if it does not
	// read any.
	Input func(prepared int) ([]byte, error)
	// N is the number of operations of the shorter run. It is doubled until the
	// operations take enough instructions.
	N int
}

// enough is the number of instructions of n operations that hides the variation
// of start-up, some 300 000 between two runs: 0.06 %.
const enough = 500_000_000

// pairs is the number of pairs of runs. Their median counts, since each process
// draws seeds of hash tables that change the cost of all its operations.
const pairs = 3

// most bounds N.
const most = 1 << 16

// Measure returns the counts of one operation, and the last n.
func Measure(ctx context.Context, o Options) (perOp Counts, n int, err error) {
	if err := Missing(); err != nil {
		return Counts{}, 0, err
	}
	for n = o.N; ; n *= 2 {
		var input []byte
		if o.Input != nil {
			if input, err = o.Input(2 * n); err != nil {
				return Counts{}, 0, err
			}
		}
		work, err := pair(ctx, o, input, n)
		if err != nil {
			return Counts{}, 0, err
		}
		if work.Instructions < enough && 2*n <= most {
			continue
		}
		all := []Counts{work}
		for len(all) < pairs {
			if work, err = pair(ctx, o, input, n); err != nil {
				return Counts{}, 0, err
			}
			all = append(all, work)
		}
		slices.SortFunc(all, func(a, b Counts) int { return cmp.Compare(a.Instructions, b.Instructions) })
		return all[len(all)/2].over(float64(n)), n, nil
	}
}

// pair returns the difference of a run with 2n operations and one with n.
func pair(ctx context.Context, o Options, input []byte, n int) (Counts, error) {
	short, err := run(ctx, o, input, 2*n, n)
	if err != nil {
		return Counts{}, err
	}
	long, err := run(ctx, o, input, 2*n, 2*n)
	return long.minus(short), err
}

// run runs the program once.
func run(ctx context.Context, o Options, input []byte, prepared, worked int) (Counts, error) {
	args := []string{"setarch", "-R", "valgrind", "--tool=cachegrind", "--cachegrind-out-file=/dev/null"}
	if o.Cache {
		args = append(args, "--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64")
	} else {
		args = append(args, "--cache-sim=no")
	}
	program, err := o.Command(prepared, worked)
	if err != nil {
		return Counts{}, err
	}
	cmd := exec.CommandContext(ctx, args[0], slices.Concat(args[1:], []string{program.Path}, program.Args[1:])...)
	cmd.Env = append(program.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	cmd.Stdin = bytes.NewReader(input)
	var errors strings.Builder
	cmd.Stderr = &errors
	err = cmd.Run()
	if ctx.Err() != nil {
		return Counts{}, ctx.Err()
	}
	if err != nil {
		return Counts{}, fmt.Errorf("valgrind: %w: %s", err, last(errors.String()))
	}
	return parse(errors.String(), o.Cache)
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

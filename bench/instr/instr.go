// Package instr counts the instructions of an operation under Valgrind.
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
	"io"
	"math"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
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
	return measure(ctx, program, n, cache, enough)
}

func measure(ctx context.Context, program Program, n int, cache bool, enough float64) (Counts, int, error) {
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
	return Counts{Instructions: each(long.Instructions, short.Instructions), L1: each(long.L1, short.L1),
		LL: each(long.LL, short.LL), RAM: each(long.RAM, short.RAM)}, err
}

// run runs the program once.
func run(ctx context.Context, program Program, prepared, worked int, cache bool) (Counts, error) {
	args := []string{"setarch", "-R", "valgrind", "--tool=cachegrind", "--cachegrind-out-file=/dev/null",
		"--cache-sim=no"}
	if cache {
		args = append(args[:5:5], "--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64",
			"--LL=8388608,16,64")
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

// errOutput says that cachegrind did not print its totals.
var errOutput = errors.New("cachegrind printed no totals")

// Counts are events of a run, or of one operation. Without a simulation of caches
// all but Instructions are 0.
type Counts struct {
	Instructions float64
	// L1, LL and RAM are accesses by where they were found.
	L1, LL, RAM float64
}

// Cycles estimates cycles: L1 + 5·LL + 35·RAM.
func (c Counts) Cycles() float64 { return c.L1 + 5*c.LL + 35*c.RAM }

// WriteText writes the instructions in a line and, if caches were simulated, accesses and cycles.
func (c Counts) WriteText(w io.Writer) error {
	var b strings.Builder
	row := func(label string, v float64) {
		fmt.Fprintf(&b, "  %-18s%15s\n", label,
			strings.ReplaceAll(text.Count(int64(math.Round(v))), " ", ","))
	}
	row("Instructions:", c.Instructions)
	if c.L1 > 0 {
		row("L1 Accesses:", c.L1)
		row("L2 Accesses:", c.LL)
		row("RAM Accesses:", c.RAM)
		row("Estimated Cycles:", c.Cycles())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteBench writes the instructions of n operations as a result in Go benchmark format.
func (c Counts) WriteBench(w io.Writer, name string, n int) error {
	_, err := fmt.Fprintf(w, "Unit instr/op better=lower\nBenchmark%s %d %.0f instr/op\n", name, n,
		c.Instructions)
	return err
}

// totals is a line of cachegrind. The number is the sum over reads and writes.
var totals = regexp.MustCompile(`(?m)^==\d+== (I|I1|LLi|D|D1|LLd) +(?:refs|misses): +(.*?)(?: |$)`)

// parse reads the totals that cachegrind prints at its end.
func parse(text string, cache bool) (Counts, error) {
	found := map[string]float64{}
	for _, line := range totals.FindAllStringSubmatch(text, -1) {
		v, err := strconv.ParseFloat(strings.ReplaceAll(line[2], ",", ""), 64)
		if err != nil {
			return Counts{}, fmt.Errorf("%w: %q", errOutput, line[0])
		}
		found[line[1]] = v
	}
	c := Counts{Instructions: found["I"]}
	if c.Instructions == 0 || cache && len(found) < 6 {
		return Counts{}, errOutput
	}
	if cache {
		// RAM = misses of the last level; LL = misses of the first that it held.
		c.RAM = found["LLi"] + found["LLd"]
		c.LL = found["I1"] + found["D1"] - c.RAM
		c.L1 = found["I"] + found["D"] - c.LL - c.RAM
	}
	return c, nil
}

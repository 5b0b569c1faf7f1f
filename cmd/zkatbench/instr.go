package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/instr"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

var (
	instrRecords = &bench.Axis[int]{
		Name: "n", Flag: "n", Default: "50", Values: bench.Numbers(1, 1<<15), Show: bench.Never, One: true,
		Usage: "operations of the shorter run; the longer one has twice as many",
	}
	cacheFlag   = toggle("cache", "simulate caches of a fixed size, and estimate cycles")
	skipMissing = toggle("skip-missing", "end with status 0 if Valgrind is not installed")
	benchFormat = &bench.Axis[string]{
		Name: "format", Flag: "format", Default: asText, Show: bench.Never, One: true, Values: bench.Names(asText, asBench),
		Usage: "text, or bench: Go benchmark format with the unit instr/op, for zkatbench compare and gate",
	}
)

// instructions prints the instructions of one operation.
func instructions(ctx context.Context, args []string, s streams) error {
	p, _, err := oneProgram("instr", bench.Axes(instrRecords, seedFlag, cacheFlag, skipMissing, benchFormat), args, s.out)
	if p == nil {
		return err
	}
	return countInstructions(ctx, p, args, s)
}

func countInstructions(ctx context.Context, p *oneshot.Program, args []string, s streams) error {
	if err := instr.Missing(); err != nil {
		if skipMissing.Of(p.Case) {
			fmt.Fprintf(s.err, "zkatbench: instr: %v: skipped\n", err)
			return nil
		}
		return usageError("instr: %w; it counts instructions, on Linux only", err)
	}
	self, err := os.Executable()
	if err != nil {
		return inside("instr", err)
	}
	o := instr.Options{N: max(instrRecords.Of(p.Case), 1), Cache: cacheFlag.Of(p.Case), Command: func(prepared, worked int) []string {
		return append([]string{self, "oneshot"}, oneshotArgs(p, prepared, worked)...)
	}}
	if p.Op.Read != nil {
		o.Input = func(prepared int) ([]byte, error) { return inputsOf(ctx, *p, prepared) }
	}
	perOp, n, err := instr.Measure(ctx, o)
	if err != nil {
		return inside("instr", err)
	}
	change, err := lastChange(p.Name(), perOp.Instructions)
	if err != nil {
		return inside("instr", err)
	}
	if benchFormat.Of(p.Case) == asBench {
		_, err = fmt.Fprintf(s.out, "Unit instr/op better=lower\nBenchmark%s %d %.0f instr/op\n", p.Name(), n, perOp.Instructions)
		return err
	}
	fmt.Fprintln(s.out, p.Name())
	row := func(label string, v float64, note string) {
		fmt.Fprintf(s.out, "  %-18s%15s%s\n", label, instr.Grouped(v), note)
	}
	row("Instructions:", perOp.Instructions, " "+change)
	if o.Cache {
		row("L1 Accesses:", perOp.L1, "")
		row("L2 Accesses:", perOp.LL, "")
		row("RAM Accesses:", perOp.RAM, "")
		row("Estimated Cycles:", perOp.Cycles(), "")
	}
	_, err = fmt.Fprintf(s.out, "instr: vector instructions count as one; processor features offered by %s\n", instr.Features())
	return err
}

// oneshotArgs is the command line of oneshot for the same operation and case.
func oneshotArgs(p *oneshot.Program, prepared, worked int) []string {
	args := []string{p.Op.Name, "-seed=" + strconv.FormatUint(p.Seed, 10), "-n=" + strconv.Itoa(worked), "-prepare=" + strconv.Itoa(prepared)}
	if p.Op.Read != nil {
		args = append(args, "-stdin")
	}
	return append(args, p.Case.Flags()...)
}

// inputsOf returns the inputs of prepared records as text. A program that reads
// them does not make them, which would take more instructions than its work and
// vary more.
func inputsOf(ctx context.Context, p oneshot.Program, prepared int) ([]byte, error) {
	p.Records = prepared
	r, err := p.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = r.Emit(&b)
	return b.Bytes(), err
}

// sameInstructions is the relative difference that two counts of one program show.
const sameInstructions = 0.001

// lastChange compares a count with the last one of that name, which is kept in the
// user's cache folder, and keeps it in its place.
func lastChange(name string, count float64) (string, error) {
	path := filepath.Join(filepath.Dir(defaultCosts()), "instructions.json")
	kept := map[string]float64{}
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	last, known := kept[name]
	kept[name] = count
	b, err = json.MarshalIndent(kept, "", "\t")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = outfile.WriteBytes(path, append(b, '\n'))
	}
	switch shift := count/last - 1; {
	case err != nil || !known:
		return "", err
	case shift <= sameInstructions && shift >= -sameInstructions:
		return "(No change)", nil
	default:
		return fmt.Sprintf("(%+.4f%%)", 100*shift), nil
	}
}

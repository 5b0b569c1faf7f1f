package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/score"
)

// run builds the benchmarks of packages once and measures them: some processes,
// each with a warm-up and some iterations of a fixed time. tests are flags of go
// test.
func (f scoreFlags) run(ctx context.Context, packages, tests []string, s streams) ([]score.Row, error) {
	flags, err := result.ParseFlags(tests)
	if err != nil {
		return nil, usageError("score: %w", err)
	}
	unlock, err := lockForBinaries(ctx, *f.free, s.err)
	if err != nil {
		return nil, err
	}
	defer unlock()
	dir, err := os.MkdirTemp("", "zkatbench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binaries, err := result.Source{Dir: ".", Packages: packages, Flags: flags.Build}.Build(ctx, dir)
	if err != nil {
		return nil, err
	}
	// The first result of each benchmark in each process is the warm-up.
	flags.Run = append(slices.Clip(flags.Run), "-test.benchtime="+f.time.String(), fmt.Sprintf("-test.count=%d", *f.iterations+1))
	show, wipe := percent(s.err, "forks")
	defer wipe()
	var rows []score.Row
	for fork := range *f.forks {
		if show != nil {
			show(fork, *f.forks)
		}
		more, err := f.fork(ctx, binaries, flags)
		if err != nil {
			return nil, err
		}
		rows = mergeForks(rows, more)
	}
	return rows, nil
}

// fork measures all benchmarks in a new process each package.
func (f scoreFlags) fork(ctx context.Context, binaries []result.Binary, flags result.Flags) (rows []score.Row, err error) {
	for _, b := range binaries {
		var text strings.Builder
		if err := b.Measure(ctx, flags, nil, func(l result.Line) { text.WriteString(l.Text + "\n") }); err != nil {
			return nil, err
		}
		if !strings.Contains(text.String(), "\nBenchmark") && !strings.HasPrefix(text.String(), "Benchmark") {
			continue // a package without benchmarks that match
		}
		more, err := score.Read(strings.NewReader(text.String()), b.Package, *f.mode)
		if err != nil {
			return nil, err
		}
		for i, r := range more {
			more[i].Warmup = 1
			more[i].Samples = [][]float64{r.Samples[0][1:]}
			if r.CPU != nil {
				more[i].CPU = [][]float64{r.CPU[0][1:]}
			}
		}
		rows = append(rows, more...)
	}
	if len(rows) == 0 {
		return nil, result.ErrNoBenchmarks
	}
	return rows, nil
}

// mergeForks adds the samples of more to the rows with the same name and mode.
func mergeForks(rows, more []score.Row) []score.Row {
	for _, r := range more {
		i := slices.IndexFunc(rows, func(old score.Row) bool { return old.Mode == r.Mode && old.Name() == r.Name() })
		if i < 0 {
			rows = append(rows, r)
			continue
		}
		if rows[i].CPU != nil && r.CPU != nil {
			rows[i].CPU = append(rows[i].CPU, r.CPU...)
		} else {
			rows[i].CPU = nil
		}
		rows[i].Samples = append(rows[i].Samples, r.Samples...)
	}
	return rows
}

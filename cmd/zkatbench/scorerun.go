package main

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/score"
)

// run measures the benchmarks of packages as the command run does, in some processes,
// each with a warm-up and some iterations of a fixed time. tests are flags of go test.
func (f scoreFlags) run(ctx context.Context, packages, tests []string, s streams) ([]score.Row, error) {
	flags, err := result.ParseFlags(tests)
	if err != nil {
		return nil, usageError("score: %w", err)
	}
	flags.Run = append(slices.Clip(flags.Run), "-test.benchtime="+f.time.String())
	results := *f.iterations + 1 // the first one is the warm-up
	var text bytes.Buffer
	err = measurement{"score", "", *f.free, packages, false}.run(ctx, result.Suite{Flags: flags, Count: *f.forks, Each: results}, s,
		func(result.Environment, streams) (result.Sink, func() error, error) {
			return result.Stream{Writer: &text}, func() error { return nil }, nil
		})
	if errors.Is(err, result.ErrInterrupted) {
		err = errInterrupted
	}
	if err != nil {
		return nil, err
	}
	rows, err := score.Read(&text, "results", *f.mode)
	for i, r := range rows {
		rows[i].Warmup, rows[i].Samples, rows[i].CPU = 1, nil, nil
		for fork := range slices.Chunk(r.Samples[0], results) {
			rows[i].Samples = append(rows[i].Samples, fork[1:])
		}
		if r.CPU != nil {
			for fork := range slices.Chunk(r.CPU[0], results) {
				rows[i].CPU = append(rows[i].CPU, fork[1:])
			}
		}
	}
	return rows, scoreError(err)
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

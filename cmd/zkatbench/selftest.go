package main

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/selftest"
)

// selfTestLine audits the load runner.
func selfTestLine(s streams) *commandLine {
	l := newLine("selftest", "[flags]", "audit this machine for the load runner: clock, timers, cost, stalls")
	effort := flags.One(&l.flags, "effort", "1", "factor for the time of the checks; 1 takes some seconds", efforts)
	l.exec = func(ctx context.Context, _ []string) error {
		err := selftest.Run(ctx, s.out, selftest.Options{Scale: *effort})
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			return fmt.Errorf("zkatbench: %w", err)
		}
		return nil
	}
	return l
}

var efforts = flags.Values[float64]{
	Allowed: "a number from 0.1 to 1000",
	Parse: func(item string) ([]float64, bool) {
		v, err := strconv.ParseFloat(item, 64)
		return []float64{v}, err == nil && !math.IsNaN(v) && v >= 0.1 && v <= 1000
	},
	Text: func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) },
}

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/selftest"
)

// effort multiplies the time and the number of trials of the checks.
var effort = &bench.Axis[float64]{
	Name: "effort", Flag: "effort", Default: "1", Show: bench.Never, One: true,
	Usage: "factor for the time and the number of trials of the checks; 1 takes about ten seconds",
	Values: bench.Values[float64]{
		Allowed: "a number from 0.1 to 1000",
		Parse: func(item string) ([]float64, bool) {
			v, err := strconv.ParseFloat(item, 64)
			return []float64{v}, err == nil && !math.IsNaN(v) && v >= 0.1 && v <= 1000
		},
		Text: func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) },
	},
}

var coverage = toggle("coverage", "instead of the checks, simulate known processes and print how often each interval holds "+
	"(with -effort=1, some minutes)")

var decisions = toggle("decisions", "instead of the checks, simulate known processes and print how often -require decides right "+
	"(with -effort=1, half a minute)")

// selfTest audits the load runner on this machine.
func selfTest(ctx context.Context, args []string, out io.Writer) error {
	set := bench.Set{Program: "zkatbench", Env: "ZKAT_", Axes: bench.Axes(effort, coverage, decisions)}
	sel, err := selection(commandLine{name: "selftest", takes: "[flags]"}, set, args, out)
	if sel == nil || err != nil {
		return err
	}
	scale := effort.All(sel)[0]
	switch {
	case coverage.All(sel)[0]:
		err = selftest.Coverage(ctx, out, scale)
	case decisions.All(sel)[0]:
		err = selftest.Decisions(ctx, out, scale)
	default:
		err = selftest.Run(ctx, out, selftest.Options{Scale: scale})
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return fmt.Errorf("zkatbench: %w", err)
	}
	return nil
}

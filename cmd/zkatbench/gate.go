package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/runner/flags"
)

const gateHelp = `Ends with a status that says whether HEAD is slower than BASE. Arguments and flags are
as in zkatbench help compare.

With -prove the arguments are packages. The gate compares them with themselves under other layouts, and
with planted faults: 2, 5 and 10 % more time, one more allocation, a benchmark that measures nothing. It
prints what it finds and the rules to keep, and ends with status 1 if it raises an alarm without a
fault, or misses 10 %, the allocation or the empty benchmark, and with status 3 if the machine was too
busy to prove 10 %.

A comparison without a verdict passes if its interval excludes a regression of ten times the threshold.

Exit status: 1 regression; 3 cannot tell, or a benchmark is missing, or there was no comparison.`

// gateExit maps outcomes to exit statuses.
var gateExit = map[gate.Outcome]int{gate.Pass: 0, gate.Regressed: negative, gate.Unclear: undecided}

// gateLine is compare with the outcome as its exit status.
func gateLine(s streams) *commandLine {
	l, c := comparisonLine("gate", "fail, by exit status, if compare finds a regression", gateHelp)
	flags.Into(&l.flags, &c.strict, "strict", "false", "", flags.Switch())
	prove := flags.One(&l.flags, "prove", "false",
		": compare the packages with themselves, as they are and with planted faults", flags.Switch())
	l.exec = func(ctx context.Context, args []string) error {
		if *prove {
			return c.prove(ctx, args, *l.afterDashes, s)
		}
		return c.exec(ctx, l, args, s, func(r gate.Report) error {
			if status := gateExit[r.Outcome()]; status != 0 {
				return exitError{status: status}
			}
			return nil
		})
	}
	return l
}

// prove shows which faults the gate finds in packages of the working directory.
func (c *comparison) prove(ctx context.Context, packages, tests []string, s streams) error {
	if err := c.check(append([]string{".", "."}, packages...), tests); err != nil {
		return err
	}
	if len(packages) == 0 {
		return errors.New("-prove: name the packages, as in zkatbench gate -prove ./... -- -bench=Sender")
	}
	o, err := c.alone(s)
	if err != nil {
		return err
	}
	p, err := compare.Prove(ctx, o, func(f gate.Fault, budget time.Duration) {
		fmt.Fprintf(s.err, "zkatbench: gate: -prove: fault %s, %v\n", f.Name, budget.Round(time.Second))
	}, func(r gate.Report) error {
		if !c.all {
			return nil
		}
		return r.WriteText(s.out, true)
	})
	if err == nil {
		err = p.WriteText(s.out)
	}
	switch {
	case err != nil:
	case !p.Sound():
		return exitError{status: negative}
	case p.Busy():
		return exitError{status: undecided}
	}
	return err
}

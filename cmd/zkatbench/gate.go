package main

import (
	"fmt"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/runner/flags"
)

const gateHelp = `Ends with a status that says whether HEAD is slower than BASE. Arguments and flags are as in zkatbench help compare.

With -prove the arguments are packages. The gate compares them with themselves under other layouts,
and with planted faults: 2, 5 and 10 % more time, one more allocation, a benchmark that measures
nothing. It prints what it finds and the rules to keep, and ends with status 1 if it raises an alarm
without a fault, or misses 10 %, the allocation or the empty benchmark.

Exit status: 0 no regression; 1 regression; 2 bad command line, input or tool; 3 cannot tell, or
a benchmark is missing, or there was no comparison; 130 interrupted.`

// gateExit maps outcomes to exit statuses.
var gateExit = map[gate.Outcome]int{gate.Pass: 0, gate.Regressed: 1, gate.Unclear: 3}

// gateLine is compare with the outcome as its exit status.
func gateLine(s streams) *commandLine {
	var undecided *string
	l := comparisonLine("gate", "fail, by exit status, if compare finds a regression or cannot tell", gateHelp, s, func(r gate.Report) error {
		status := gateExit[r.Outcome()]
		if r.OnlyUndecided() && *undecided != "fail" {
			status = 0
			if *undecided == "warn" {
				fmt.Fprintf(s.err, "::warning::zkatbench: gate: %d undecided; see the summary\n", r.Count(gate.Unknown))
			}
		}
		if status == 0 {
			return nil
		}
		return exitError{status: status}
	})
	undecided = flags.One(&l.flags, "undecided", "fail", "end with status 3 (fail) or 0 if all that is wrong are comparisons without a verdict; warn prints a warning for GitHub",
		flags.Names("pass", "warn", "fail"))
	return l
}

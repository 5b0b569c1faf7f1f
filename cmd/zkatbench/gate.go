package main

import (
	"github.com/zkatbench/zkatbench/bench/gate"
)

const gateHelp = `Ends with a status that says whether HEAD is slower than BASE. Arguments and flags are as in zkatbench help compare.

With -prove the arguments are packages. The gate compares them with themselves under other layouts,
and with planted faults: 2, 5 and 10 % more time, one more allocation, a benchmark that measures
nothing. It prints what it finds and the rules to keep, and ends with status 1 if it raises an alarm
without a fault, or misses 10 %, the allocation or the empty benchmark.

A comparison without a verdict passes if its interval excludes a regression of ten times the threshold.

Exit status: 1 regression; 3 cannot tell, or a benchmark is missing, or there was no comparison.`

// gateExit maps outcomes to exit statuses.
var gateExit = map[gate.Outcome]int{gate.Pass: 0, gate.Regressed: negative, gate.Unclear: undecided}

// gateLine is compare with the outcome as its exit status.
func gateLine(s streams) *commandLine {
	return comparisonLine("gate", "fail, by exit status, if compare finds a regression", gateHelp, s, func(r gate.Report) error {
		if status := gateExit[r.Outcome()]; status != 0 {
			return exitError{status: status}
		}
		return nil
	})
}

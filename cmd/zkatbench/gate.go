package main

import (
	"errors"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

const gateHelp = sidesHelp + `

Exit status: 0 no regression; 1 regression; 2 bad command line, input or tool; 3 cannot tell, or
a benchmark is missing, or there was no comparison; 130 interrupted.`

// gateExit maps outcomes to exit statuses.
var gateExit = map[gate.Outcome]int{gate.Pass: 0, gate.Regressed: 1, gate.Unclear: 3}

// gateLine is compare with the outcome as its exit status.
func gateLine(s streams) *commandLine {
	return comparisonLine("gate", "fail, by exit status, if compare finds a regression or cannot tell", gateHelp, s, func(r gate.Report, err error) error {
		switch status := gateExit[r.Outcome()]; {
		case errors.Is(err, result.ErrInterrupted), errors.Is(err, errUsage):
			return err
		case err != nil:
			return exitError{2, err}
		case status != 0:
			return exitError{status: status}
		}
		return nil
	})
}

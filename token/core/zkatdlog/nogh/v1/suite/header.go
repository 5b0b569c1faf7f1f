package suite

import (
	"fmt"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
)

// header describes the results of a selection.
func header(s *bench.Selection) bench.Header {
	return bench.Header{
		Exact: []string{"proof-B", "action-B", "request-B", "metadata-B", "written-B", "removed-B", "reads",
			"writes"},
		Config:  [][2]string{{"proof-type", proofTypes(s)}},
		Prepare: func() string { return tables(s.Cases(bench.Serial)) },
	}
}

// tables builds the tables of the first case and says how long that took. Tables
// of other cases are also built before their timers start.
func tables(cases []bench.Case) string {
	if len(cases) == 0 {
		return "Tables: none"
	}
	n, err := networkOf(cases[0])
	if err != nil {
		return "Tables: none" // the first operation reports the error
	}
	kept.Lock()
	defer kept.Unlock()
	return fmt.Sprintf("Tables: %.2g s, before the timer", kept.building[n].Seconds())
}

// proofTypes lists the range-proof systems with necessary warnings.
func proofTypes(s *bench.Selection) string {
	var kinds []string
	for _, kind := range Proof.All(s) {
		if !systems.Sound(rangeproof.Kind(kind)) {
			kind += " (unsound against a malicious prover; for measurement)"
		}
		kinds = append(kinds, kind)
	}
	return strings.Join(kinds, ", ")
}

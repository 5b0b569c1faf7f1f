package suite

import (
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
)

// Header is what the benchmarks of a selection say beside their figures.
func Header(s *bench.Selection) bench.Header {
	exact := []string{"proof-B", "action-B", "request-B"}
	if slices.Contains(Ops.All(s), true) {
		exact = append(exact, countedUnits()...)
	}
	return bench.Header{Exact: exact, Config: [][2]string{{"proof-type", proofTypes(s)}}}
}

// countedUnits are those of -ops.
func countedUnits() (units []string) {
	for _, u := range (count.Counts{}).Units() {
		units = append(units, u.Name)
	}
	return units
}

// proofTypes lists the range-proof systems, with what must be known of them.
func proofTypes(s *bench.Selection) string {
	var kinds []string
	for _, kind := range Proof.All(s) {
		if kind == string(rangeproof.Bulletproof) {
			kind += " (unsound against a malicious prover; for measurement)"
		}
		kinds = append(kinds, kind)
	}
	return strings.Join(kinds, ", ")
}

package suite

import (
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
)

// Header describes the results of a selection.
func Header(s *bench.Selection) bench.Header {
	return bench.Header{Exact: []string{"proof-B", "action-B", "request-B"}, Config: [][2]string{{"proof-type", proofTypes(s)}}}
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

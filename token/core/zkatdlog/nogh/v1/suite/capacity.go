package suite

import (
	"fmt"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/capacity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
)

// Capacity is the token engine as a subject of plans for networks.
var Capacity = capacity.Subject{
	Of:   Subject,
	Axes: bench.Axes(Bits, Curve, Inputs, Outputs, Proof, Protocol, Owner),
	Defaults: map[string]string{
		"bits": "64", "curves": "BN254,BLS12_381_BBS_GURVY", "num_inputs": "2", "num_outputs": "2",
		"proof_type": "csp", "protocol": "v1,v2", "owner": "x509,idemix",
	},
	Actions: []string{"transfer", "issue", "redeem"},
	Shape:   bench.Axes(Inputs, Outputs),
	Mix:     "transfer=0.96,issue=0.02,redeem=0.02",
	Roles: []capacity.Role{
		{Name: "wallet", Does: "makes a request and signs it", Parties: capacity.Many,
			Ops: names(transferServiceTransfer, issueServiceIssue, transferServiceRedeem)},
		{Name: "endorser", Does: "validates a request", Parties: capacity.Endorsers, Waits: true,
			Ops: names(validatorTransfer, validatorIssue, validatorRedeem), Batch: validatorBatch.Name},
		{Name: "auditor", Does: "opens a request and signs it", Parties: capacity.Auditors,
			Ops: names(auditorEndorseTransfer, auditorEndorseIssue, auditorEndorseRedeem)},
		{Name: "committer", Does: "reads and writes the entries of a request", Parties: capacity.All,
			Ops: names(ledgerTransfer, ledgerIssue, ledgerRedeem)},
	},
	Collected: batchSize,
	Choices:   choices,
	Changes: []capacity.Change{
		{Name: "v2 instead of v1 with CSP", Flag: "protocol", From: "v1", To: "v2"},
		{Name: "X.509 instead of Idemix owners", Flag: "owner", From: "idemix", To: "x509"},
		{Name: "BN254 instead of BLS12-381", Flag: "curves", From: "BLS12_381_BBS_GURVY", To: "BN254"},
		{Name: "batches of 16", Batch: 16},
	},
}

// Tables returns the bytes of the tables of a case that has parameters.
func Tables(c bench.Case) (int, error) {
	n, err := networkOf(c)
	if err != nil {
		return 0, err
	}
	return n.Params.Precompute(), nil
}

func names(ops ...bench.Op) (names []string) {
	for _, op := range ops {
		names = append(names, op.Name)
	}
	return names
}

// choices returns the choices of a selection. The range-proof system has no
// effect on v2, so v2 is a choice once.
func choices(sel *bench.Selection) (all []capacity.Choice) {
	seen := map[string]bool{}
	for _, c := range sel.Cases(bench.Serial) {
		one := capacity.Choice{Case: c}
		one.Name = strings.Join([]string{protocolOf(c), shortCurve(Curve.Of(c)), Owner.Of(c)}, " ")
		if len(Bits.All(sel)) > 1 || Bits.Of(c) != 64 {
			one.Name += fmt.Sprintf(" %d-bit", Bits.Of(c))
		}
		if len(Inputs.All(sel)) > 1 || len(Outputs.All(sel)) > 1 {
			one.Name += fmt.Sprintf(" %d-in %d-out", Inputs.Of(c), Outputs.Of(c))
		}
		switch {
		case Protocol.Of(c) == "v2":
			one.Protects, one.Warning = true, "v2: no outside review yet"
			one.Ignored = bench.Axes(Proof)
		case systems.Sound(rangeproof.Kind(Proof.Of(c))):
			one.Protects = true
		default:
			one.Warning = "v1 Bulletproofs: for measurement and interoperation, never for value"
		}
		if !seen[one.Name] && CheckOwner(c) == nil {
			seen[one.Name] = true
			all = append(all, one)
		}
	}
	return all
}

func protocolOf(c bench.Case) string {
	if Protocol.Of(c) == "v2" {
		return "v2"
	}
	return Protocol.Of(c) + " " + Proof.Of(c)
}

// shortCurve is the name of a curve without the part that all of a family have.
func shortCurve(name string) string {
	if short, found := strings.CutSuffix(name, "_BBS_GURVY"); found {
		return strings.ReplaceAll(short, "_", "-")
	}
	return name
}

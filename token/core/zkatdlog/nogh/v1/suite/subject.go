package suite

import (
	"slices"

	"github.com/zkatbench/zkatbench/bench"
)

// Subject is the token engine as a subject of the harness.
var Subject = bench.Subject{
	Name:    "token",
	Summary: "token requests of ZKAT-DLog without graph hiding, protocols v1 and v2",
	Axes: bench.Axes(Bits, Curve, Inputs, Outputs, Proof, Protocol, Owner, presentations, executorName,
		backend, tableMB, batchSize),
	Ops:    slices.Concat(operations, requests, planned, batches),
	Header: header,
	Costs:  costs,
}

// operations are the operations on actions, requests on whole requests.
var (
	operations = slices.Concat(
		in("/transfer", Sender, VerificationSenderProof, transferProofGeneration),
		in("/issue", issuer, proofVerificationIssuer))
	requests = slices.Concat(
		in("/validator", validatorTransfer, validatorIssue),
		in("", transferServiceTransfer, issueServiceIssue, auditorServiceCheck))
	// planned are the other operations for plans of networks.
	planned = slices.Concat(
		in("/validator", validatorRedeem, validatorBatch),
		in("", transferServiceRedeem, auditorEndorseTransfer, auditorEndorseIssue, auditorEndorseRedeem,
			ledgerTransfer, ledgerIssue, ledgerRedeem))
	batches = in("/transfer", verifyBatch, actionMarshalling)
)

// in returns ops as operations with benchmarks in a package of the protocol.
func in(folder string, ops ...bench.Op) []bench.Op {
	for i := range ops {
		ops[i].Package = "./token/core/zkatdlog/nogh/v1" + folder
	}
	return ops
}

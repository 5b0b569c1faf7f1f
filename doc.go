// Package zkatbench is the map of the module; it contains no code.
//
//	token/      private token payments: the protocol v1 "ZKAT-DLog, no graph
//	            hiding", byte for byte, and v2
//	  crypto/   groups, encodings, transcripts, commitments: no tokens yet
//	  core/     owners' identities; proofs, and above them issue, transfer,
//	            validation and audit
//	count/      counted operations and unit costs, for any algebra
//	scheme/     other cryptography on the same harness
//	bench/      any operation over a matrix of parameters, as ordinary Go
//	            benchmarks: flags, names, metrics, comparison, gate
//	runner/     any Go function under load, with a latency report
//	node/       a validation service and an adapter, a module of its own
//	peers/      other proof systems to compare with, a module of its own
//	cmd/        the command zkatbench
//	internal/   tests of the tree, planted faults
//	docs/       a page for each topic; begin with docs/README.md
//
// The tests of this package offer the main benchmarks in the root folder:
//
//	go test -bench=BenchmarkSender -benchmem
//	go test -run=TestParallelBenchmarkSender -workers=1,10
package zkatbench

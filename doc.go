// Package zkatbench is the map of the module; it contains no code.
//
//	token/      private token payments: the v1 protocol "ZKAT-DLog, no graph
//	            hiding", byte for byte
//	  crypto/   groups, encodings, transcripts, commitments: no tokens yet
//	  core/zkatdlog/nogh/
//	            proofs, and above them issue, transfer, validation and audit
//	bench/      any operation over a matrix of parameters, as ordinary Go
//	            benchmarks: flags, names, metrics, comparison, gate
//	runner/     any Go function under load, with a latency report
//	cmd/        the command zkatbench
//	docs/       a page for each topic; begin with docs/README.md
//
// The tests of this package offer the main benchmarks in the root folder:
//
//	go test -bench=BenchmarkSender -benchmem
//	go test -run=TestParallelBenchmarkSender -workers=1,10
package zkatbench

// Package selftest has the tests that audit the load runner: figures against known
// processes in simulated time, and the machine where the runner is used: its clock, the
// cost of recording, the punctuality of starts, and stalls.
//
//	machine_test.go    TestMachine: clock, recording, pacer, stalls
//	coverage_test.go, decisions_test.go  how often intervals hold and verdicts are right
//	faults_test.go     outages, cut operations, batches, small samples
package selftest

// Package suite declares each benchmarked operation of the v1 protocol once:
// set-up, work, check.
//
//	subject.go    the suite as a bench.Subject
//	axes.go       the parameters of the matrix, and their flags
//	costs.go      unit costs of the group of a case
//	header.go     description of the results in the output
//	setting.go    the network of a case, kept for the next one
//	yardstick.go  the unit of time
//	action.go     making and verifying any action
//	transfer.go   the operations of a transfer
//	issue.go      the operations of an issue
//	request.go    the operations on whole requests
//	clear.go      the same operations on tokens in the clear, a baseline
//	plan.go       more of them, for plans of networks
//	capacity.go   the roles of a network and their operations
//	suitetest/    drives the operations from go test, and registers the flags
//	batch.go      many transfers verified together
//
// Package bench drives operations by testing.B and by the runner.
// docs/measuring.md is the user's guide.
package suite

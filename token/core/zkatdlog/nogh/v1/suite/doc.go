// Package suite declares each benchmarked operation of the v1 protocol once:
// set-up, work, check.
//
//	axes.go      the parameters of the matrix
//	header.go    what the output says beside the figures
//	setting.go   parameters and groups of a case, kept from one case to the next
//	transfer.go  making, proving and verifying transfers
//	issue.go     making and verifying issues
//	suitetest/   drives them from go test, and registers the flags
//
// Package bench drives the operations by testing.B and by the runner. docs/benchmarks.md
// is the user's guide.
package suite

// Package selftest has the tests that audit the load runner: figures against known
// processes in simulated time, and the machine where the runner is used: its clock, the
// cost of recording, the punctuality of starts, and stalls.
package selftest

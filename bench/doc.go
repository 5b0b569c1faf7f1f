// Package bench drives one operation over a matrix of parameters in three
// ways: by testing.B, by testing.B in parallel, and by the load runner.
//
//	axis.go       a parameter of the matrix: its flag, its values, its key in names
//	flags.go      flags with twins in the environment, checked before anything runs
//	matrix.go     the cases that the flags ask for
//	subject.go    a system under measurement: its axes, operations and header
//	op.go         an operation: set-up, work, check
//	shot.go       the operation once, in a fresh environment
//	inside.go     the operations of its algebra, counted
//	purity.go     reasons to doubt the time of an operation
//	samples.go    prepared environments that a benchmark cycles through
//	serial.go     the operation in a testing.B
//	parallel.go   the operation in a testing.B with a number of workers
//	load.go       the operation under the runner, with its reports
//	streams.go    destination of its reports, so that go test does not discard them
//	suite.go      shared by all three: one at a time, header, figures
//	once.go       the operation once, if no run was requested
//	yardstick.go  a known operation, timed along with the measured one
//	header.go     lines that benchstat reads: exact units, configuration
//	cpu.go        processor time of the operation, of one thread or of all
//	profile.go    a CPU and a heap profile for each case
//	common.go     the parameters that every suite can have
//
// The package does not depend on the measured system. An operation is declared
// once, as a value of type Op; everything except its work stays outside the
// timer. Its result is checked once in each case, so that no benchmark times an
// operation that fails.
//
// Importing the package registers no flag: test packages do that with
// Subject.RegisterLoad.
package bench

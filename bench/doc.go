// Package bench drives one operation over a matrix of parameters in three
// ways: by testing.B, by testing.B in parallel, and by the load runner.
//
//	axis.go       a parameter of the matrix: its flag, its values, its key in names
//	values.go     the kinds of values: numbers, names, workers, durations, switches
//	flags.go      flags with twins in the environment, checked before anything runs
//	matrix.go     the cases that the flags ask for
//	subject.go    a system under measurement: its axes, operations and header
//	op.go         what an operation is: set-up, work, check
//	inside.go     the operations of its algebra, counted
//	purity.go     what makes the time of an operation doubtful
//	samples.go    prepared environments that a benchmark cycles through
//	serial.go     the operation in a testing.B
//	parallel.go   the operation in a testing.B with a number of workers
//	load.go       the operation under the runner, with its reports
//	heard.go      where its reports go, so that go test does not throw them away
//	suite.go      what the three have in common: one at a time, header, figures
//	once.go       ... and once only, where nobody asked for a run
//	yardstick.go  a known operation, timed beside the measured one
//	header.go     lines that benchstat reads: exact units, configuration
//	profile.go    a CPU and a heap profile for each case
//
// It knows nothing of what is measured. An operation is declared once, as a
// value of type Op; everything that is not its work stays outside the timer,
// and its result is checked once in each case, so that no benchmark can time
// an operation that fails.
//
// Importing it registers no flag: test packages do that, with Set.Register.
package bench

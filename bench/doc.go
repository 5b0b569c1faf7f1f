// Package bench drives one operation over a matrix of parameters in three
// ways: by testing.B, by testing.B in parallel, and by the load runner.
//
//	flags.go      flags with twins in the environment, checked before anything runs;
//	              the parameters that every suite can have
//	matrix.go     a parameter of the matrix: its flag, its values, its key in names; the cases
//	              that the flags ask for
//	subject.go    a system under measurement: its axes, operations and header; its suite, which
//	              all three drivers share: one at a time, figures, lines that benchstat reads
//	op.go         an operation: set-up, work, check; its algebra, counted; one shot of it, in a
//	              fresh environment
//	samples.go    prepared environments that a benchmark cycles through, and reasons to
//	              doubt their times
//	loop.go       the operation in a testing.B, in one goroutine or a number of workers; a
//	              CPU and a heap profile for each case
//	load.go       the operation under the runner, with its reports, which go test must not
//	              discard, or once
//	yardstick.go  processor time of the operation, and a known one timed along with it
//
// The package does not depend on the measured system. An operation is declared
// once, as a value of type Op; everything except its work stays outside the
// timer. Its result is checked once in each case, so that no benchmark times an
// operation that fails.
//
// Importing the package registers no flag: test packages do that with
// Subject.RegisterLoad.
package bench

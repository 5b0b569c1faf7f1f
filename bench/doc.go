// Package bench drives one operation over a matrix of parameters in three
// ways: by testing.B, by testing.B in parallel, and by the load runner.
//
// A Subject is a system under measurement: operations, and axes, which become
// flags and names of cases. A Suite has the common parts of the three drivers:
// environments that are prepared and reused, figures, headers, and lines that
// benchstat reads. A yardstick, a known operation, is timed along with each.
//
// The package does not depend on the measured system. An operation is declared
// once, as a value of type Op; everything except its work stays outside the
// timer. Its result is checked once in each case, so that no benchmark times an
// operation that fails.
//
// Importing the package registers no flag: test packages do that with
// Subject.RegisterLoad.
package bench

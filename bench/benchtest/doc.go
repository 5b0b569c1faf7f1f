// Package benchtest drives and tests the operations of any bench.Subject.
//
// Only tests import it. A test package of a subject needs three lines:
//
//	var drive = benchtest.New(suite.Subject)
//
//	func TestMain(m *testing.M)           { drive.Main(m) }
//	func BenchmarkSign(b *testing.B)      { drive.Benchmark(b, suite.Sign) }
//	func TestSubject(t *testing.T)        { benchtest.Conform(t, suite.Subject) }
package benchtest

// Package suitetest drives the operations of package suite from go test.
//
// Importing it registers the flags of the suite on flag.CommandLine, so only
// tests import it. go test hands a flag to every package that it names, and a
// test binary refuses flags that it does not know; therefore every test package
// below token/ imports this one, most of them for nothing else:
//
//	import _ "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/suitetest"
//
// A test of this package fails if one is missing.
package suitetest

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

var flags = suite.Options.RegisterLoad(flag.CommandLine)

// Main is the TestMain of packages with benchmarks: a bad flag is one line on
// the standard error and exit status 2, before anything runs. After ^C the exit
// status is 130.
func Main(m *testing.M) {
	flag.Parse()
	if flag.NArg() > 0 { // go test hands over what stands behind flags that it does not know
		fmt.Fprintf(os.Stderr, "zkatbench: %q is no flag; packages stand before flags, as in go test ./pkg -bits=32\n", flag.Arg(0))
		os.Exit(2)
	}
	os.Exit(driver().Status(m.Run()))
}

// driver reads the flags once.
var driver = sync.OnceValue(func() *bench.Suite {
	sel, err := flags.Resolve(os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return &bench.Suite{Selection: sel, Header: suite.Header(sel), Out: os.Stdout, Err: os.Stderr}
})

// Benchmark runs op over the matrix.
func Benchmark(b *testing.B, op bench.Op) { driver().Serial(b, op) }

// BenchmarkParallel runs op over the matrix and the numbers of workers.
func BenchmarkParallel(b *testing.B, op bench.Op) { driver().Parallel(b, op) }

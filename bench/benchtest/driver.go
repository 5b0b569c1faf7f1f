package benchtest

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/internal/suggest"
	"github.com/zkatbench/zkatbench/internal/testflags"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// Driver drives the operations of a subject by the flags of a test binary.
type Driver struct {
	subject bench.Subject
	suite   func() *bench.Suite
}

// New registers the flags of s on flag.CommandLine; flags of other subjects are
// accepted and ignored. It is called once in a test binary, when packages are
// initialised.
func New(s bench.Subject) *Driver {
	set := &flags.Set{Env: bench.Env}
	sel := s.RegisterLoad(set)
	set.Bind(flag.CommandLine)
	testflags.Accept(flag.CommandLine)
	return &Driver{subject: s, suite: sync.OnceValue(func() *bench.Suite {
		err := set.Resolve(os.Getenv)
		if err == nil {
			err = checkEnvironment(set)
		}
		if err != nil {
			fmt.Fprintln(stderr, "zkatbench:", err)
			os.Exit(2)
		}
		return s.Suite(sel)
	})}
}

// checkEnvironment refuses a variable with a name near to the name of a flag.
func checkEnvironment(set *flags.Set) error {
	// the last for a subject outside this module
	known := slices.Concat(testflags.Values, testflags.Switches, set.Names())
	return suggest.Environment(os.Environ(), set.Env, known)
}

// stderr makes control characters of flags and names visible.
var stderr = text.Printer{Writer: os.Stderr}

// Main is the TestMain of packages with benchmarks. A bad flag prints one line
// to standard error and exits with status 2 before anything runs. After ^C the
// exit status is 130. If -bench matches no case, one line names the benchmark or the
// case that the user may have meant.
func (d *Driver) Main(m *testing.M) {
	explainUnknownFlags()
	flag.Parse()
	if flag.NArg() > 0 { // go test passes on everything behind flags that it does not know
		fmt.Fprintf(stderr,
			"zkatbench: %q is not a flag; packages stand before flags, as in go test ./pkg -bits=32\n",
			flag.Arg(0))
		os.Exit(2)
	}
	status := d.suite().Status(m.Run())
	d.explainNoMatch(stderr)
	os.Exit(status)
}

// explainUnknownFlags replaces the list of all flags, which package flag prints after an
// error. If the command line has a flag that resembles one of them, one line replaces
// the list.
func explainUnknownFlags() {
	all := flag.Usage
	flag.Usage = func() {
		var names []string
		flag.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		for _, arg := range os.Args[1:] {
			name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if !strings.HasPrefix(arg, "-") || name == "h" || name == "help" || flag.Lookup(name) != nil {
				continue
			}
			if nearest := suggest.Nearest(name, names); nearest != "" {
				fmt.Fprintf(stderr, "zkatbench: there is no flag -%s; did you mean -%s?\n", name, nearest)
				return
			}
		}
		all()
	}
}

// Benchmark runs the operation that the benchmark is named after over the matrix.
func (d *Driver) Benchmark(b *testing.B) {
	d.suite().Serial(b, d.op(b))
}

// BenchmarkParallel runs the operation over the matrix and the numbers of workers.
func (d *Driver) BenchmarkParallel(b *testing.B) {
	d.suite().Parallel(b, d.op(b))
}

// Load runs the operation under the load runner and prints its reports if -run names the
// test; otherwise it does the operation once in each case and checks the result. ^C ends
// the run with a report of the finished part, a second ^C ends the program.
func (d *Driver) Load(t *testing.T) {
	if !bench.Named(t.Name()) {
		d.suite().Once(t, d.op(t))
		return
	}
	d.suite().Load(t.Context(), t, d.op(t))
}

// op returns the operation X for BenchmarkX, BenchmarkParallelX and TestParallelBenchmarkX.
func (d *Driver) op(t testing.TB) bench.Op {
	op, err := d.subject.Op(strings.NewReplacer("Test", "", "Parallel", "", prefix, "").Replace(t.Name()))
	if err != nil {
		t.Fatal(err)
	}
	return op
}

// explainNoMatch writes which benchmark or case the user may have meant if -bench
// matches no case of this binary. go test reports success then.
func (d *Driver) explainNoMatch(w io.Writer) {
	whole := flagText("test.bench")
	pattern, _, _ := strings.Cut(whole, "/")
	if pattern == "" || d.suite().Ran() || flagText("test.list") != "" || flagText("test.fuzz") != "" {
		return
	}
	own := benchmarks(pattern)
	switch {
	case len(own) > 0 && whole != pattern:
		fmt.Fprintf(w, "zkatbench: -bench=%s matches no case; flags select cases, whose names are like\n%s\n",
			whole, d.example(own[0]))
	case len(own) == 0: // otherwise -test.run=^$ and the like
		fmt.Fprintf(w, "zkatbench: -bench=%s matches no benchmark of this package; %s\n", pattern,
			elsewhere(d.subject, pattern))
	}
}

// example returns the name of the first case of a benchmark.
func (d *Driver) example(benchmark string) string {
	op, err := d.subject.Op(strings.TrimPrefix(benchmark, prefix))
	cases := d.suite().Selection.Cases(bench.Serial, op.Without...)
	if err != nil || len(cases) == 0 {
		return benchmark + "/KEY=VALUE"
	}
	return benchmark + "/" + cases[0].Name()
}

func flagText(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// elsewhere returns the packages of the benchmarks of s that match the pattern. Without
// a match it returns the benchmarks of this package.
func elsewhere(s bench.Subject, pattern string) string {
	var matched []string
	for _, op := range s.Ops {
		if found, _ := regexp.MatchString(pattern, prefix+op.Name); found { // go test reports a bad pattern
			matched = append(matched, prefix+op.Name+" is in "+s.PackageOf(op))
		}
	}
	if len(matched) == 0 {
		return "it has " + cmp.Or(strings.Join(benchmarks("."), ", "), "none")
	}
	return strings.Join(matched, ", ")
}

const prefix = "Benchmark"

// benchmarks lists the benchmarks of this binary that a pattern matches.
func benchmarks(pattern string) (names []string) {
	self, _ := os.Executable()
	list, _ := exec.Command(self, "-test.list="+pattern).Output() // the list is empty if it fails
	for name := range strings.Lines(string(list)) {
		if strings.HasPrefix(name, prefix) {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

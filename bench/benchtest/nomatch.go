package benchtest

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
)

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
		fmt.Fprintf(w, "zkatbench: -bench=%s matches no case; flags select cases, whose names are like\n%s\n", whole, d.example(own[0]))
	case len(own) == 0: // otherwise -test.run=^$ and the like
		fmt.Fprintf(w, "zkatbench: -bench=%s matches no benchmark of this package; %s\n", pattern, elsewhere(d.subject, pattern))
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

// elsewhere returns where the benchmarks of s are that the pattern matches, or else the
// benchmarks of this package.
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
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	list, err := exec.Command(self, "-test.list="+pattern).Output()
	if err != nil {
		return nil
	}
	for name := range strings.Lines(string(list)) {
		if strings.HasPrefix(name, prefix) {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

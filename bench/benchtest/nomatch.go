package benchtest

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/internal/suggest"
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
	hint := suggestion(d.subject, pattern)
	switch {
	case len(own) > 0 && whole != pattern:
		fmt.Fprintf(w, "zkatbench: -bench=%s matches no case; flags select cases, whose names are like\n%s\n", whole, d.example(own[0]))
		return
	case len(own) > 0:
		return // -test.run=^$ and the like
	case hint == "":
		hint = "it has " + shortened(benchmarks("."))
	}
	fmt.Fprintf(w, "zkatbench: -bench=%s matches no benchmark of this package; %s\n", pattern, hint)
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

// suggestion returns where the benchmarks of s are that the pattern matches, or else
// the name that is near to the pattern.
func suggestion(s bench.Subject, pattern string) string {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "" // go test reports it
	}
	var names, matched []string
	for _, op := range s.Ops {
		names = append(names, op.Name)
		if re.MatchString(prefix + op.Name) {
			matched = append(matched, prefix+op.Name+" is in "+s.PackageOf(op))
		}
	}
	typed := strings.Replace(strings.TrimPrefix(strings.Trim(pattern, "^$"), prefix), "Parallel", "", 1)
	op, err := s.Op(suggest.Nearest(typed, names))
	if len(matched) > 0 || err != nil {
		return shortened(matched)
	}
	return fmt.Sprintf("did you mean %s%s in %s?", prefix, op.Name, s.PackageOf(op))
}

const prefix = "Benchmark"

// shortened lists names in a line, at most three.
func shortened(names []string) string {
	const most = 3
	if len(names) > most {
		names = append(names[:most:most], "and more")
	}
	return strings.Join(names, ", ")
}

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

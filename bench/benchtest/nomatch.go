package benchtest

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/internal/suggest"
)

// explainNoMatch writes which benchmark the user may have meant if -bench matches
// none of this binary. go test reports success then.
func (d *Driver) explainNoMatch(w io.Writer) {
	pattern, _, _ := strings.Cut(flagText("test.bench"), "/")
	if pattern == "" || d.measured || flagText("test.list") != "" {
		return
	}
	if hint := meant(d.subject, pattern); hint != "" && !hasBenchmark(pattern) {
		fmt.Fprintf(w, "zkatbench: -bench=%s matches no benchmark of this package; %s\n", pattern, hint)
	}
}

func flagText(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// meant returns where the benchmarks of s are that the pattern matches, or else
// the name that is near to the pattern or has the same words in another order.
func meant(s bench.Subject, pattern string) string {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "" // go test reports it
	}
	const prefix = "Benchmark"
	var names, matched []string
	for _, op := range s.Ops {
		names = append(names, op.Name)
		if re.MatchString(prefix + op.Name) {
			matched = append(matched, prefix+op.Name+" is in "+s.PackageOf(op))
		}
	}
	if len(matched) > 0 {
		if len(matched) > most {
			matched = append(matched[:most], "and more elsewhere")
		}
		return strings.Join(matched, ", ")
	}
	typed := strings.TrimPrefix(strings.Trim(pattern, "^$"), prefix)
	name := suggest.Nearest(typed, names)
	if i := slices.IndexFunc(names, func(n string) bool { return words(n) == words(typed) }); i >= 0 {
		name = names[i]
	}
	op, err := s.Op(name)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("did you mean %s%s in %s?", prefix, name, s.PackageOf(op))
}

// most bounds the benchmarks of other packages in a line.
const most = 3

var word = regexp.MustCompile(`[A-Z][a-z0-9]*`)

// words returns the words of a name in alphabetical order, without Parallel.
func words(name string) string {
	all := slices.DeleteFunc(word.FindAllString(name, -1), func(w string) bool { return w == "Parallel" })
	slices.Sort(all)
	return strings.Join(all, " ")
}

// hasBenchmark reports whether this binary has a benchmark with such a name.
func hasBenchmark(pattern string) bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	list, err := exec.Command(self, "-test.list="+pattern).Output()
	return err == nil && bytes.Contains(append([]byte("\n"), list...), []byte("\nBenchmark"))
}

package bench

import (
	"flag"
	"regexp"
	"strings"
	"testing"
)

// Once runs the operation once in each case of the runner's matrix and checks
// its result. Parallel tests do this when they are not requested by name.
func (s *Suite) Once(t *testing.T, op Op) {
	for _, c := range s.Selection.Cases(Load, op.Without...) {
		t.Run(c.Name(), func(t *testing.T) {
			env, err := s.prepare(t.Context(), op, c, 1)
			if err != nil {
				t.Fatal(err)
			}
			env.logDoubts(func(line string) { t.Log(line) })
		})
	}
}

// Named reports whether -run requests the test by name: whether its pattern
// matches TestParallelBenchmarkX but not TestBenchmarkX, so that ".", "Test"
// and "X" do not start runs of many seconds.
func Named(test string) bool {
	f := flag.Lookup("test.run")
	return f != nil && named(f.Value.String(), test)
}

func named(pattern, test string) bool {
	pattern, _, _ = strings.Cut(pattern, "/")
	re, err := regexp.Compile(pattern)
	return err == nil && pattern != "" && re.MatchString(test) &&
		!re.MatchString(strings.Replace(test, "Parallel", "", 1))
}

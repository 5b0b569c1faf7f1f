package benchtest_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
)

// The page on subjects shows the file example_test.go as it is.
func TestThePageHasTheExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/own-scheme.md")
	require.NoError(t, err)
	example, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, shown, found := strings.Cut(string(page), "```go\n")
	require.True(t, found)
	shown, _, found = strings.Cut(shown, "```")
	require.True(t, found)
	require.Equal(t, strings.ReplaceAll(string(example), "benchtest_test", "mine_test"),
		strings.ReplaceAll(shown, "./mine", "./bench/benchtest"))
	require.LessOrEqual(t, strings.Count(codeOf(string(example)), "\n"), 60,
		"lines of code behind the imports, without blank ones")
}

// codeOf returns the lines behind the imports that are not blank.
func codeOf(file string) string {
	_, body, _ := strings.Cut(file, "\n)\n")
	for strings.Contains(body, "\n\n") {
		body = strings.ReplaceAll(body, "\n\n", "\n")
	}
	return body
}

// again runs this test binary.
func again(t *testing.T, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	out, err := exec.Command(self, args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestTheExampleIsMeasured(t *testing.T) {
	out := again(t, "-test.run=^$", "-test.bench=Benchmark(Sign|ParallelVerify)$", "-test.benchtime=2x",
		"-test.cpu=1", "-length=64", "-workers=2", "-nolock", "-messages=ignored")
	require.Contains(t, out, "Unit sig-B assume=exact better=lower")
	require.Regexp(t, `BenchmarkSign/length=64\s.* ns/op\s.*64.00 sig-B`, out)
	require.Contains(t, out, "BenchmarkParallelVerify/length=64/workers=2")
	out = again(t, "-test.run=TestParallelBenchmarkVerify", "-duration=1h", "-warmup=-1s", "-operations=100",
		"-workers=1", "-length=64", "-nolock")
	require.Contains(t, out, "P99.9")
}

// A pattern of -bench that measures nothing is answered with the name that was meant,
// with a case, or with the benchmarks of the package.
func TestAPatternWithoutMatch(t *testing.T) {
	for pattern, want := range map[string]string{
		"BenchmarkSgin": "matches no benchmark of this package; it has BenchmarkSign, " +
			"BenchmarkVerify, BenchmarkParallelVerify\n",
		"^BenchmarkVerifi$/x=1": "zkatbench: -bench=^BenchmarkVerifi$ matches no benchmark of this " +
			"package; it has BenchmarkSign, ",
		"BenchmarkSign/Setup(bits_32,_curve_BN254,_#i_2,_#o_2)": "matches no case; flags select cases, " +
			"whose names are like\nBenchmarkSign/length=64\n",
		"BenchmarkParallelVerify": "",
		"BenchmarkSign/length=64": "",
	} {
		t.Run(pattern, func(t *testing.T) {
			out := again(t, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime=1x", "-length=64",
				"-workers=1", "-nolock")
			if want == "" {
				require.NotContains(t, out, "matches no")
				return
			}
			require.Contains(t, out, want)
		})
	}
}

// broken is an operation of the example with one rule broken.
func broken(change func(*bench.Instance)) bench.Subject {
	s := subject
	s.Ops = []bench.Op{{Name: "Broken", Setup: func(c bench.Case, seed uint64) (bench.Instance, error) {
		in, err := sign(c, seed)
		change(&in)
		return in, err
	}}}
	return s
}

// Conform fails for an operation that breaks a rule. It runs in another process,
// since it fails its test.
func TestConformFindsBrokenRules(t *testing.T) {
	if rule := os.Getenv("BENCHTEST_RULE"); rule != "" {
		benchtest.Conform(t, broken(rules[rule]), "-length=64")
		return
	}
	self, err := os.Executable()
	require.NoError(t, err)
	for rule := range rules {
		t.Run(rule, func(t *testing.T) {
			cmd := exec.Command(self, "-test.run=^TestConformFindsBrokenRules$")
			cmd.Env = append(os.Environ(), "BENCHTEST_RULE="+rule)
			out, err := cmd.CombinedOutput()
			require.Error(t, err, rule)
			require.Contains(t, string(out), messages[rule], rule)
		})
	}
}

var rules = map[string]func(*bench.Instance){
	"work": func(in *bench.Instance) {
		in.Work = func() ([]byte, error) { return nil, errors.New("planted fault") }
	},
	"result": func(in *bench.Instance) { in.Work = func() ([]byte, error) { return make([]byte, 64), nil } },
	"exact": func(in *bench.Instance) {
		in.Exact = func([]byte) []bench.Metric { return []bench.Metric{{Value: 1, Unit: "odd-B"}} }
	},
	"inputs": func(in *bench.Instance) {
		uses := byte(0)
		in.Inputs = func() [][]byte { uses++; return [][]byte{{uses}} }
	},
	"fresh": func(in *bench.Instance) {
		other := *in
		other.Inputs = func() [][]byte { return nil }
		in.Fresh = func() (bench.Instance, error) { return other, nil }
	},
}

var messages = map[string]string{
	"work": "planted fault", "result": "signature rejected", "exact": "the header does not declare the unit",
	"inputs": "operation changes its inputs", "fresh": "inputs of Fresh differ",
}

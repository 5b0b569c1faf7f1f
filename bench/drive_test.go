package bench_test

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/internal/testflags"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// The benchmarks below form a suite of operations that hash. The tests run this
// test binary again and read its output.
var (
	toyFlags = &flags.Set{Env: "TOY_"}
	sel      = bound(toyFlags)
	suite    *bench.Suite
)

// bound declares the flags of the toys on the flags of this test binary.
func bound(set *flags.Set) *bench.Selection {
	sel := toys.RegisterLoad(set)
	set.Bind(flag.CommandLine)
	testflags.Accept(flag.CommandLine) // the others
	return sel
}

func TestMain(m *testing.M) {
	flag.Parse()
	if err := toyFlags.Resolve(os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, "toys:", err)
		os.Exit(2)
	}
	suite = &bench.Suite{Selection: sel, Out: os.Stdout, Err: os.Stderr, Header: bench.Header{
		Exact: []string{"digest-B"}, Config: [][2]string{{"toy", "made of wood"}}}}
	os.Exit(suite.Status(m.Run()))
}

// decodings counts inputs that were decoded again.
var decodings atomic.Int64

// setups counts set-ups and works counts operations, over all cases.
var setups, works atomic.Int64

func hashing(c bench.Case, seed uint64) (bench.Instance, error) {
	setups.Add(1)
	msg := make([]byte, 64*size.Of(c))
	binary.LittleEndian.PutUint64(msg, seed)
	return bench.Instance{
		Work: func() ([]byte, error) {
			works.Add(1)
			sum := sha256.Sum256(msg)
			return sum[:], nil
		},
		Check: func(out []byte) error {
			if want := sha256.Sum256(msg); !bytes.Equal(out, want[:]) {
				return errors.New("wrong digest")
			}
			return nil
		},
		Exact: func(out []byte) []bench.Metric {
			return []bench.Metric{{Value: float64(len(out)), Unit: "digest-B"}}
		},
	}, nil
}

// decoding is hashing with inputs that can be decoded again without a set-up.
func decoding(c bench.Case, seed uint64) (bench.Instance, error) {
	in, err := hashing(c, seed)
	in.Fresh = func() (bench.Instance, error) { decodings.Add(1); return in, nil }
	in.Decode = in.Fresh
	return in, err
}

var decode = bench.Op{Name: "Decode", Setup: decoding}

// BenchmarkPlain is without axes.
func BenchmarkPlain(b *testing.B) {
	op := failing(nil, nil)
	op.Name, op.Without = "Plain", bench.Axes(size, shape)
	suite.Serial(b, op)
}

func BenchmarkDecode(b *testing.B)         { suite.Serial(b, decode); reportDecodings() }
func BenchmarkParallelDecode(b *testing.B) { suite.Parallel(b, decode); reportDecodings() }

func reportDecodings() {
	fmt.Fprintf(os.Stderr, "setups %d decodings %d works %d\n", setups.Load(), decodings.Load(), works.Load())
}

var hash = bench.Op{Name: "Hash", Setup: hashing, Yardstick: func(bench.Case) (bench.Yardstick, error) {
	one := make([]byte, 64)
	return bench.Yardstick{Unit: "eq-block/op", Work: func() { sha256.Sum256(one) }}, nil
}}

func BenchmarkHash(b *testing.B)         { suite.Serial(b, hash); reportSetups(b) }
func BenchmarkParallelHash(b *testing.B) { suite.Parallel(b, hash); reportSetups(b) }

func reportSetups(*testing.B) {
	fmt.Fprintf(os.Stderr, "setups %d works %d\n", setups.Load(), works.Load())
}

// wait is over a hundred times the time of a block of 64 KiB on a slow machine.
const wait = 60 * time.Millisecond

// waiting hashes ten blocks of 64 KiB and then waits.
func waiting() bench.Op {
	block := make([]byte, 1<<16)
	op := working("Waiting", func() ([]byte, error) {
		for range 10 {
			sha256.Sum256(block)
		}
		time.Sleep(wait)
		return nil, nil
	})
	op.Yardstick = func(bench.Case) (bench.Yardstick, error) {
		return bench.Yardstick{Unit: "eq-block/op", Work: func() { sha256.Sum256(block) }}, nil
	}
	return op
}

func BenchmarkWaiting(b *testing.B)         { suite.Serial(b, waiting()) }
func BenchmarkParallelWaiting(b *testing.B) { suite.Parallel(b, waiting()) }

func TestParallelHash(t *testing.T) {
	if !bench.Named(t.Name()) {
		suite.Once(t, hash)
		return
	}
	suite.Load(t.Context(), t, hash)
}

func TestParallelFailing(t *testing.T) {
	if bench.Named(t.Name()) {
		suite.Load(t.Context(), t, failing(errWrong, nil))
	}
}

const announcement = "a hundred operations"

// TestParallelTelling prints a line when its operation has run a hundred times.
func TestParallelTelling(t *testing.T) {
	if !bench.Named(t.Name()) {
		return
	}
	var n atomic.Int64
	suite.Load(t.Context(), t, working("Telling", func() ([]byte, error) {
		if n.Add(1) == 100 {
			fmt.Println(announcement)
		}
		return nil, nil
	}))
}

func TestParallelSometimesFailing(t *testing.T) {
	if !bench.Named(t.Name()) {
		return
	}
	var n atomic.Int64
	suite.Load(t.Context(), t, working("Sometimes", func() ([]byte, error) {
		if n.Add(1)%2 == 0 {
			return nil, errWrong
		}
		return nil, nil
	}))
}

var errWrong = errors.New("planted")

// working is an operation whose results are right.
func working(name string, work func() ([]byte, error)) bench.Op {
	return checked(name, work, nil)
}

func checked(name string, work func() ([]byte, error), check error) bench.Op {
	return bench.Op{Name: name, Setup: func(bench.Case, uint64) (bench.Instance, error) {
		return bench.Instance{Work: work, Check: func([]byte) error { return check }}, nil
	}}
}

func failing(work, check error) bench.Op {
	return checked("Failing", func() ([]byte, error) { return nil, work }, check)
}

func BenchmarkFailing(b *testing.B)       { suite.Serial(b, failing(errWrong, nil)) }
func BenchmarkWrongResult(b *testing.B)   { suite.Serial(b, failing(nil, errWrong)) }
func BenchmarkParallelWrong(b *testing.B) { suite.Parallel(b, failing(nil, errWrong)) }

func BenchmarkUndeclared(b *testing.B) {
	op := failing(nil, nil)
	setup := op.Setup
	op.Setup = func(c bench.Case, seed uint64) (bench.Instance, error) {
		in, err := setup(c, seed)
		in.Exact = func([]byte) []bench.Metric { return []bench.Metric{{Value: 1, Unit: "odd-B"}} }
		return in, err
	}
	suite.Serial(b, op)
}

// again runs this test binary with args in an empty directory.
func again(t *testing.T, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	return againIn(t, t.TempDir(), args...)
}

func againIn(t *testing.T, dir string, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self,
		append([]string{"-test.run=^$", "-test.benchtime=20x", "-size=2", "-shapes=odd", "-nolock"},
			args...)...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &complaints, dir
	if err = cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return out.String(), complaints.String(), cmd.ProcessState.ExitCode()
}

// results parses Go benchmark format and fails if a line is invalid.
func results(t *testing.T, text string) (rs []*benchfmt.Result, units benchfmt.UnitMetadataMap) {
	t.Helper()
	r := benchfmt.NewReader(strings.NewReader(text), "output")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			rs = append(rs, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Fatalf("%v in\n%s", rec, text)
		}
	}
	require.NoError(t, r.Err())
	return rs, r.Units()
}

func TestOutputIsBenchmarkFormat(t *testing.T) {
	for bench, name := range map[string]string{
		"Hash":         "Hash/size=2/shape=odd",
		"ParallelHash": "ParallelHash/size=2/shape=odd/workers=3",
	} {
		t.Run(bench, func(t *testing.T) {
			out, complaints, exit := again(t, "-test.bench=^Benchmark"+bench+"$", "-test.cpu=1",
				"-workers=3", "-test.count=2")
			require.Zero(t, exit, complaints)
			rs, units := results(t, out)
			require.Len(t, rs, 2, out)
			require.Equal(t, name, string(rs[0].Name))
			require.Equal(t, "made of wood", rs[0].GetConfig("toy"))
			for _, unit := range []string{"sec/op", "B/op", "allocs/op", "digest-B", "eq-block/op"} {
				_, found := rs[0].Value(unit)
				require.True(t, found, "%s in\n%s", unit, out)
			}
			require.Equal(t, "exact", units.Get("digest-B", "assume").Value)
			require.Equal(t, 1, strings.Count(out, "Unit digest-B"), "the header is written once")
		})
	}
}

func TestCaseWithoutAxesHasNoSubBenchmark(t *testing.T) {
	out, complaints, exit := again(t, "-test.bench=^BenchmarkPlain$", "-test.cpu=1",
		"-test.count=2")
	require.Zero(t, exit, complaints)
	rs, _ := results(t, out)
	require.Len(t, rs, 2, out)
	require.Equal(t, "Plain", string(rs[1].Name))
	require.Equal(t, 20, rs[1].Iters)
}

// TestYardsticksMeasureProcessorTime checks that the time when an operation
// does not have the processor is not part of its figure: in wall time it would
// exceed 100 blocks on every machine. The bounds are wide, because other programs
// take caches and half a core away from one of the two and not from the other.
func TestYardsticksMeasureProcessorTime(t *testing.T) {
	if !cputime.Available() {
		t.Skip("this system has no clock of processor time")
	}
	for _, args := range [][]string{{"Waiting"}, {"Waiting", "-setup_samples=0"},
		{"ParallelWaiting", "-workers=2"}, {"Waiting", "-test.cpuprofile=cpu.pprof"}} {
		out, complaints, exit := again(t,
			append(args[1:], "-test.benchtime=8x", "-test.bench=^Benchmark"+args[0]+"$")...)
		require.Zero(t, exit, complaints)
		rs, _ := results(t, out)
		blocks, _ := rs[0].Value("eq-block/op")
		require.Greater(t, blocks, 2.0, out)
		require.Less(t, blocks, 50.0, out)
	}
}

func TestSetupSamples(t *testing.T) {
	const untimed = 1 // the checked operation
	for arg, want := range map[string]string{
		"-setup_samples=1": fmt.Sprintf("setups 1 works %d\n", untimed+20),
		"-setup_samples=5": fmt.Sprintf("setups 5 works %d\n", untimed+20),
		"-setup_samples=0": fmt.Sprintf("setups %d works %d\n", untimed+20, untimed+20),
	} {
		t.Run(arg, func(t *testing.T) {
			_, complaints, _ := again(t, "-test.bench=^BenchmarkHash$", arg)
			require.Equal(t, want, complaints, arg)
		})
	}
	_, complaints, _ := again(t, "-test.bench=^BenchmarkParallelHash$", "-setup_samples=0",
		"-workers=2")
	require.Equal(t, "setups 22 works 22\n", complaints,
		"a benchmark with b.N runs once for one operation, then for all")
}

func TestFreshInputs(t *testing.T) {
	for args, want := range map[[2]string]string{
		{"Decode", "-inputs=reuse"}:         "setups 8 decodings 0 works 21\n",
		{"Decode", "-inputs=fresh"}:         "setups 8 decodings 20 works 21\n",
		{"ParallelDecode", "-inputs=fresh"}: "setups 8 decodings 21 works 22\n",
		{"Hash", "-inputs=fresh"}:           "setups 28 works 21\n",

		{"Decode", "-inputs=decode"}:         "setups 8 decodings 21 works 21\n",
		{"ParallelDecode", "-inputs=decode"}: "setups 8 decodings 22 works 22\n",
	} {
		t.Run(strings.Join(args[:], " "), func(t *testing.T) {
			out, complaints, _ := again(t, "-test.bench=^Benchmark"+args[0]+"$", "-workers=2",
				args[1])
			require.Equal(t, want, complaints, args)
			_, use, _ := strings.Cut(args[1], "=")
			require.Equal(t, use != "reuse", strings.Contains(out, "/input-use="+use), out)
		})
	}
}

func TestAnOperationThatDecodesNothingRefusesToTimeDecoding(t *testing.T) {
	out, _, exit := again(t, "-test.bench=^BenchmarkHash$", "-inputs=decode")
	require.Equal(t, 1, exit)
	require.Contains(t, out,
		`-inputs: "decode" is not possible for Hash, which decodes no inputs before its work`)
	require.NotContains(t, out, "ns/op")
}

func TestNoBenchmarkTimesAFailingOperation(t *testing.T) {
	for _, name := range []string{"Failing", "WrongResult", "ParallelWrong"} {
		out, _, exit := again(t, "-test.bench=^Benchmark"+name+"$")
		require.Equal(t, 1, exit, name)
		require.Contains(t, out, "Failing: operation fails: ", name)
		require.Contains(t, out, "planted", name)
		require.NotContains(t, out, "ns/op", name)
	}
	out, _, exit := again(t, "-test.bench=^BenchmarkUndeclared$")
	require.Equal(t, 1, exit)
	require.Contains(t, out, `unit "odd-B" is exact, but the header does not declare it`)
}

// counted ends a run under the runner by its number of operations instead of
// its time, since a busy machine may not run any in a short time.
func counted(operations int, args ...string) []string {
	return append([]string{"-duration=1h", "-warmup=-1s", fmt.Sprintf("-operations=%d", operations)}, args...)
}

func TestLoadReportsEachNumberOfWorkers(t *testing.T) {
	out, complaints, exit := again(t, counted(1000, "-test.run=TestParallelHash", "-workers=1,3")...)
	require.Zero(t, exit, out+complaints)
	for _, line := range []string{"Hash/size=2/shape=odd/workers=1", "Hash/size=2/shape=odd/workers=3",
		"P99.9"} {
		require.Contains(t, out, line)
	}
	require.NotContains(t, out, "\x1b", "no colour in a pipe")

	for _, arg := range []string{"-setup_samples=0", "-inputs=fresh"} {
		out, complaints, exit = again(t, counted(1000, "-test.run=TestParallelHash", "-workers=3", arg)...)
		require.Zero(t, exit, out+complaints)
		require.Contains(t, out, "P99.9", arg)
	}

	out, _, exit = again(t, "-test.run=Hash", "-workers=1,3")
	require.Zero(t, exit)
	require.NotContains(t, out, "P99.9", "not requested by name")
}

func TestLoadFailsWithItsOperations(t *testing.T) {
	for arg, want := range map[[2]string]string{
		{
			"-test.run=TestParallelFailing",
		}: "Failing: operation fails: planted",
		{"-test.run=TestParallelSometimesFailing"}: "operations failed",
		{"-test.run=TestParallelSometimesFailing",
			"-test.timeout=4999ms"}: "-timeout is near (raise it, or 0 for none): 1 of 1 cases were skipped",
	} {
		out, _, exit := again(t, counted(100, arg[0], "-workers=2", "-test.v", cmp.Or(arg[1], "-test.v"))...)
		require.Equal(t, 1, exit, arg)
		require.Contains(t, out, want, arg)
	}
}

// TestLoadReportsBeforeTheTimeout checks that the run ends five seconds before
// -timeout. A machine too busy to begin by then gets more time.
func TestLoadReportsBeforeTheTimeout(t *testing.T) {
	const want = "ended early: the report covers the time until then (deadline)"
	var out string
	var exit int
	for _, timeout := range []string{"6s", "15s", "1m", "3m"} {
		if out, _, exit = again(t, "-test.run=TestParallelHash", "-duration=1h", "-workers=1", "-rate=100",
			"-test.timeout="+timeout); strings.Contains(out, want) {
			break
		}
	}
	require.Equal(t, 1, exit)
	require.Contains(t, out, want)
}

func TestInterruptReportsWhatWasMeasured(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=TestParallelTelling|TestParallelSometimesFailing", "-test.v",
		"-size=1,2", "-shapes=odd", "-duration=5m", "-warmup=-1s", "-workers=1", "-nolock")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != announcement {
	}
	at := time.Now()
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	var rest strings.Builder
	for lines.Scan() {
		rest.WriteString(lines.Text() + "\n")
	}
	require.Error(t, cmd.Wait())
	require.Equal(t, 130, cmd.ProcessState.ExitCode())
	require.Less(t, time.Since(at), 4*time.Minute, "it must end before its duration")
	require.Contains(t, rest.String(), "P99")
	require.Contains(t, rest.String(), "INTERRUPTED (interrupted)")
	require.Contains(t, rest.String(), "interrupted: 1 of 2 cases were skipped")
	require.Contains(t, rest.String(), "interrupted: all cases were skipped", "the second test")
}

func TestBadFlagsEndTheProgram(t *testing.T) {
	out, complaints, exit := again(t, "-shapes=P384", "-test.bench=.")
	require.Empty(t, out)
	require.Equal(t, "toys: -shapes: \"P384\" is not one of round, square, odd\n", complaints)
	require.Equal(t, 2, exit)
}

func TestProfilesOfEachCase(t *testing.T) {
	dir := t.TempDir()
	out, complaints, exit := againIn(t, dir, "-test.bench=^BenchmarkHash$", "-profile", "-size=1,2")
	require.Zero(t, exit, out+complaints)
	for _, file := range []string{
		"BenchmarkHash_size=1_shape=odd.cpu.pprof", "BenchmarkHash_size=1_shape=odd.allocs.pprof",
		"BenchmarkHash_size=2_shape=odd.cpu.pprof", "BenchmarkHash_size=2_shape=odd.allocs.pprof",
	} {
		info, err := os.Stat(filepath.Join(dir, file))
		require.NoError(t, err)
		require.NotZero(t, info.Size())
	}
}

func TestTheRunnerRefusesProfilesOfBenchmarks(t *testing.T) {
	dir := t.TempDir()
	out, _, exit := againIn(t, dir, counted(10, "-test.run=TestParallelHash", "-profile")...)
	require.Equal(t, 1, exit)
	require.Equal(t, 1,
		strings.Count(out,
			"-profile: benchmarks write these profiles; under the runner, name a folder for profiles with "+
				"-diagnose\n"))
	require.NotContains(t, out, "P99", "no run begins")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
}

// TestProcessorTime checks that a benchmark reports the processor time of its
// operations, and that only figures of several threads carry their number.
func TestProcessorTime(t *testing.T) {
	if !cputime.Available() {
		t.Skip("no clock of processor time")
	}
	for _, c := range []struct {
		name    string
		threads float64
	}{{"Hash", 0}, {"ParallelHash", 3}, {"Decode", 0}} {
		out, complaints, exit := again(t, "-test.bench=^Benchmark"+c.name+"$", "-workers=3",
			"-inputs=fresh")
		require.Zero(t, exit, complaints)
		rs, _ := results(t, out)
		require.Len(t, rs, 1, c.name)
		cpu, ok := rs[0].Value("cpu-sec/op")
		if !ok && c.threads > 0 {
			continue // hidden by the idle time of the process, on a busy machine (TestNoProcessorTimeOfZero)
		}
		require.True(t, ok, c.name)
		require.Positive(t, cpu, c.name)
		threads, ok := rs[0].Value("cpu-threads")
		require.Equal(t, c.threads > 0, ok, c.name)
		require.Equal(t, c.threads, threads, c.name)
	}
}

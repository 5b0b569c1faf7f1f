package result_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// folder has the binaries of synthetic, if a test needed them.
var folder string

// synthetic builds the test binary of testdata once.
var synthetic = sync.OnceValues(func() ([]result.Binary, error) {
	dir, err := os.MkdirTemp("", "synthetic")
	if err != nil {
		return nil, err
	}
	folder = dir
	return result.Source{Dir: "testdata/synthetic", Packages: []string{"./..."}}.Build(context.Background(),
		dir)
})

func binaries(t *testing.T) []result.Binary {
	t.Helper()
	bs, err := synthetic()
	require.NoError(t, err)
	return bs
}

func TestMain(m *testing.M) {
	if name := os.Getenv("APPEND_TO"); name != "" {
		appendForever(name)
	}
	exit := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(exit)
}

// run measures the synthetic benchmarks into a file, two results of each case.
func run(t *testing.T, shard result.Shard) string {
	t.Helper()
	flags, err := result.ParseFlags([]string{"-bench", "Sum|Other", "-benchtime=10x", "-bits=32"})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "results.txt")
	e := result.Observe(t.Context(), ".", "zkatbench run", pin.Plan{})
	e.Shard = shard
	f, err := result.Create(name, e.Lines())
	require.NoError(t, err)
	s := result.Suite{Binaries: binaries(t), Flags: flags, Count: 2, Shard: shard}
	last := result.Progress{}
	require.NoError(t, s.Run(t.Context(), f, func(p result.Progress) { last = p }))
	require.NoError(t, f.Close())
	require.Equal(t, last.Of, last.Done)
	require.Zero(t, last.Remaining)
	return name
}

// TestRunKeepsWhatIsNeeded: a file has all results with their circumstances, and so have its shards
// after a merge.
func TestRunKeepsWhatIsNeeded(t *testing.T) {
	name := run(t, result.Shard{})
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(text, []byte("\nresults: 8\n")))
	d, err := result.ReadFiles(name)
	require.NoError(t, err)
	require.Empty(t, d.Partial)
	require.Len(t, d.Cases, 4)
	for _, k := range d.Cases[:3] {
		require.True(t, strings.HasPrefix(k.Name, "Sum/bits=32/inputs="), k)
		require.Len(t, d.Values[k]["sec/op"], 2)
		require.Positive(t, d.Spent[k])
	}
	require.Equal(t, []float64{64, 64}, d.Values[d.Cases[1]]["size-B"])
	require.Equal(t, "exact", d.Meta.Get("size-B", "assume").Value)
	for _, key := range []string{"host", "cpus", "governor", "quota", "go", "revision", "command", "seed",
		"started", "goos", "pkg"} {
		require.Len(t, d.Config[key], 1, key)
	}
	require.Equal(t, []string{"example.com/synthetic"}, d.Config["pkg"])

	var parts []string
	for i := 1; i <= 3; i++ {
		parts = append(parts, run(t, result.Shard{Index: i, Of: 3}))
	}
	shards, err := merged(strict, parts...)
	require.NoError(t, err)
	got, err := read(shards)
	require.NoError(t, err)
	require.ElementsMatch(t, d.Cases, got.Cases)
	require.ElementsMatch(t, d.Units, got.Units)
	for k, units := range d.Values {
		require.Equal(t, units["size-B"], got.Values[k]["size-B"])
		require.Len(t, got.Values[k]["sec/op"], 2)
	}
	require.Equal(t, "exact", got.Meta.Get("size-B", "assume").Value)
	require.ElementsMatch(t, []string{"1/3", "2/3", "3/3"}, got.Config["shard"])
}

func TestShardsPartitionByCost(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var keys []result.Key
	cost := map[result.Key]float64{}
	for i := range 54 {
		k := result.Key{Package: "p", Name: fmt.Sprintf("X/case=%d", i)}
		keys = append(keys, k)
		if i%5 > 0 {
			cost[k] = 1 + 9*rng.Float64()
		}
	}
	for n := 1; n <= 7; n++ {
		seen := map[result.Key]int{}
		for i := 1; i <= n; i++ {
			for _, k := range (result.Shard{Index: i, Of: n}).Select(keys, cost) {
				seen[k]++
			}
		}
		require.Len(t, seen, len(keys))
		for k, times := range seen {
			require.Equal(t, 1, times, k)
		}
	}
	require.Len(t, result.Shard{Index: 2, Of: 2}.Select(keys, nil), 27)

	cost = map[result.Key]float64{keys[3]: 5, keys[0]: 1, keys[1]: 2, keys[2]: 1}
	require.Equal(t, keys[3:4], result.Shard{Index: 1, Of: 2}.Select(keys[:4], cost),
		"as long as all others together")
}

func TestParseShard(t *testing.T) {
	for _, c := range []struct {
		text string
		env  map[string]string
		want string
	}{
		{"2/5", nil, "2/5"},
		{"auto",
			map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "0",
				"SLURM_ARRAY_TASK_COUNT": "4"}, "4/4"},
		{"auto",
			map[string]string{"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "1",
				"SLURM_ARRAY_TASK_COUNT": "4"}, "1/4"},
		{"auto",
			map[string]string{"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "1",
				"SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "4"}, "3/4"},
		{"auto",
			map[string]string{"SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_MIN": "1",
				"SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "4"}, ""},
		{"auto",
			map[string]string{"SLURM_ARRAY_TASK_ID": "x", "SLURM_ARRAY_TASK_MIN": "0",
				"SLURM_ARRAY_TASK_COUNT": "4"}, ""},
		{"auto", map[string]string{"STRATEGY_JOB_INDEX": "1", "STRATEGY_JOB_TOTAL": "2"}, "2/2"},
		{"auto", map[string]string{"JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "3"}, "2/3"},
		{"auto", map[string]string{"JOB_COMPLETION_INDEX": "0"}, ""},
		{"auto", nil, ""}, {"0/5", nil, ""}, {"6/5", nil, ""}, {"x", nil, ""}, {"1/", nil, ""},
	} {
		t.Run(fmt.Sprint(c.text, " ", c.env), func(t *testing.T) {
			s, err := result.ParseShard(c.text, func(name string) string { return c.env[name] })
			if c.want == "" {
				require.Error(t, err, c)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, s.String())
		})
	}
}

func TestFlags(t *testing.T) {
	f, err := result.ParseFlags([]string{"-bench", "X", "-benchtime=1s", "-benchmem", "-bits", "32",
		"-tags=a", "-test.cpu=2"})
	require.NoError(t, err)
	require.Equal(t, "X", f.Bench)
	require.Equal(t, []string{"-test.benchtime=1s", "-test.benchmem", "-bits", "32", "-test.cpu=2"}, f.Run)
	require.Equal(t, []string{"-tags=a"}, f.Build)
	f, err = result.ParseFlags([]string{"-skip", "Slow", "-race", "-mod", "mod"})
	require.NoError(t, err)
	require.Equal(t, []string{"-test.skip=Slow"}, f.Run)
	require.Equal(t, []string{"-race", "-mod=mod"}, f.Build)
	for _, bad := range []string{"-count=3", "-run=X", "-v", "-json", "-bench", "-test.absent=1", "word", "-",
		"-failfast", "-test.count=3"} {
		_, err := result.ParseFlags([]string{bad})
		require.ErrorIs(t, err, result.ErrFlag, bad)
	}
	for name, want := range map[string]bool{"bench": true, "test.cpu": true, "tags": true, "count": true,
		"bits": false, "failfast": false} {
		require.Equal(t, want, result.IsTestFlag(name), name)
	}
}

func TestInterruptedRunSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	flags, err := result.ParseFlags([]string{"-bench=.", "-benchtime=10x"})
	require.NoError(t, err)
	var out bytes.Buffer
	s := result.Suite{Binaries: binaries(t), Flags: flags, Count: 1000}
	err = s.Run(ctx, result.Stream{Writer: &out}, func(p result.Progress) {
		if p.Done == 6 {
			cancel()
		}
	})
	require.ErrorIs(t, err, result.ErrInterrupted)
	require.Contains(t, out.String(), "\ninterrupted: ")
	d := result.NewData()
	require.NoError(t, d.Read(&out, "out"))
	require.Len(t, d.Cases, 4)
}

func TestNothingIsAnError(t *testing.T) {
	s := result.Suite{Binaries: binaries(t), Flags: result.Flags{Bench: "Absent"}, Count: 1}
	require.ErrorIs(t, s.Run(t.Context(), result.Stream{}, nil), result.ErrNoBenchmarks)
	_, err := result.Source{Dir: ".", Packages: []string{"./absent"}}.Build(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "go list: exit status 1: ")
	require.NotErrorIs(t, err, result.ErrTool)
	t.Setenv("PATH", t.TempDir())
	_, err = result.Source{Dir: ".", Packages: []string{"."}}.Build(t.Context(), t.TempDir())
	require.ErrorIs(t, err, result.ErrTool)
	require.ErrorContains(t, err, "needs go: ")
	bad := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(bad, []byte("BenchmarkX 1 five ns/op\n"), 0o600))
	_, err = result.ReadFiles(bad)
	require.Error(t, err)
}

// TestComplaintsAreShort checks that the error of a binary with a bad flag does
// not contain the list of all its flags.
func TestComplaintsAreShort(t *testing.T) {
	_, err := binaries(t)[0].Cases(t.Context(), result.Flags{Bench: ".", Run: []string{"-absent=1"}})
	require.EqualError(t, err, "example.com/synthetic: exit status 2: flag provided but not defined: -absent")
}

// TestDevicesStay checks that /dev/null is not replaced by a file.
func TestDevicesStay(t *testing.T) {
	_, err := result.Create(os.DevNull, nil)
	require.ErrorIs(t, err, outfile.ErrDevice)
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	require.False(t, info.Mode().IsRegular())
}

func TestCommandLineCanBePasted(t *testing.T) {
	args := []string{"a", "-bench=X$|Y", "it's", "", "b c", "-x=1,2"}
	require.Equal(t, `a '-bench=X$|Y' 'it'\''s' '' 'b c' -x=1,2`, result.CommandLine(args))
	for _, c := range " \t'`$&|;<>()[]{}*?!#~\\\"" {
		args = append(args, "a"+string(c), "plain", "")
	}
	out, err := exec.Command("sh", "-c", "printf '%s\\n' "+result.CommandLine(args)).Output()
	require.NoError(t, err)
	require.Equal(t, strings.Join(args, "\n")+"\n", string(out))
}

func TestNoise(t *testing.T) {
	load := 3.0
	files := fstest.MapFS{"sys/class/power_supply/BAT0/status": {Data: []byte("Discharging\n")}}
	w := result.NoiseBefore(host.State{CPUs: 2, Load: &load, Governor: "powersave", Turbo: "on"}, files)
	require.Len(t, w, 4)
	require.Equal(t, "load is 3.0 on 2 processors: other programs compete; stop them", w[0])
	require.Contains(t, w[1], "the governor of the processor is not")
	require.Equal(t, []string{"turbo is on: the clock follows the temperature",
		"on battery: the clock is lowered to save it"}, w[2:])
	load = 1
	require.Empty(t, result.NoiseBefore(host.State{CPUs: 2, Load: &load}, fstest.MapFS{}), "half of it idle")
	require.Empty(t, result.NoiseBefore(host.State{CPUs: 2, Governor: host.Unknown}, fstest.MapFS{}))
}

// appendForever is the program of the killed process.
func appendForever(name string) {
	f, err := result.Create(name, []string{"host: x", "pkg: p"})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		err := f.Append(fmt.Sprintf("seed: %d", i), fmt.Sprintf("BenchmarkX/i=%d 1 %d ns/op", i, i+1))
		if err != nil {
			os.Exit(1)
		}
	}
}

func TestKilledRunLeavesWholeLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	kept := 0
	tries := nightly.Pick(2, 10, 100)
	for i := range tries {
		name := filepath.Join(t.TempDir(), "results.txt")
		require.NoError(t, os.WriteFile(name, []byte("BenchmarkOld 1 5 ns/op\n"), 0o600))
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "APPEND_TO="+name)
		require.NoError(t, cmd.Start())
		if i%2 == 0 { // otherwise it may be killed before it has begun
			require.Eventually(t, func() bool {
				text, err := os.ReadFile(name)
				return err == nil && bytes.Contains(text, []byte("BenchmarkX"))
			}, 10*time.Minute, time.Millisecond)
		}
		time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, bytes.HasSuffix(text, []byte("\n")))
		d, err := result.ReadFiles(name)
		if errors.Is(err, result.ErrNoBenchmarks) {
			continue // only the head was written
		}
		require.NoError(t, err)
		if d.Cases[0].Name == "X/i=0" {
			kept++
			for i, k := range d.Cases {
				if k.Name != fmt.Sprintf("X/i=%d", i) {
					t.Fatalf("result %d is of %s", i, k.Name)
				}
			}
		}
	}
	require.GreaterOrEqual(t, kept, tries/2)
}

// TestAppendedLinesStayOnAPage checks that only a line of spaces is written
// across the end of a page, where a kill would cut a line.
func TestAppendedLinesStayOnAPage(t *testing.T) {
	const page = 4096
	name := filepath.Join(t.TempDir(), "results.txt")
	f, err := result.Create(name, []string{"pkg: p"})
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(5, 6))
	var want []string
	for i := range 1000 {
		line := fmt.Sprintf("BenchmarkX/i=%d/%s 1 %d ns/op", i, strings.Repeat("x", rng.IntN(600)), i)
		require.NoError(t, f.Append("seed: 1", line))
		want = append(want, line)
	}
	require.NoError(t, f.Close())
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var got []string
	at := 0
	for line := range strings.Lines(string(text)) {
		end := at + len(line)
		if at/page != (end-1)/page {
			t.Fatalf("bytes %d to %d are on two pages: %q", at, end, line)
		}
		if at = end; strings.HasPrefix(line, "Benchmark") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	require.Equal(t, want, got)
	d, err := result.ReadFiles(name)
	require.NoError(t, err)
	require.Len(t, d.Cases, len(want))
}

// FuzzRead checks that any input gives an error or data that survive a merge.
func FuzzRead(f *testing.F) {
	f.Add("host: a\nUnit size-B assume=exact\npkg: p\nBenchmarkX/n=1-2 10 5 ns/op 7 size-B\n")
	f.Add("BenchmarkX 1 five ns/op\n")
	f.Add("BenchmarkX 1 NaN ns/op\nBenchmarkX 1 +Inf MB/s")
	f.Add(asEvents(plainText, 30))
	f.Add(inUTF16(plainText, binary.BigEndian))
	f.Add("BenchmarkX \tlog     1000\t 1 ns/op\n")
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), "f")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		d, err := result.ReadFiles(name)
		if err != nil {
			return
		}
		var merged bytes.Buffer
		require.NoError(t, result.Merge(&merged, result.Accept{Partial: true, Doubles: true}, name))
		again := result.NewData()
		require.NoError(t, again.Read(&merged, "merged"))
		require.Equal(t, fmt.Sprint(d.Values), fmt.Sprint(again.Values)) // NaN differs from itself
		require.ElementsMatch(t, d.Cases, again.Cases)
	})
}

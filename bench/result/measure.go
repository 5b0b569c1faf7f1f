package result

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/zkatbench/zkatbench/runner/pin"
)

// printed is a line of the output of a test binary. Benchmark is empty unless the line
// is a result.
type printed struct {
	Text      string
	Benchmark string
}

// grace is the time that an interrupted binary may take to exit.
const grace = 2 * time.Second

// process runs the benchmarks that match a pattern in one process, and returns
// its processor time.
func (b Binary) process(ctx context.Context, f Flags, which string, emit func(printed)) (cpu time.Duration,
	err error) {
	args := append([]string{"-test.run=^$", "-test.bench=" + which}, without(f.Run, b.Unknown)...)
	cmd := exec.CommandContext(ctx, b.Path, args...)
	cmd.Dir, cmd.WaitDelay = b.Dir, grace
	cmd.Env = append(cmd.Environ(), b.Env...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := pin.Start(cmd, b.Processors); err != nil {
		return 0, fmt.Errorf("%w %s: %w", ErrTool, b.Path, err)
	}
	other := scan(out, emit)
	err = cmd.Wait()
	if exit := new(exec.ExitError); errors.As(err, &exit) && !exit.Exited() {
		// ^C reaches all processes of a terminal, so the binary may have exited
		// before this process handles the signal.
		select {
		case <-ctx.Done():
		case <-time.After(grace):
		}
	}
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil:
		return 0,
			fmt.Errorf("%s: %w", b.Package, withOutput(err, complaints.String()+strings.Join(other, "\n")))
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// scan calls emit for complete lines of the format, and returns the last of the
// other lines.
func scan(from io.Reader, emit func(printed)) (other []string) {
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadString('\n')
		if err != nil {
			return other
		}
		text = strings.TrimSuffix(text, "\n")
		switch line, ok := classify(text); {
		case ok:
			emit(line)
		case text != "PASS":
			other = append(other, text)
			if len(other) > 20 {
				other = other[1:]
			}
		}
	}
}

// classify reports whether text is in benchmark format.
func classify(text string) (printed, bool) {
	r := benchfmt.NewReader(strings.NewReader(text+"\nBenchmarkX 1 1 ns/op\n"), "")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.UnitMetadata:
			return printed{Text: text}, true
		case *benchfmt.Result:
			_, line := rec.Pos()
			if line == 1 {
				return printed{text, rec.Name.String()}, true
			}
			return printed{Text: text}, len(rec.Config) > 0
		}
	}
	return printed{}, false
}

// Processor time is in cpuUnit if the benchmark records it, and otherwise, when
// results are measured in turns, in processUnit: of its whole process.
const (
	cpuUnit     = " cpu-ns/op"
	processUnit = "process-cpu-ns/op"
)

// The processor time of a process includes its start and the set-up of the
// benchmark. A second process with startIterations has the same: package testing
// calls the function of a benchmark once for one iteration and once for all if it
// counts to b.N, and once in all if it loops with b.Loop, in both processes. The
// difference is the time of the iterations alone.
const startIterations = 2

// processTime is the least processor time of the iterations of a result: the
// start of a process varies by milliseconds.
const processTime = 200 * time.Millisecond

// enough returns the number of iterations that take processTime, if n take cpu. It is n
// if cpu is unknown, or so short that the benchmark waits.
func enough(n int, cpu time.Duration) int {
	const most = 50 // times as many
	if cpu < processTime/most || cpu >= processTime {
		return n
	}
	return startIterations + int(float64(n-startIterations)*float64(processTime)/float64(cpu)*1.1)
}

// untimed returns the number of iterations of the only result among the lines, if it
// has no processor time and more of them than its start.
func untimed(lines []printed) (iterations int) {
	results := 0
	for _, line := range lines {
		if line.Benchmark == "" {
			continue
		}
		results++
		fields := strings.Fields(line.Text)
		if n, err := strconv.Atoi(fields[min(1, len(fields)-1)]); err == nil && n > startIterations &&
			!strings.Contains(line.Text, cpuUnit) {
			iterations = n
		}
	}
	if results != 1 {
		return 0
	}
	return iterations
}

// layoutUnit has the layout of the binary that made a result.
const layoutUnit = "layout"

// addFigure adds a figure with its unit to the results among lines.
func addFigure(lines []printed, figure string) {
	for i, line := range lines {
		if line.Benchmark != "" {
			lines[i].Text += "\t" + figure
		}
	}
}

// ErrNoBenchmarks reports that no benchmark was run.
var ErrNoBenchmarks = errors.New("no benchmark was run")

// Key names a case: a benchmark with its parameters.
type Key struct{ Package, Name string }

// String returns the name as go test prints it.
func (k Key) String() string { return "Benchmark" + k.Name }

// Cases returns the cases of b that match f. It finds them by running each
// once, which also shows that they work before the measurement.
func (b Binary) Cases(ctx context.Context, f Flags) (keys []Key, err error) {
	once := f
	once.Run = append(append([]string{}, f.Run...), "-test.benchtime=1x")
	seen := map[Key]bool{}
	_, err = b.process(ctx, once, f.Bench, func(line printed) {
		if line.Benchmark != "" {
			k := Key{b.Package, line.Benchmark}
			if !seen[k] {
				keys = append(keys, k)
			}
			seen[k] = true
		}
	})
	return keys, err
}

// Pattern returns the argument of -bench that matches these cases, with any
// GOMAXPROCS.
func Pattern(keys []Key) string {
	all := make([]string, len(keys))
	for i, k := range keys {
		name, procs := cutProcs("Benchmark" + k.Name)
		parts := strings.Split(name, "/")
		for j, p := range parts {
			parts[j] = "^" + regexp.QuoteMeta(p)
		}
		if procs != "" {
			procs = "(" + procs + ")?"
		}
		all[i] = strings.Join(parts, "$/") + procs + "$"
	}
	return strings.Join(all, "|")
}

// cutProcs cuts off a suffix that may be GOMAXPROCS, since -bench patterns do
// not match it. The suffix may also be part of the name if GOMAXPROCS is 1.
func cutProcs(name string) (rest, procs string) {
	_, parts := benchfmt.Name(name).Parts()
	if n := len(parts); n > 0 && parts[n-1][0] == '-' {
		procs = string(parts[n-1])
	}
	return strings.TrimSuffix(name, procs), procs
}

// undefined is the message of package flag for a flag that a program lacks.
var undefined = regexp.MustCompile(`flag provided but not defined: (-[^\s;]+)`)

// Probe sets b.Unknown to the flags of f that the binary does not define, as
// binaries of other revisions. It runs no benchmark.
func (b *Binary) Probe(ctx context.Context, f Flags) error {
	for {
		_, err := b.process(ctx, f, "^$", func(printed) {})
		if err == nil {
			return nil
		}
		name := undefined.FindStringSubmatch(err.Error())
		if name == nil || slices.Contains(b.Unknown, name[1]) {
			return err
		}
		b.Unknown = append(b.Unknown, name[1])
	}
}

// without returns the arguments without the named flags and their values.
func without(args, names []string) (kept []string) {
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		switch {
		case !slices.Contains(names, "-"+strings.TrimLeft(name, "-")):
			kept = append(kept, args[i])
		case !joined && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++ // its value
		}
	}
	return kept
}

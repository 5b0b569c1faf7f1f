package result

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
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
func (b Binary) process(ctx context.Context, f Flags, which string, emit func(printed)) (cpu time.Duration, err error) {
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
		return 0, fmt.Errorf("%s: %w", b.Package, withOutput(err, complaints.String()+strings.Join(other, "\n")))
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
			if other = append(other, text); len(other) > 20 {
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

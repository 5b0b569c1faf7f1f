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
)

// Line is a line that a test binary printed. Benchmark is empty unless it is a
// result.
type Line struct {
	Text      string
	Benchmark string
}

// mostPattern is how many bytes of an argument every system takes.
const mostPattern = 30 << 10

// grace is how long a binary that was told to stop may take.
const grace = 2 * time.Second

// Measure runs the given cases of b once, all that match f.Bench if keys is nil,
// by as few processes as take them, and hands over each line as it is finished.
// What the binary says besides results and configuration is in the error, should
// it fail.
func (b Binary) Measure(ctx context.Context, f Flags, keys []Key, emit func(Line)) error {
	which := f.Bench
	if keys != nil {
		which = pattern(keys)
	}
	if half := len(keys) / 2; len(which) > mostPattern && half > 0 {
		if err := b.Measure(ctx, f, keys[:half], emit); err != nil {
			return err
		}
		return b.Measure(ctx, f, keys[half:], emit)
	}
	args := append([]string{"-test.run=^$", "-test.bench=" + which}, f.Run...)
	cmd := exec.CommandContext(ctx, b.Path, args...)
	cmd.Dir, cmd.WaitDelay = b.Dir, grace
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%w %s: %w", ErrTool, b.Path, err)
	}
	other := scan(out, emit)
	err = cmd.Wait()
	if exit := new(exec.ExitError); errors.As(err, &exit) && !exit.Exited() {
		// ^C goes to all processes of a terminal: the binary's may be over before
		// ours is told.
		select {
		case <-ctx.Done():
		case <-time.After(grace):
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s: %w", b.Package, saying(err, complaints.String()+strings.Join(other, "\n")))
	}
	return nil
}

// scan hands over the lines of the format that are whole, and returns the last
// ones of the others.
func scan(from io.Reader, emit func(Line)) (other []string) {
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

// classify reports whether text is of the benchmark format.
func classify(text string) (Line, bool) {
	r := benchfmt.NewReader(strings.NewReader(text+"\nBenchmarkX 1 1 ns/op\n"), "")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.UnitMetadata:
			return Line{Text: text}, true
		case *benchfmt.Result:
			_, line := rec.Pos()
			if line == 1 {
				return Line{text, rec.Name.String()}, true
			}
			return Line{Text: text}, len(rec.Config) > 0
		}
	}
	return Line{}, false
}

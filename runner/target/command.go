package target

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner"
)

// maxComplaint bounds the output of a failed command in its error message, in
// bytes.
const maxComplaint = 200

// Command is an operation that runs a command, without a shell. Its error begins with the last line that the
// command wrote to standard error.
func Command(command ...string) runner.Operation {
	return runner.Func(func(ctx context.Context) error { return run(ctx, command) })
}

func run(ctx context.Context, command []string) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.WaitDelay = time.Second
	var complaints tail
	cmd.Stderr = &complaints
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if line := complaints.lastLine(); err != nil && line != "" {
		return fmt.Errorf("%w: %s", err, line)
	}
	return err
}

// tail is a Writer that keeps the last bytes.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if more := len(t.b) - maxComplaint; more > 0 {
		t.b = append(t.b[:0], t.b[more:]...)
	}
	return len(p), nil
}

func (t *tail) lastLine() string {
	lines := strings.Split(strings.TrimSpace(string(t.b)), "\n")
	return strings.ToValidUTF8(lines[len(lines)-1], "")
}

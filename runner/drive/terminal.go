package drive

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Interrupted is the exit status after ^C by the convention of shells.
const Interrupted = 130

// Interruptible returns a context that ends with the first ^C (or SIGTERM), so
// that a run ends with a partial result; the second one exits the process
// immediately. Until stop is called, a write to a closed pipe returns an error;
// by default it would kill the process silently on standard output. stop
// restores the default handling of signals.
func Interruptible(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals, pipes := make(chan os.Signal, 2), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	signal.Notify(pipes, syscall.SIGPIPE)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			cancel()
		case <-done:
			return
		}
		select {
		case <-signals:
			os.Exit(Interrupted)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		signal.Stop(pipes)
		close(done)
		cancel()
	}
}

// progress returns a function that shows the progress of the run of name on one
// line of w, and a function that clears that line; unless w is a terminal, both have no
// effect, and show is nil.
func progress(w io.Writer, name string) (show func(result.Progress), erase func()) {
	line := text.StatusOn(w)
	if text.Terminal(w) {
		show = func(p result.Progress) { line.Show(progressLine(p, name)) }
	}
	return show, line.Erase
}

func progressLine(p result.Progress, name string) string {
	limit := ""
	if p.Limit > 0 {
		limit = fmt.Sprintf(" of %v", p.Limit)
	}
	return fmt.Sprintf("%s: %v%s, %s %s", p.Phase, p.Elapsed.Round(100*time.Millisecond), limit,
		text.Plural(p.Done, "operation"), name)
}

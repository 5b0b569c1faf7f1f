package drive

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/zkatbench/zkatbench/runner"
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

// terminal returns the number of columns of w, and whether w is a terminal.
func terminal(w io.Writer) (width int, ok bool) {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width, true
	}
	return 0, true
}

// colour reports whether w is a terminal and the user allows colour.
func colour(w io.Writer) bool {
	_, ok := terminal(w)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// progress returns a function that shows the progress of the run of name on one
// line of w, and a function that clears that line; both are nil unless w is a
// terminal.
func progress(w io.Writer, name string) (show func(runner.Progress), erase func()) {
	width, ok := terminal(w)
	if !ok {
		return nil, func() {}
	}
	show = func(p runner.Progress) { fmt.Fprintf(w, "\r%s\x1b[K", cut(progressLine(p, name), width-1)) }
	return show, func() { fmt.Fprint(w, "\r\x1b[K") }
}

func progressLine(p runner.Progress, name string) string {
	of := ""
	if p.Of > 0 {
		of = fmt.Sprintf(" of %v", p.Of)
	}
	return fmt.Sprintf("%s: %v%s, %d operations %s", p.Phase, p.Elapsed.Round(100*time.Millisecond), of, p.Done, name)
}

// cut shortens a line to width, if width is known: a line that wraps cannot be
// cleared.
func cut(line string, width int) string {
	if runes := []rune(line); width > 0 && len(runes) > width {
		return string(runes[:width])
	}
	return line
}

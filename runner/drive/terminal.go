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

// Interrupted is the exit status after ^C, as shells expect it.
const Interrupted = 130

// Interruptible returns a context that ends with the first ^C (or SIGTERM), so
// that a run ends with a partial result; the second one ends the process at
// once. Meanwhile writing to a closed pipe is an error and not, as otherwise
// for the standard output, the end of the process without a word. stop gives
// the signals back.
func Interruptible(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals, pipes := make(chan os.Signal, 2), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	signal.Notify(pipes, syscall.SIGPIPE)
	over := make(chan struct{})
	go func() {
		select {
		case <-signals:
			cancel()
		case <-over:
			return
		}
		select {
		case <-signals:
			os.Exit(Interrupted)
		case <-over:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		signal.Stop(pipes)
		close(over)
		cancel()
	}
}

// terminal returns the columns of w, and whether it is a terminal at all.
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

// colour says whether w may have colour: a terminal whose user did not say no.
func colour(w io.Writer) bool {
	_, ok := terminal(w)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// progress returns what shows on one line of w how far the run of name is, and
// what wipes that line; nothing unless w is a terminal.
func progress(w io.Writer, name string) (show func(runner.Progress), wipe func()) {
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

// cut makes a line fit width, if that is known: one that wraps could not be
// wiped.
func cut(line string, width int) string {
	if runes := []rune(line); width > 0 && len(runes) > width {
		return string(runes[:width])
	}
	return line
}

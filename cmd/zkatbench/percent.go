package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// percent returns a function that shows the progress of a command on one line
// of w, and a function that clears this line. Both do nothing unless w is a
// terminal.
func percent(w io.Writer, what string) (show func(done, of int), wipe func()) {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	var last time.Time
	show = func(done, of int) {
		if time.Since(last) > 100*time.Millisecond {
			last = time.Now()
			fmt.Fprintf(w, "\r%s: %d %%\x1b[K", what, 100*done/of)
		}
	}
	return show, func() { fmt.Fprint(w, "\r\x1b[K") }
}

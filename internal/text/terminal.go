package text

import (
	"io"
	"os"

	"golang.org/x/term"
)

// file returns the terminal behind w, or nil.
func file(w io.Writer) *os.File {
	if p, ok := w.(Printer); ok {
		w = p.Writer
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Terminal reports whether w writes to a terminal.
func Terminal(w io.Writer) bool { return file(w) != nil }

// Width returns the number of columns of the terminal of w, DefaultWidth if it does
// not say it, and 0, which is unlimited, for a file or a pipe.
func Width(w io.Writer) int {
	f := file(w)
	if f == nil {
		return 0
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return DefaultWidth
}

// Colour reports whether w writes to a terminal and the user allows colour.
func Colour(w io.Writer) bool {
	return Terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Status is a line of a terminal that shows the progress of work. The zero value is
// silent.
type Status struct {
	to    *os.File
	width int
}

// StatusOn returns the line of w; it is silent unless w is a terminal.
func StatusOn(w io.Writer) Status {
	return Status{file(w), Width(w)}
}

// Show replaces the line. It cuts foreign text at the end of an overlong line: a line
// that wraps cannot be erased.
func (s Status) Show(line string) {
	if s.to != nil {
		// work goes on without a terminal
		_, _ = io.WriteString(s.to, "\r"+Cut(Visible(line), s.width-1)+"\x1b[K")
	}
}

// Erase clears the line.
func (s Status) Erase() {
	if s.to != nil {
		_, _ = io.WriteString(s.to, "\r\x1b[K")
	}
}

package bench

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkatbench/zkatbench/runner/drive"
)

// heard returns where reports and progress go. With a package on its command
// line and without -v, go test keeps what a test prints, and throws it away if
// the test passes. A report that was asked for by name then goes where go test
// itself writes; this works where /proc tells (Linux).
func (s *Suite) heard() drive.Streams {
	if testing.Verbose() {
		return drive.Streams{Out: s.Out, Err: s.Err}
	}
	parent := fmt.Sprintf("/proc/%d", os.Getppid())
	out, lost := beyond(parent, s.Out)
	err, _ := beyond(parent, s.Err)
	if lost {
		fmt.Fprintln(err, "go test will throw the report away if the test passes: add -v")
	}
	return drive.Streams{Out: out, Err: err}
}

// beyond is the stream of go test that stands for own, one of our own standard
// streams; own, if that is the same or the parent process is not go. It is lost
// if go test writes to a file, in which two writers would write over each other.
func beyond(parent string, own io.Writer) (w io.Writer, lost bool) {
	f, ok := own.(*os.File)
	if name, err := os.ReadFile(filepath.Join(parent, "comm")); !ok || err != nil || strings.TrimSpace(string(name)) != "go" {
		return own, false
	}
	theirs := filepath.Join(parent, "fd", fmt.Sprint(f.Fd()))
	here, err := f.Stat()
	if err != nil {
		return own, false
	}
	there, err := os.Stat(theirs)
	switch {
	case err != nil || os.SameFile(here, there):
		return own, false
	case there.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) == 0:
		return own, true
	}
	if w, err := os.OpenFile(theirs, os.O_WRONLY, 0); err == nil {
		return w, false
	}
	return own, true
}

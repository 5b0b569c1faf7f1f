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
	"github.com/zkatbench/zkatbench/text"
)

// reportStreams returns the streams for reports and progress. In package mode
// without -v, go test captures the output of a test and discards it if the test
// passes. A report requested by name is then written to the output of go test
// itself, which works where /proc exists (Linux).
func (s *Suite) reportStreams() drive.Streams {
	if testing.Verbose() {
		return drive.Streams{Out: s.Out, Err: s.Err}
	}
	parent := fmt.Sprintf("/proc/%d", os.Getppid())
	out, discarded := goTestStream(parent, s.Out)
	err, _ := goTestStream(parent, s.Err)
	if discarded {
		fmt.Fprintln(err, "go test discards the report if the test passes: add -v")
	}
	return drive.Streams{Out: out, Err: err}
}

// goTestStream returns the stream of the go test process that corresponds to
// own, one of our standard streams. It returns own if both are the same or if
// the parent process is not go. discarded is set if go test writes to a file,
// since two writers would overwrite each other there.
func goTestStream(parent string, own io.Writer) (w io.Writer, discarded bool) {
	if p, ok := own.(text.Printer); ok {
		w, discarded = goTestStream(parent, p.Writer)
		return text.Printer{Writer: w}, discarded
	}
	f, ok := own.(*os.File)
	if name, err := os.ReadFile(filepath.Join(parent, "comm")); !ok || err != nil || strings.TrimSpace(string(name)) != "go" {
		return own, false
	}
	parentPath := filepath.Join(parent, "fd", fmt.Sprint(f.Fd()))
	ownStream, err := f.Stat()
	if err != nil {
		return own, false
	}
	parentStream, err := os.Stat(parentPath)
	switch {
	case err != nil || os.SameFile(ownStream, parentStream):
		return own, false
	case parentStream.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) == 0:
		return own, true
	}
	if w, err := os.OpenFile(parentPath, os.O_WRONLY, 0); err == nil {
		return w, false
	}
	return own, true
}

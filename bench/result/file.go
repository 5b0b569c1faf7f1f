package result

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// File is a result file that grows by whole lines. It takes its name, in place
// of any older file, when its beginning is on the disk; killed at any moment it
// holds what had been appended.
type File struct {
	f    *os.File
	size int64
}

// Create makes a file that begins with head. The name may be a link to a file.
// outfile.ErrDevice if it is a device or a pipe.
func Create(name string, head []string) (*File, error) {
	f, err := outfile.Create(name)
	if err != nil {
		return nil, err
	}
	r := &File{f: f.File}
	if err := r.Append(head...); err != nil {
		f.Discard()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := f.Commit(); err != nil {
		f.Discard()
		return nil, err
	}
	return r, nil
}

// page is what kernels write as a whole: a process that is killed while it
// writes across the end of one may leave what is before that end.
const page = 4096

// Append adds lines as a whole or not at all. Lines that would go beyond a page
// begin on the next one, after a line of spaces, so that they are whole even if
// the process is killed; all but those that fill a page by themselves.
func (r *File) Append(lines ...string) error {
	text := lined(lines)
	if room := page - int(r.size%page); len(text) > room && len(text) <= page {
		text = strings.Repeat(" ", room-1) + "\n" + text
	}
	n, err := r.f.WriteAt([]byte(text), r.size)
	if err != nil {
		// What did not fit is taken back, so that the last line is whole.
		if cut := r.f.Truncate(r.size); cut != nil {
			return fmt.Errorf("%w (and %w)", err, cut)
		}
		return err
	}
	r.size += int64(n)
	return nil
}

// Close writes the file to the disk.
func (r *File) Close() error {
	err := r.f.Sync()
	if closed := r.f.Close(); err == nil {
		err = closed
	}
	return err
}

// Stream is the sink of a run that goes to a writer, such as a pipe.
type Stream struct{ io.Writer }

// Append writes lines.
func (s Stream) Append(lines ...string) error {
	_, err := io.WriteString(s.Writer, lined(lines))
	return err
}

func lined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

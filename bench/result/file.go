package result

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/zkatbench/zkatbench/runner/outfile"
)

// File is a result file that grows by complete lines. It replaces an older file
// of its name as soon as its head is on disk. If the process is killed, the
// file holds all appended lines.
type File struct {
	f    *os.File
	name string
	size int64
}

// Create makes a file that begins with head. The name may be a symbolic
// link. The error is outfile.ErrDevice if it is a device or a pipe.
func Create(name string, head []string) (*File, error) {
	f, err := outfile.Create(name)
	if err != nil {
		return nil, err
	}
	r := &File{f: f.File, name: name}
	err = r.Append(head...)
	if err == nil {
		err = f.Commit()
	}
	if err != nil {
		f.Discard()
		return nil, err
	}
	return r, nil
}

// Open returns a destination of results, which begins with lines: the named file, or out without a name.
func Open(name string, out io.Writer, lines []string) (Sink, error) {
	if name == "" {
		stream := Stream{Writer: out}
		return stream, stream.Append(lines...)
	}
	f, err := Create(name, lines)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ErrExists reports a file with content that would be overwritten.
var ErrExists = errors.New("exists already; -f overwrites it")

// Vacant returns ErrExists if name is a file with content.
func Vacant(name string) error {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		return fmt.Errorf("%s %w", name, ErrExists)
	}
	return nil
}

// page is the unit in which kernels write atomically: if a process is killed
// during a write across the end of a page, the part before the end may remain.
const page = 4096

// Append adds lines completely or not at all. Lines that would cross the end of
// a page begin on the next page, after a line of spaces, so that they are
// complete even if the process is killed. Lines longer than a page are the
// exception.
func (r *File) Append(lines ...string) error {
	text := lined(lines)
	if room := page - int(r.size%page); len(text) > room && len(text) <= page {
		text = strings.Repeat(" ", room-1) + "\n" + text
	}
	n, err := r.f.WriteAt([]byte(text), r.size)
	if err != nil {
		// Remove a partial write, so that the last line is complete.
		if cut := r.f.Truncate(r.size); cut != nil {
			err = fmt.Errorf("%w (and %w)", outfile.Cause(err), outfile.Cause(cut))
		}
		return fmt.Errorf("%s: %w", r.name, outfile.Cause(err))
	}
	r.size += int64(n)
	return nil
}

// Close syncs the file to disk and closes it.
func (r *File) Close() error {
	return cmp.Or(r.f.Sync(), r.f.Close())
}

// Stream is a Sink that writes to a pipe or another writer.
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

// resultWriter writes results to a sink. It writes a configuration line before
// a result only if the configuration has changed.
type resultWriter struct {
	sink    Sink
	head    []string // lines that precede the next result
	current map[string]string
	n       int   // results written
	err     error // first error of the sink
}

func newResultWriter(sink Sink) *resultWriter {
	return &resultWriter{sink: sink, current: map[string]string{}}
}

// begin starts the results of a binary.
func (t *resultWriter) begin(b Binary) { t.configure("pkg: " + b.Package) }

// add writes a line of a result, or keeps a line of configuration.
func (t *resultWriter) add(line printed) {
	if line.Benchmark == "" {
		t.configure(line.Text)
		return
	}
	if t.err == nil {
		t.err = t.sink.Append(append(t.head, line.Text)...)
	}
	t.head = nil
	if t.err == nil {
		t.n++
	}
}

// note writes a line between results.
func (t *resultWriter) note(line string) error {
	if t.err == nil {
		t.err = t.sink.Append(line)
	}
	return t.err
}

// end writes lines and the number of results.
func (t *resultWriter) end(lines ...string) error {
	return t.sink.Append(append(lines, EndLine(t.n))...)
}

// configure records a line of configuration or a Unit line, unless it is
// current.
func (t *resultWriter) configure(text string) {
	key, _, _ := strings.Cut(text, ":")
	if strings.HasPrefix(text, "Unit ") {
		key = text
	}
	if t.current[key] != text {
		t.head = append(t.head, text)
		t.current[key] = text
	}
}

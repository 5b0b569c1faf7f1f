package result

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// File is a result file that grows by whole lines. It takes its name, in place
// of any older file, when its beginning is on the disk; killed at any moment it
// holds what had been appended.
type File struct {
	f    *os.File
	size int64
}

// Create makes a file that begins with head.
func Create(name string, head []string) (*File, error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, err
	}
	r := &File{f: f}
	for _, step := range []func() error{
		func() error { return r.Append(head...) },
		func() error { return f.Chmod(0o644) },
		f.Sync,
		func() error { return os.Rename(f.Name(), name) },
	} {
		if err := step(); err != nil {
			f.Close()
			os.Remove(f.Name())
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return r, nil
}

// Append adds lines as a whole or not at all.
func (r *File) Append(lines ...string) error {
	text := lined(lines)
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

// WriteFile writes a whole file, or leaves what was there.
func WriteFile(name string, content []byte) error {
	f, err := Create(name, []string{strings.TrimSuffix(string(content), "\n")})
	if err != nil {
		return err
	}
	return f.Close()
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

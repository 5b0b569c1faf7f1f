package drive

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes a file completely or not at all: it writes a temporary file
// in the same directory, syncs it to disk, and renames it. Readers of the name
// see the old file or the new one, also after a crash.
func WriteFile(name string, write func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return writeDirect(name, write)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // no effect after the rename
	b := bufio.NewWriter(f)
	for _, step := range []func() error{
		func() error { return write(b) },
		b.Flush,
		func() error { return f.Chmod(0o644) },
		f.Sync,
	} {
		if err := step(); err != nil {
			f.Close()
			return err
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// writeDirect writes to a terminal, a pipe or a device, which cannot be
// replaced by a rename.
func writeDirect(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

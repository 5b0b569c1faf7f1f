// Package outfile writes files atomically: it writes a temporary file, syncs it
// to disk, and renames it. It does not write to devices and pipes, and does not read
// from them. Lock keeps other processes from a file.
package outfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// ErrDevice reports the name of a device, a pipe or a folder, which a file
// cannot replace.
var ErrDevice = errors.New("is not a regular file and cannot be replaced")

// ErrInput reports the name of a device or a pipe, which may be endless and cannot be
// read twice.
var ErrInput = errors.New("is a device or a pipe; write it to a file first")

// Open opens a regular file, or a link to one, for reading. The error is ErrInput
// with the name, or the error of os.Open.
func Open(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, fmt.Errorf("%s %w", name, ErrInput)
	}
	return os.Open(name)
}

// ReadFile reads a file that Open opens.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// File is a file before its final name. Close without Commit removes it.
type File struct {
	*os.File
	name string
}

// Create opens a temporary file in the folder of name. If name is a link to a
// file, the target of the link is replaced. Errors name the file; one of them
// is ErrDevice.
func Create(name string) (*File, error) {
	if old, err := os.Stat(name); err == nil && !old.Mode().IsRegular() {
		return nil, fmt.Errorf("%s %w", name, ErrDevice)
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, Cause(err))
	}
	return &File{File: f, name: name}, nil
}

// Check returns the error that Create would return, before the work for a file begins.
// The empty name and - are standard output, for which the error is nil.
func Check(names ...string) error {
	for _, name := range names {
		if name == "" || name == "-" {
			continue
		}
		f, err := Create(name)
		if err != nil {
			return err
		}
		f.Discard()
	}
	return nil
}

// Commit syncs the file, renames it and syncs the folder, so that a reader of
// the name sees the old file or the new one, also after a crash. The file stays
// open.
func (f *File) Commit() error {
	for _, step := range []func() error{
		func() error { return f.Chmod(0o644) },
		f.Sync,
		func() error { return os.Rename(f.File.Name(), f.name) },
		func() error { return SyncFolder(filepath.Dir(f.name)) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("%s: %w", f.name, Cause(err))
		}
	}
	return nil
}

// Cause returns the error of the system in an error of package os, without the
// name of a temporary file, which a user does not know.
func Cause(err error) error {
	path, link := new(os.PathError), new(os.LinkError)
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// Discard closes the file, and removes it unless Commit has renamed it.
func (f *File) Discard() {
	f.Close()
	_ = os.Remove(f.File.Name()) // fails after Commit, since the temporary name no longer exists
}

// SyncFolder syncs the entries of a folder to disk. Windows does not support
// this, and some file systems report that it is unnecessary.
func SyncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) &&
		!errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// Write writes a complete file with write, or leaves the old one.
func Write(name string, write func(io.Writer) error) error {
	f, err := Create(name)
	if err != nil {
		return err
	}
	defer f.Discard()
	b := bufio.NewWriter(f)
	if err := errors.Join(write(b), b.Flush()); err != nil {
		if path := new(os.PathError); errors.As(err, &path) && path.Path == f.File.Name() {
			err = path.Err
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	return f.Commit()
}

// WriteBytes writes a complete file, or leaves the old one.
func WriteBytes(name string, content []byte) error {
	return Write(name, func(w io.Writer) error { _, err := w.Write(content); return err })
}

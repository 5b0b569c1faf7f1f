package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zkatbench/zkatbench/internal/text"
)

// counterFile has the number of blocks that are on disk, outside the database. It is written
// after the blocks and not synced, so that it is never ahead.
const counterFile = "blocks"

// disk is the database of a store, with its lock and the file of the count.
type disk struct {
	dir     string
	fs      vfs.FS
	db      *pebble.DB
	lock    *pebble.Lock
	counter vfs.File

	counting sync.Mutex
	counted  sync.Cond // of settled
	settled  uint64    // blocks that are on disk
}

// makeFolder makes the folder, so that it is there after a loss of power.
func (d *disk) makeFolder() error {
	var parents []string // of new folders
	for dir := d.dir; ; {
		if _, err := d.fs.Stat(dir); err == nil {
			break
		}
		parent := d.fs.PathDir(dir)
		if parent == dir {
			break
		}
		parents, dir = append(parents, parent), parent
	}
	if err := d.fs.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	for _, parent := range parents {
		opened, err := d.fs.OpenDir(parent)
		if err != nil {
			return err
		}
		if err := errors.Join(opened.Sync(), opened.Close()); err != nil {
			return err
		}
	}
	return nil
}

// lockAndCount locks the folder, and reads the number of blocks that were on disk.
func (d *disk) lockAndCount() (err error) {
	d.counted.L = &d.counting
	d.lock, err = pebble.LockDirectory(d.dir, d.fs)
	if err != nil {
		if errors.Is(err, syscall.EAGAIN) || strings.Contains(err.Error(), "held by current process") {
			return ErrInUse
		}
		return err
	}
	d.counter, err = d.fs.OpenReadWrite(d.fs.PathJoin(d.dir, counterFile),
		vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	count := make([]byte, 8)
	if n, _ := d.counter.ReadAt(count, 0); n == len(count) {
		d.settled = binary.BigEndian.Uint64(count)
	}
	return nil
}

// pause is the time after a failure in the background. The library tries again at once.
const pause = 100 * time.Millisecond

// memory is the size in bytes of the table of new entries, and of the cache of old entries. A
// flush of the table costs a few ms of processor time for each MiB, in addition to the requests.
const memory = 16 << 20

// openDatabase opens the database. A disk that fails while the library opens is an error; the
// library itself would try again for ever.
func (d *disk) openDatabase(readOnly bool) error {
	failures, isOpen := make(chan error), make(chan struct{})
	defer close(isOpen)
	o := &pebble.Options{
		FS: d.fs, Lock: d.lock, Logger: logger{}, FormatMajorVersion: pebble.FormatNewest, ReadOnly: readOnly,
		DisableTableStats: true, // their loader panics when the library fails to open
		MemTableSize:      memory, CacheSize: memory,
		EventListener: &pebble.EventListener{
			// Corruption is an error of the call that finds it; by default it ends the process.
			DataCorruption: func(pebble.DataCorruptionInfo) {},
			BackgroundError: func(err error) {
				select {
				case failures <- err:
					select {} // the store is not opened
				case <-isOpen:
					time.Sleep(pause)
				}
			},
		},
	}
	for level := range o.Levels { // most keys that are looked up are new
		o.Levels[level].FilterPolicy = bloom.FilterPolicy(10)
	}
	type result struct {
		db  *pebble.DB
		err error
	}
	opened := make(chan result, 1)
	go func() {
		defer func() { // a damaged file can stop the library with a panic
			if reason := recover(); reason != nil {
				opened <- result{err: ErrDamaged}
			}
		}()
		db, err := pebble.Open(d.dir, o)
		opened <- result{db, err}
	}()
	select {
	case r := <-opened:
		d.db = r.db
		return r.err
	case err := <-failures:
		return err
	}
}

func (d *disk) closeDatabase() error {
	db := d.db
	d.db = nil
	return db.Close()
}

// release closes every part that is open.
func (d *disk) release() error {
	var errs []error
	if d.db != nil {
		errs = append(errs, d.closeDatabase())
	}
	if d.counter != nil {
		errs = append(errs, d.counter.Close())
	}
	if d.lock != nil {
		errs = append(errs, d.lock.Close())
	}
	return errors.Join(errs...)
}

// Close closes the store.
func (s *Store) Close() error { return s.release() }

// count notes that blocks are on disk. The blocks are there already, so after an error the count
// is too small, which is harmless.
func (d *disk) count(blocks uint64) {
	d.counting.Lock()
	defer d.counting.Unlock()
	if blocks <= d.settled {
		return
	}
	_, _ = d.counter.WriteAt(binary.BigEndian.AppendUint64(nil, blocks), 0)
	d.settled = blocks
	d.counted.Broadcast()
}

// waitFor waits until a block is on disk.
func (d *disk) waitFor(block uint64) {
	d.counting.Lock()
	defer d.counting.Unlock()
	for d.settled < block {
		d.counted.Wait()
	}
}

// get returns the value of a key, nil if the key is missing.
func (d *disk) get(key []byte) ([]byte, error) {
	value, closer, err := d.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRead, err)
	}
	return bytes.Clone(value), closer.Close()
}

func (d *disk) exists(key []byte) (bool, error) {
	_, closer, err := d.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrRead, err)
	}
	return true, closer.Close()
}

// exit ends the process. Tests replace it.
var exit = os.Exit

// fatal ends the process: a block is visible that the disk did not take. Everything that was
// acknowledged is on disk.
func fatal(err error) {
	fmt.Fprintln(text.Printer{Writer: os.Stderr}, "store:", oneLine{err})
	exit(1)
}

// logger drops the messages of the library. It ends the process if the library
// cannot go on, for example after a failed write.
type logger struct{}

func (logger) Infof(string, ...any)              {}
func (logger) Errorf(string, ...any)             {}
func (logger) Fatalf(format string, args ...any) { fatal(fmt.Errorf(format, args...)) }

// oneLine is an error with the first line of its text. Errors of the library can have
// details on more lines.
type oneLine struct{ error }

func (e oneLine) Error() string {
	line, _, _ := strings.Cut(e.error.Error(), "\n")
	return line
}
func (e oneLine) Unwrap() error { return e.error }

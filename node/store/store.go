// Package store keeps the ledger of a validation service on disk, with the keys of
// section 18 of the v1 specification: tokens, markers of unspent tokens, applied
// requests, and metadata entries of actions. The blocks of the service are applied
// one after another. Each is one synced write, so a block is on disk as a
// whole or not at all.
package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// Errors of a Store.
var (
	// ErrFull says that a block was not applied because the disk is almost full.
	ErrFull = errors.New("disk is almost full")
	// ErrNetwork says that a store belongs to a network with other parameters.
	ErrNetwork = errors.New("store belongs to another network")
	// ErrDamaged says that blocks of the store are lost.
	ErrDamaged = errors.New("store is damaged: blocks are missing")
	// ErrMetadata says that a metadata entry exists already.
	ErrMetadata = errors.New("metadata entry exists already")
)

// Options configure a store.
type Options struct {
	// Digest is the digest of the network's parameters. A store is bound to it when
	// it is made.
	Digest [32]byte
	// Reserve is the number of free bytes on the disk below which blocks are refused.
	// It covers the files that the store writes in the background. 0 means 256 MiB.
	Reserve uint64
	// Unchecked opens a store without reading all its blocks.
	Unchecked bool
	// FS is the file system; nil means the one of the machine.
	FS vfs.FS
}

const defaultReserve = 256 << 20

// Keys of the store itself. Composite keys differ, since they begin with 0.
var (
	digestKey = []byte("zkatbench/parameters")
	blocksKey = []byte("zkatbench/blocks") // number of written blocks, BE64
)

// counterFile has the number of written blocks outside the database. It is written
// after each block and not synced, so that it is never ahead.
const counterFile = "blocks"

// marked is the value of a marker (section 18).
var marked = []byte{1}

// A Store is a ledger on disk. It is safe for concurrent use.
type Store struct {
	db      *pebble.DB
	dir     string
	fs      vfs.FS
	reserve uint64
	applies sync.Mutex // held while a block is decided and written
	blocks  uint64     // written
	counter *os.File
}

var _ validator.Ledger = (*Store)(nil)

// Open opens the store in a folder, or makes it. Unless o.Unchecked is set, it reads
// the checksums of all tables first and counts the blocks, so that a damaged store is
// an error here and not later. It does not change a damaged store.
func Open(dir string, o Options) (s *Store, err error) {
	s = &Store{dir: dir, fs: o.FS, reserve: cmp.Or(o.Reserve, defaultReserve)}
	if s.fs == nil {
		s.fs = vfs.Default
	}
	if err = s.open(o); err != nil {
		return nil, fmt.Errorf("store %s: %w", dir, oneLine{err})
	}
	return s, nil
}

func (s *Store) open(o Options) (err error) {
	defer func() { // a damaged file can stop the library with a panic
		if reason := recover(); reason != nil {
			err = ErrDamaged
		}
	}()
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if s.counter, err = os.OpenFile(filepath.Join(s.dir, counterFile), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	counted := make([]byte, 8)
	if n, _ := s.counter.ReadAt(counted, 0); n == len(counted) {
		s.blocks = binary.BigEndian.Uint64(counted)
	}
	if s.blocks > 0 && !o.Unchecked {
		if err := s.openDatabase(true, o.Digest); err != nil {
			return err
		}
		if err := errors.Join(s.db.CheckLevels(nil), s.db.Close()); err != nil {
			return err
		}
	}
	return s.openDatabase(false, o.Digest)
}

// openDatabase opens the database and compares its network and number of blocks.
func (s *Store) openDatabase(readOnly bool, digest [32]byte) (err error) {
	s.db, err = pebble.Open(s.dir, &pebble.Options{
		FS: s.fs, Logger: logger{}, FormatMajorVersion: pebble.FormatNewest, ReadOnly: readOnly,
		// Corruption is an error of the call that finds it; by default it ends the process.
		EventListener: &pebble.EventListener{DataCorruption: func(pebble.DataCorruptionInfo) {}},
	})
	if err != nil {
		return err
	}
	if err = s.compare(digest); err != nil {
		_ = s.db.Close() // the first error is the reason
	}
	return err
}

func (s *Store) compare(digest [32]byte) error {
	own, err := s.get(digestKey)
	if err != nil {
		return err
	}
	count, err := s.get(blocksKey)
	if err != nil {
		return err
	}
	var blocks uint64
	if len(count) == 8 {
		blocks = binary.BigEndian.Uint64(count)
	}
	switch {
	case blocks < s.blocks:
		return ErrDamaged
	case blocks == 0:
		b := s.db.NewBatch()
		_ = b.Set(digestKey, digest[:], nil) // errors of a Batch are errors of its Commit
		return s.commit(b)
	case !bytes.Equal(own, digest[:]):
		return ErrNetwork
	}
	s.blocks = blocks
	return nil
}

// commit writes a block and counts it.
func (s *Store) commit(b *pebble.Batch) error {
	count := binary.BigEndian.AppendUint64(nil, s.blocks+1)
	_ = b.Set(blocksKey, count, nil)
	if err := b.Commit(pebble.Sync); err != nil {
		return err
	}
	s.blocks++
	_, _ = s.counter.WriteAt(count, 0) // the block is written; the count may be behind
	return nil
}

// oneLine is an error with the first line of its text. Errors of the library can have
// details on more lines.
type oneLine struct{ error }

func (e oneLine) Error() string { return firstLine(e.error.Error()) }
func (e oneLine) Unwrap() error { return e.error }

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// Close closes the store.
func (s *Store) Close() error { return errors.Join(s.db.Close(), s.counter.Close()) }

// get returns the value of a key, nil if the key is missing.
func (s *Store) get(key []byte) ([]byte, error) {
	value, closer, err := s.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return bytes.Clone(value), closer.Close()
}

func (s *Store) exists(key []byte) (bool, error) {
	value, err := s.get(key)
	return value != nil, err
}

// Has implements validator.Ledger.
func (s *Store) Has(id token.ID, raw []byte) (bool, error) {
	return s.exists(ledger.MarkerKey(id, raw))
}

// Knows implements validator.Ledger.
func (s *Store) Knows(anchor string) (bool, error) { return s.exists(ledger.RequestKey(anchor)) }

// Put stores tokens that no request of this ledger made, such as tokens of an
// earlier ledger.
func (s *Store) Put(tokens ...validator.Created) error {
	s.applies.Lock()
	defer s.applies.Unlock()
	b := s.db.NewBatch()
	create(b, tokens)
	return s.commit(b)
}

// Apply applies the accepted requests of a block that can be applied, in order, and
// returns an error for each: nil, or ledger.ErrKnown, ledger.ErrSpent or ErrMetadata.
// They are on disk when Apply returns. If the second error is not nil, no part of the
// block is applied.
func (s *Store) Apply(block []*validator.Accepted) ([]error, error) {
	s.applies.Lock()
	defer s.applies.Unlock()
	if usage, err := s.fs.GetDiskUsage(s.dir); err != nil {
		return nil, err
	} else if usage.AvailBytes < s.reserve {
		return nil, ErrFull
	}
	c := change{store: s, batch: s.db.NewBatch(), written: map[string]bool{}}
	verdicts := make([]error, len(block))
	for i, a := range block {
		var err error
		if verdicts[i], err = c.apply(a); err != nil {
			return nil, errors.Join(err, c.batch.Close())
		}
	}
	return verdicts, s.commit(c.batch)
}

// change is a block while it is decided.
type change struct {
	store *Store
	batch *pebble.Batch
	// written are the keys that the block writes or deletes, each at most once.
	written map[string]bool
}

// step is a key of a request: an entry that must not exist and is set, or the marker of
// a spent token, which must exist and is deleted.
type step struct {
	key, value []byte
	refusal    error            // of an entry that exists
	spent      *validator.Spent // nil for an entry
}

func stepsOf(a *validator.Accepted) []step {
	message := sha256.Sum256(a.Message)
	steps := []step{{key: ledger.RequestKey(a.Anchor), value: message[:], refusal: ledger.ErrKnown}}
	for _, action := range a.Transfers {
		for key, value := range action.Metadata {
			steps = append(steps, step{key: ledger.TransferMetadataKey(key), value: value, refusal: ErrMetadata})
		}
	}
	for _, action := range a.Issues {
		for key, value := range action.Metadata {
			steps = append(steps, step{key: ledger.IssueMetadataKey(key), value: value, refusal: ErrMetadata})
		}
	}
	for i := range a.Spent {
		in := &a.Spent[i]
		steps = append(steps, step{key: ledger.MarkerKey(in.ID, in.Token), spent: in})
	}
	return steps
}

// refused returns the reason for which a step cannot be done.
func (s step) refused() error {
	if s.spent == nil {
		return s.refusal
	}
	return fmt.Errorf("%s:%d: %w", s.spent.ID.TxID, s.spent.ID.Index, ledger.ErrSpent)
}

// apply adds a request to the change, or returns the reason to refuse it. The second
// error is of the disk.
func (c *change) apply(a *validator.Accepted) (refused, err error) {
	steps, own := stepsOf(a), map[string]bool{}
	for _, s := range steps {
		exists, err := c.store.exists(s.key)
		if err != nil {
			return nil, err
		}
		if exists != (s.spent != nil) || c.written[string(s.key)] || own[string(s.key)] {
			return s.refused(), nil
		}
		own[string(s.key)] = true
	}
	for _, s := range steps { // errors of a Batch are errors of its Commit
		c.written[string(s.key)] = true
		if s.spent == nil {
			_ = c.batch.Set(s.key, s.value, nil)
			continue
		}
		_ = c.batch.Delete(s.key, nil)
		_ = c.batch.Delete(ledger.OutputKey(s.spent.ID), nil)
	}
	create(c.batch, a.Created)
	return nil, nil
}

// create adds new tokens. A token without bytes is redeemed and not stored.
func create(b *pebble.Batch, tokens []validator.Created) {
	for _, out := range tokens {
		if out.Token != nil {
			_ = b.Set(ledger.OutputKey(out.ID), out.Token, nil)
			_ = b.Set(ledger.MarkerKey(out.ID, out.Token), marked, nil)
		}
	}
}

// logger drops the messages of the library. It ends the process if the library
// cannot go on, for example after a failed write: acknowledged blocks are on disk.
type logger struct{}

func (logger) Infof(string, ...any)  {}
func (logger) Errorf(string, ...any) {}
func (logger) Fatalf(format string, args ...any) {
	fmt.Fprintln(os.Stderr, "store:", firstLine(fmt.Sprintf(format, args...)))
	os.Exit(1)
}

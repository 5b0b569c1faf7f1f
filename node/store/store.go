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
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// Errors of a Store.
var (
	// ErrFull says that a block was not applied, or a store not opened, because the disk
	// is almost full.
	ErrFull = errors.New("disk is almost full")
	// ErrInUse says that another process has the store open.
	ErrInUse = errors.New("store is in use by another process")
	// ErrNetwork says that a store belongs to a network with other parameters.
	ErrNetwork = errors.New("store belongs to another network")
	// ErrDamaged says that blocks of the store are lost.
	ErrDamaged = errors.New("store is damaged: blocks are missing")
	// ErrMetadata says that a metadata entry exists already.
	ErrMetadata = errors.New("metadata entry exists already")
	// ErrToken says that a new token exists already.
	ErrToken = errors.New("token exists already")
	// ErrRead says that the disk did not give an entry: it is unknown whether the entry exists.
	ErrRead = errors.New("store cannot be read")
	// ErrStale says that other blocks were applied after a decision.
	ErrStale = errors.New("store has changed since the decision")
)

// Options configure a store.
type Options struct {
	// Digest is the digest of the network's parameters. A store is bound to it when
	// it is made.
	Digest [32]byte
	// Reserve is the number of free bytes on the disk below which blocks are refused, and
	// no store is opened. It covers the files that the store writes in the background. 0
	// means 256 MiB.
	Reserve uint64
	// Unchecked opens a store without reading all its blocks.
	Unchecked bool
	// FS is the file system. If it is nil, the store uses the machine's file system.
	FS vfs.FS
}

const defaultReserve = 256 << 20

// Keys of the store itself. Composite keys differ, since they begin with 0.
var (
	digestKey = []byte("zkatbench/parameters")
	blocksKey = []byte("zkatbench/blocks") // a state
)

// A Store is a ledger on disk. It is safe for concurrent use.
type Store struct {
	disk
	reserve uint64
	applies sync.Mutex // held while a block is decided
	state   state      // after all decided blocks
}

// state is a number of blocks, and a hash of all that they wrote.
type state struct {
	blocks uint64
	hash   [sha256.Size]byte
}

func (s state) bytes() []byte {
	return append(binary.BigEndian.AppendUint64(nil, s.blocks), s.hash[:]...)
}

var _ validator.Ledger = (*Store)(nil)

// A Request is an accepted request with the digest of its bytes.
type Request struct {
	*validator.Accepted
	Digest [sha256.Size]byte // SHA-256 of the bytes that were submitted
}

// A Receipt has the number of the block that applied a request, counted from 1, and the digest
// of the request's bytes. Tokens that Put stored have a receipt with digest zero.
type Receipt struct {
	Block  uint64
	Digest [sha256.Size]byte
}

// A Verdict is the decision on a request: the number of the block that applies it, or the reason
// why it is refused.
type Verdict struct {
	Block uint64
	Err   error
}

// Open opens the store in a folder, or makes it. Unless o.Unchecked is set, it reads
// the checksums of all tables first and counts the blocks, so that a damaged store is
// an error here and not later. It does not change a damaged store.
func Open(dir string, o Options) (*Store, error) {
	s := &Store{reserve: cmp.Or(o.Reserve, defaultReserve)}
	s.disk.dir, s.disk.fs = dir, o.FS
	if s.fs == nil {
		s.fs = vfs.Default
	}
	if err := s.open(o); err != nil {
		s.release()
		return nil, fmt.Errorf("store %s: %w", dir, oneLine{err})
	}
	return s, nil
}

// open opens or creates the store: the lock, a check of all tables that writes nothing (unless
// it is Unchecked), and only then the database for writing.
func (s *Store) open(o Options) (err error) {
	defer func() { // a damaged file can stop the library with a panic
		if reason := recover(); reason != nil {
			err = ErrDamaged
		}
	}()
	if err := s.makeFolder(); err != nil {
		return err
	}
	if err := s.room(); err != nil {
		return err
	}
	if err := s.lockAndCount(); err != nil {
		return err
	}
	if s.settled > 0 && !o.Unchecked {
		if err := s.openDatabase(true); err != nil {
			return err
		}
		_, err := s.read(o.Digest)
		if err := errors.Join(err, s.db.CheckLevels(nil), s.closeDatabase()); err != nil {
			return err
		}
	}
	if err := s.openDatabase(false); err != nil {
		return err
	}
	s.state, err = s.read(o.Digest)
	if err != nil || s.state.blocks > 0 {
		s.settled = s.state.blocks
		return err
	}
	c := s.newChange()
	c.set(digestKey, o.Digest[:])
	return s.commit(c)
}

// read returns the state of the database. The error is ErrDamaged if blocks are missing, and
// ErrNetwork if it belongs to another network.
func (s *Store) read(digest [32]byte) (found state, err error) {
	raw, err := s.get(blocksKey)
	if err != nil {
		return found, err
	}
	if len(raw) == len(found.bytes()) {
		found.blocks = binary.BigEndian.Uint64(raw)
		copy(found.hash[:], raw[8:])
	}
	if found.blocks < s.settled {
		return found, ErrDamaged
	}
	own, err := s.get(digestKey)
	if err == nil && found.blocks > 0 && !bytes.Equal(own, digest[:]) {
		err = ErrNetwork
	}
	return found, err
}

// State returns the number of decided blocks and a hash of all that they wrote. Stores that
// applied the same requests in the same blocks have equal states.
func (s *Store) State() (blocks uint64, hash [sha256.Size]byte) {
	s.applies.Lock()
	defer s.applies.Unlock()
	return s.state.blocks, s.state.hash
}

// Has implements validator.Ledger.
func (s *Store) Has(id token.ID, raw []byte) (bool, error) {
	if request.CheckInput(id, raw) != nil {
		return false, nil // such a token is never stored
	}
	return s.exists(ledger.MarkerKey(id, raw))
}

// Knows implements validator.Ledger.
func (s *Store) Knows(anchor string) (bool, error) {
	if request.CheckAnchor(anchor) != nil {
		return false, nil
	}
	return s.exists(ledger.RequestKey(anchor))
}

// Receipt returns the receipt of the request that was applied under an anchor. Its block
// is on disk when Receipt returns.
func (s *Store) Receipt(anchor string) (r Receipt, found bool, err error) {
	if request.CheckAnchor(anchor) != nil {
		return r, false, nil
	}
	value, err := s.get(ledger.RequestKey(anchor))
	if err != nil || value == nil {
		return r, false, err
	}
	r = receiptOf(value)
	s.waitFor(r.Block)
	return r, true, nil
}

// Put stores tokens that no request of this ledger made, such as tokens of an
// earlier ledger. Their transactions count as applied. The error is ErrToken if one
// exists already.
func (s *Store) Put(tokens ...validator.Created) error {
	s.applies.Lock()
	c := s.newChange()
	err := c.put(tokens)
	if err != nil {
		err = errors.Join(err, c.batch.Close())
	} else {
		err = s.decided(c)
	}
	s.applies.Unlock()
	if err != nil {
		return err
	}
	return s.settle(c)
}

// Apply decides on a block, and waits until it is on disk.
func (s *Store) Apply(block []Request) ([]Verdict, error) {
	d, err := s.Decide(block)
	if err != nil {
		return nil, err
	}
	return d.Verdicts, d.Wait()
}

// A Decision is a block that is decided. Its verdicts may be reported after Wait has returned nil.
type Decision struct {
	Verdicts []Verdict
	change   *change
}

// State is the state of the store after the block, see Store.State.
func (d Decision) State() (blocks uint64, hash [sha256.Size]byte) {
	return d.change.state.blocks, d.change.state.hash
}

// Commit applies the block of Try, and waits until it is on disk. The error is ErrStale if another
// block was applied since.
func (d Decision) Commit() error {
	s := d.change.store
	s.applies.Lock()
	err := ErrStale
	if s.state == d.change.base {
		err = s.show(d.change)
	}
	s.applies.Unlock()
	if err != nil {
		return err
	}
	return s.settle(d.change)
}

// Wait waits until the block, and all blocks that were decided before it, are on disk. It is
// called once.
func (d Decision) Wait() error { return d.change.store.settle(d.change) }

// Decide applies the accepted requests of a block that can be applied, in order, and
// has a verdict for each. Its error is nil, ledger.ErrKnown, ledger.ErrSpent,
// ErrMetadata, ErrToken, or an error of request.CheckAnchor. A request that was applied
// before with the same bytes has its first verdict. If the second value is not nil, no part of
// the block is applied.
//
// Blocks are decided one after another, each on the state after all decided ones. They are
// written in this order.
func (s *Store) Decide(block []Request) (Decision, error) {
	s.applies.Lock()
	defer s.applies.Unlock()
	d, err := s.try(block)
	if err != nil {
		return d, err
	}
	return d, s.decided(d.change)
}

// Try decides on a block as Decide, and applies nothing. Commit applies it; a decision that is not
// committed has no effect.
func (s *Store) Try(block []Request) (Decision, error) {
	s.applies.Lock()
	defer s.applies.Unlock()
	d, err := s.try(block)
	if err == nil {
		d.change.finish()
	}
	return d, err
}

func (s *Store) try(block []Request) (Decision, error) {
	if err := s.room(); err != nil {
		return Decision{}, err
	}
	d := Decision{Verdicts: make([]Verdict, len(block)), change: s.newChange()}
	for i, r := range block {
		var err error
		d.Verdicts[i], err = d.change.apply(r)
		if err != nil {
			return Decision{}, errors.Join(err, d.change.batch.Close())
		}
	}
	return d, nil
}

// decided makes a change visible, and gives it to the disk.
func (s *Store) decided(c *change) error {
	c.finish()
	return s.show(c)
}

func (s *Store) show(c *change) error {
	if err := s.db.ApplyNoSyncWait(c.batch, pebble.Sync); err != nil {
		return err
	}
	s.state = c.state
	return nil
}

// commit is decided and settle.
func (s *Store) commit(c *change) error {
	if err := s.decided(c); err != nil {
		return err
	}
	return s.settle(c)
}

// settle waits until a change and all earlier ones are on disk, and counts them.
func (s *Store) settle(c *change) error {
	if err := c.batch.SyncWait(); err != nil {
		fatal(err) // it is visible, but it is not on disk
	}
	s.count(c.state.blocks)
	return c.batch.Close()
}

// room returns ErrFull if the disk has too few free bytes.
func (s *Store) room() error {
	usage, err := s.fs.GetDiskUsage(s.dir)
	if err == nil && usage.AvailBytes < s.reserve {
		err = ErrFull
	}
	return err
}

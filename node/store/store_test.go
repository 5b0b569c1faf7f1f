package store_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/node/internal/accept"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

var network = [32]byte{1}

func open(t *testing.T, dir string, o store.Options) *store.Store {
	t.Helper()
	o.Digest = network
	if o.Reserve == 0 {
		o.Reserve = 1
	}
	s, err := store.Open(dir, o)
	require.NoError(t, err)
	return s
}

// tokenOf is token number i, with its own bytes.
func tokenOf(i int) validator.Created {
	return validator.Created{ID: token.ID{TxID: fmt.Sprint("made-", i), Index: uint64(i)},
		Token: fmt.Appendf(nil, "token %d", i)}
}

// spend is a request that spends the tokens and makes one.
func spend(anchor string, tokens ...int) *validator.Accepted {
	a := &validator.Accepted{Anchor: anchor,
		Created: []validator.Created{{ID: token.ID{TxID: anchor}, Token: []byte(anchor)}}}
	for _, i := range tokens {
		a.Spent = append(a.Spent, validator.Spent(tokenOf(i)))
	}
	return a
}

// apply applies a block of different requests, and returns the reasons of their refusals.
func apply(s *store.Store, block ...*validator.Accepted) ([]error, error) {
	var requests []store.Request
	for _, a := range block {
		requests = append(requests,
			store.Request{Accepted: a, Digest: sha256.Sum256(fmt.Appendf(nil, "%p", a))})
	}
	verdicts, err := s.Apply(requests)
	var refusals []error
	for _, v := range verdicts {
		refusals = append(refusals, v.Err)
	}
	return refusals, err
}

func has(t *testing.T, s *store.Store, c validator.Created) bool {
	t.Helper()
	found, err := s.Has(c.ID, c.Token)
	require.NoError(t, err)
	return found
}

// TestADoubleSpendAtEveryPlace: a block of requests with three inputs each has one
// request with one spent input, in turn of another block, of an earlier request
// of the block, of the request itself, or with other bytes. The store refuses that
// request alone, and it does not change the state.
func TestADoubleSpendAtEveryPlace(t *testing.T) {
	const requests, inputs = 4, 3
	for at := range requests {
		for input := range inputs {
			for _, kind := range []string{"earlier block", "earlier request", "same request", "other bytes",
				"unknown"} {
				if kind == "earlier request" && at == 0 || kind == "same request" && input == 0 {
					continue
				}
				s := open(t, folder, store.Options{FS: newMemory()})
				for i := range requests*inputs + 1 {
					require.NoError(t, s.Put(tokenOf(i)))
				}
				_, err := apply(s, spend("before", requests*inputs))
				require.NoError(t, err)
				var block []*validator.Accepted
				for r := range requests {
					block = append(block, spend(fmt.Sprint("r", r), 3*r, 3*r+1, 3*r+2))
				}
				wrong := &block[at].Spent[input]
				switch kind {
				case "earlier block":
					*wrong = validator.Spent(tokenOf(requests * inputs))
				case "earlier request":
					*wrong = block[at-1].Spent[inputs-1]
				case "same request":
					*wrong = block[at].Spent[0]
				case "other bytes":
					wrong.Token = []byte("other")
				case "unknown":
					wrong.ID.Index += 1 << 32
				}
				verdicts, err := apply(s, block...)
				require.NoError(t, err)
				for r := range requests {
					made := block[r].Created[0]
					if r == at {
						require.ErrorIs(t, verdicts[r], ledger.ErrSpent, kind)
						require.False(t, has(t, s, made))
						for i := range inputs {
							original := tokenOf(3*r + i)
							require.True(t, has(t, s, original), "%s: a refused request keeps its inputs",
								kind)
						}
						continue
					}
					require.NoError(t, verdicts[r], kind)
					require.True(t, has(t, s, made))
					for _, in := range block[r].Spent {
						require.False(t, has(t, s, validator.Created(in)))
					}
				}
				require.NoError(t, s.Close())
			}
		}
	}
}

// TestKeysThatMustNotExist: an anchor and a metadata entry are applied once, in one
// block and between blocks.
func TestKeysThatMustNotExist(t *testing.T) {
	s := open(t, t.TempDir(), store.Options{})
	defer s.Close()
	entry := map[string][]byte{"pub.a": {1}}
	transfers := func(anchor string) *validator.Accepted {
		return &validator.Accepted{Anchor: anchor, Transfers: []*transfer.Action{{}, {Metadata: entry}}}
	}
	issues := func(anchor string) *validator.Accepted {
		return &validator.Accepted{Anchor: anchor, Issues: []*issue.Action{{}, {Metadata: entry}}}
	}
	verdicts, err := apply(s, transfers("a"), &validator.Accepted{Anchor: "a"}, transfers("b"), issues("c"),
		issues("d"))
	require.NoError(t, err)
	require.Equal(t, []error{nil, ledger.ErrKnown, store.ErrMetadata, nil, store.ErrMetadata}, verdicts)
	verdicts, err = apply(s, &validator.Accepted{Anchor: "c"}, transfers("e"), issues("f"),
		&validator.Accepted{Anchor: "b"})
	require.NoError(t, err)
	require.Equal(t, []error{ledger.ErrKnown, store.ErrMetadata, store.ErrMetadata, nil}, verdicts)
	twice := transfers("g")
	twice.Transfers[0].Metadata = map[string][]byte{"pub.b": nil}
	twice.Transfers[1].Metadata = map[string][]byte{"pub.b": nil}
	verdicts, err = apply(s, twice)
	require.NoError(t, err)
	require.Equal(t, []error{store.ErrMetadata}, verdicts)
}

// TestRedeemedOutputsAreNotStored: an output without bytes is redeemed.
func TestRedeemedOutputsAreNotStored(t *testing.T) {
	s := open(t, t.TempDir(), store.Options{})
	defer s.Close()
	a := spend("a")
	a.Created = append(a.Created, validator.Created{ID: token.ID{TxID: "a", Index: 1}},
		validator.Created{ID: token.ID{TxID: "a", Index: 2}, Token: []byte{2}})
	_, err := apply(s, a)
	require.NoError(t, err)
	for i, want := range []bool{true, false, true} {
		require.Equal(t, want, has(t, s, a.Created[i]))
	}
}

// TestAStoreBelongsToOneNetwork: a store is not opened with other parameters.
func TestAStoreBelongsToOneNetwork(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, open(t, dir, store.Options{}).Close())
	for _, unchecked := range []bool{false, true} {
		_, err := store.Open(dir, store.Options{Digest: [32]byte{2}, Unchecked: unchecked})
		require.ErrorIs(t, err, store.ErrNetwork)
	}
	require.NoError(t, open(t, dir, store.Options{}).Close())
}

// smallDisk is a disk with a number of free bytes. Writes beyond it fail.
type smallDisk struct {
	vfs.FS
	free *atomic.Int64
}

func (d smallDisk) GetDiskUsage(string) (vfs.DiskUsage, error) {
	return vfs.DiskUsage{AvailBytes: uint64(max(0, d.free.Load()))}, nil
}

func (d smallDisk) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := d.FS.Create(name, c)
	return smallFile{f, d.free}, err
}

type smallFile struct {
	vfs.File
	free *atomic.Int64
}

func (f smallFile) Write(p []byte) (int, error) {
	if f.free.Add(-int64(len(p))) < 0 {
		return 0, syscall.ENOSPC
	}
	return f.File.Write(p)
}

// TestAFullDiskRefusesAndKeeps: blocks are refused before the disk is full. Applied blocks
// stay. When there is room again, blocks are applied again.
func TestAFullDiskRefusesAndKeeps(t *testing.T) {
	dir, free := t.TempDir(), new(atomic.Int64)
	free.Store(24 << 20)
	options := store.Options{FS: smallDisk{vfs.Default, free}, Reserve: 16 << 20}
	s := open(t, dir, options)
	applied := 0
	big := func(i int) *validator.Accepted {
		a := spend(fmt.Sprint("tx", i))
		a.Created[0].Token = append(bytes.Repeat([]byte{1}, 64<<10), byte(i))
		return a
	}
	for {
		_, err := apply(s, big(applied))
		if err != nil {
			require.ErrorIs(t, err, store.ErrFull)
			break
		}
		applied++
		require.Less(t, applied, 1000, "the disk is never full")
	}
	require.Positive(t, applied)
	_, err := apply(s, big(applied))
	require.ErrorIs(t, err, store.ErrFull)
	free.Add(64 << 20)
	_, err = apply(s, big(applied))
	require.NoError(t, err)
	require.NoError(t, s.Close())
	s = open(t, dir, options)
	defer s.Close()
	for i := range applied + 1 {
		require.True(t, has(t, s, big(i).Created[0]), i)
	}
}

// TestTryWritesNothing: a block is applied when its decision is committed, with the state that was
// told before. A decision on an earlier state is refused, and an empty block keeps the hash.
func TestTryWritesNothing(t *testing.T) {
	s := open(t, t.TempDir(), store.Options{})
	defer s.Close()
	blocks, hash := s.State()
	block := requests([]*validator.Accepted{spend("tx1")})
	first, err := s.Try(block)
	require.NoError(t, err)
	second, err := s.Try(block)
	require.NoError(t, err)
	require.NoError(t, err)
	sameBlocks, sameHash := s.State()
	require.Equal(t, blocks, sameBlocks)
	require.Equal(t, hash, sameHash)
	require.False(t, has(t, s, block[0].Created[0]))
	require.NoError(t, first.Commit())
	require.True(t, has(t, s, block[0].Created[0]))
	require.ErrorIs(t, second.Commit(), store.ErrStale)
	blocks, hash = s.State()
	told, toldHash := first.State()
	require.Equal(t, told, blocks)
	require.Equal(t, toldHash, hash)
	empty, err := s.Try(nil)
	require.NoError(t, err)
	late, err := s.Try(requests([]*validator.Accepted{spend("tx2")}))
	require.NoError(t, err)
	require.NoError(t, empty.Commit())
	require.ErrorIs(t, late.Commit(), store.ErrStale, "its verdicts name another block")
	after, same := s.State()
	require.Equal(t, blocks+1, after)
	require.Equal(t, hash, same)
}

// TestTheStateBindsEverything: blocks that differ in one value that they write give states with
// different hashes.
func TestTheStateBindsEverything(t *testing.T) {
	hashes := map[[sha256.Size]byte]string{}
	for name, change := range map[string]func(*store.Request){
		"nothing":  func(*store.Request) {},
		"anchor":   func(r *store.Request) { r.Anchor = "other" },
		"message":  func(r *store.Request) { r.Message = []byte("other") },
		"digest":   func(r *store.Request) { r.Digest[0]++ },
		"token":    func(r *store.Request) { r.Created[0].Token = []byte("other") },
		"index":    func(r *store.Request) { r.Created[0].ID.Index++ },
		"spent":    func(r *store.Request) { r.Spent = r.Spent[:1] },
		"metadata": func(r *store.Request) { r.Transfers[0].Metadata["pub.key"] = []byte("other") },
		"key": func(r *store.Request) {
			r.Transfers[0].Metadata = map[string][]byte{"pub.kez": []byte("value")}
		},
		"kind": func(r *store.Request) {
			r.Issues, r.Transfers = []*issue.Action{{Metadata: r.Transfers[0].Metadata}}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, folder, store.Options{FS: newMemory()})
			require.NoError(t, s.Put(tokenOf(0), tokenOf(1)))
			r := store.Request{Accepted: spend("tx", 0, 1)}
			r.Transfers = []*transfer.Action{{Metadata: map[string][]byte{"pub.key": []byte("value")}}}
			change(&r)
			verdicts, err := s.Apply([]store.Request{r})
			require.NoError(t, err)
			require.NoError(t, verdicts[0].Err)
			_, hash := s.State()
			require.NotContains(t, hashes, hash)
			hashes[hash] = name
			require.NoError(t, s.Close())
		})
	}
}

// TestADamagedStoreIsRefusedAtTheStart changes one byte of each file in turn, in the
// middle and near both ends. The store is refused with an error of one line. If the
// changed byte is never read, the store opens and has all its tokens.
func TestADamagedStoreIsRefusedAtTheStart(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, store.Options{})
	for i := range 2000 {
		require.NoError(t, s.Put(tokenOf(i)))
	}
	require.NoError(t, s.Close())
	s = open(t, dir, store.Options{}) // moves the log into a table
	require.NoError(t, s.Close())
	refused := map[string]int{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		original, err := os.ReadFile(path)
		if err != nil || len(original) == 0 {
			return err
		}
		for _, at := range []int{len(original) / 3, len(original) / 2,
			len(original) - min(len(original), 20)} {
			changed := t.TempDir()
			require.NoError(t, os.CopyFS(changed, os.DirFS(dir)))
			damaged := append([]byte(nil), original...)
			damaged[at] ^= 0x40
			require.NoError(t, os.WriteFile(filepath.Join(changed, filepath.Base(path)), damaged, 0o600))
			s, err := store.Open(changed, store.Options{Digest: network, Reserve: 1})
			if err != nil {
				require.NotContains(t, strings.TrimSpace(err.Error()), "\n", "one line")
				refused[filepath.Ext(path)]++
				continue
			}
			for i := range 2000 {
				require.True(t, has(t, s, tokenOf(i)), "%s: byte %d: token %d is gone", filepath.Base(path),
					at, i)
			}
			require.NoError(t, s.Close())
		}
		return nil
	}))
	require.Equal(t, 3, refused[".sst"], "every damaged table: %v", refused)
}

// TestErrorsOfTheDisk: a file in the way is an error.
func TestErrorsOfTheDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := store.Open(file, store.Options{})
	require.Error(t, err)
	require.False(t, errors.Is(err, store.ErrFull))
}

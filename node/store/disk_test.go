package store_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// folder is the place of stores in memory.
const folder = "/ledgers/store"

func newMemory() *vfs.MemFS { return withRoom(vfs.NewCrashableMem()) }

func withRoom(m *vfs.MemFS) *vfs.MemFS {
	m.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: 1 << 40, TotalBytes: 1 << 40})
	return m
}

// watch is a file system that calls before with each call that writes.
func watch(fs vfs.FS, before func(errorfs.Op) error) vfs.FS {
	return errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsRead {
			return nil
		}
		return before(op)
	}))
}

// workload are blocks with requests that are accepted, that spend a spent token, and that
// come twice.
func workload() (blocks [][]*validator.Accepted) {
	for i := range 6 {
		rival := spend(fmt.Sprint("rival ", i), 2*i)
		blocks = append(blocks,
			[]*validator.Accepted{spend(fmt.Sprint("first ", i), 2*i), rival,
				spend(fmt.Sprint("second ", i), 2*i+1)})
	}
	return append(blocks, blocks[2])
}

// outcomes are the refusals of acknowledged requests, by anchor.
type outcomes struct {
	mu       sync.Mutex
	refusals map[string]error
}

func (o *outcomes) copy() map[string]error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.refusals)
}

// digests are equal for equal requests of the workload.
func requests(block []*validator.Accepted) (list []store.Request) {
	for _, a := range block {
		list = append(list,
			store.Request{Accepted: a, Digest: [32]byte{byte(len(a.Anchor)), a.Anchor[len(a.Anchor)-1]}})
	}
	return list
}

// work applies the workload on a new or old store, opens it a second time in the middle, and
// closes it. It ends at the first error.
func (o *outcomes) work(fs vfs.FS) error {
	options := store.Options{Digest: network, Reserve: 1, FS: fs}
	s, err := store.Open(folder, options)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	for i := range 12 {
		if has, err := s.Knows(tokenOf(i).ID.TxID); err != nil || has {
			continue
		}
		if err := s.Put(tokenOf(i)); err != nil {
			return err
		}
	}
	for i, block := range workload() {
		if i == 3 {
			err := s.Close()
			s = new(store.Store)
			if err != nil {
				return err
			}
			reopened, err := store.Open(folder, options)
			if err != nil {
				return err
			}
			s = reopened
		}
		verdicts, err := s.Apply(requests(block))
		if err != nil {
			return err
		}
		o.mu.Lock()
		for j, v := range verdicts {
			o.refusals[block[j].Anchor] = v.Err
		}
		o.mu.Unlock()
	}
	return nil
}

// checkStopped opens the disk of a stopped machine. Every acknowledged request is there. Every
// request is there as a whole or not at all. When all requests are sent again, the outcome is
// the same as without the stop.
func checkStopped(t *testing.T, disk *vfs.MemFS, acknowledged map[string]error) {
	t.Helper()
	s, err := store.Open(folder, store.Options{Digest: network, Reserve: 1, FS: withRoom(disk)})
	require.NoError(t, err)
	for _, block := range workload() {
		for _, a := range block {
			_, applied, err := s.Receipt(a.Anchor)
			require.NoError(t, err)
			if refusal, answered := acknowledged[a.Anchor]; answered {
				require.Equal(t, refusal == nil, applied, "%s was acknowledged", a.Anchor)
			}
			require.Equal(t, applied, has(t, s, a.Created[0]), "half of %s", a.Anchor)
			if applied {
				require.False(t, has(t, s, validator.Created(a.Spent[0])), a.Anchor)
			}
		}
	}
	require.NoError(t, s.Close())
	after := outcomes{refusals: map[string]error{}}
	require.NoError(t, after.work(disk))
	require.Len(t, after.refusals, 18)
	for anchor, refusal := range after.refusals {
		if strings.HasPrefix(anchor, "rival") {
			require.ErrorIs(t, refusal, ledger.ErrSpent)
		} else {
			require.NoError(t, refusal, anchor)
		}
	}
}

// TestAStopAtEachCall stops the machine before each call of the store that writes. Data that was
// not synced is lost, or it is kept. The library relies on file systems that keep the order of
// entries of a folder.
func TestAStopAtEachCall(t *testing.T) {
	type stopped struct {
		op           errorfs.Op
		disks        []*vfs.MemFS
		acknowledged map[string]error
	}
	var stops []stopped
	var stopping sync.Mutex
	memory, o := newMemory(), outcomes{refusals: map[string]error{}}
	random := rand.New(rand.NewPCG(1, 0))
	require.NoError(t, o.work(watch(memory, func(op errorfs.Op) error {
		stopping.Lock()
		defer stopping.Unlock()
		s := stopped{op: op, acknowledged: o.copy()}
		for _, kept := range []int{0, 100} {
			s.disks = append(s.disks,
				memory.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: kept, RNG: random}))
		}
		stops = append(stops, s)
		return nil
	})))
	require.Len(t, o.refusals, 18)
	t.Logf("%d calls", len(stops))
	require.Greater(t, len(stops), 50)
	for i, s := range stops {
		if i%nightly.Pick(4, 1, 1) > 0 {
			continue
		}
		for _, disk := range s.disks {
			checkStopped(t, disk, s.acknowledged)
		}
		if t.Failed() {
			t.Fatalf("before call %d: %v", i, s.op)
		}
	}
}

// TestAFailureAtEachCall lets each call of the store that writes fail, alone and with all calls
// after it. The store returns an error or ends the process. Acknowledged requests are there.
func TestAFailureAtEachCall(t *testing.T) {
	fail := func(from, to int64) (calls int64, failure error) {
		memory, o := newMemory(), outcomes{refusals: map[string]error{}}
		var made atomic.Int64
		ended := make(chan error, 1)
		end := func(int) {
			select {
			case ended <- errExit:
			default:
			}
			select {} // like a process that ended
		}
		defer store.SetExit(end)()
		disk := watch(memory, func(op errorfs.Op) error {
			n := made.Add(1)
			if n < from || n > to {
				return nil
			}
			if op.Path == folder && op.Kind == errorfs.OpFileSync {
				end(2) // the library panics when it cannot sync a folder
			}
			return syscall.ENOSPC
		})
		go func() { ended <- o.work(disk) }()
		failure = <-ended
		left := memory.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100,
			RNG: rand.New(rand.NewPCG(1, 0))})
		checkStopped(t, left, o.copy())
		return made.Load(), failure
	}
	calls, err := fail(0, 0)
	require.NoError(t, err)
	for at := int64(1); at <= calls; at += int64(nightly.Pick(9, 2, 1)) {
		_, _ = fail(at, at) // the store can do without some calls
		_, err := fail(at, calls*10)
		if at < calls/2 {
			require.Error(t, err, "all calls from %d on fail", at)
		}
	}
}

var errExit = fmt.Errorf("the process ended")

// TestAFailedSyncEndsTheProcess: a block is visible before the disk has it. If the disk does not
// take it, the process ends, and no caller is told anything.
func TestAFailedSyncEndsTheProcess(t *testing.T) {
	for name, write := range map[string]func(*store.Store) error{
		"Put": func(s *store.Store) error { return s.Put(tokenOf(1)) },
		"Apply": func(s *store.Store) error {
			_, err := apply(s, spend("a", 0))
			return err
		},
	} {
		var broken atomic.Bool
		s := open(t, folder, store.Options{FS: watch(newMemory(), func(op errorfs.Op) error {
			synced := op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData ||
				op.Kind == errorfs.OpFileSyncTo
			if synced && strings.HasSuffix(op.Path, ".log") && broken.Load() {
				return syscall.EIO
			}
			return nil
		})})
		require.NoError(t, s.Put(tokenOf(0)))
		outcome := make(chan error)
		restore := store.SetExit(func(int) {
			outcome <- errExit
			select {} // like a process that ended
		})
		broken.Store(true)
		go func() { outcome <- write(s) }()
		require.Equal(t, errExit, <-outcome, name)
		restore()
	}
}

// TestTwoWritersAndASlowDisk: a block is decided and waits for a new log file before it is
// visible. A rival that spends the same token waits for it, and is refused.
func TestTwoWritersAndASlowDisk(t *testing.T) {
	reached, opened := make(chan struct{}), make(chan struct{})
	var armed atomic.Bool
	s := open(t, folder, store.Options{FS: watch(newMemory(), func(op errorfs.Op) error {
		newLog := (op.Kind == errorfs.OpCreate || op.Kind == errorfs.OpReuseForWrite) &&
			strings.HasSuffix(op.Path, ".log")
		if newLog && armed.CompareAndSwap(true, false) {
			close(reached)
			<-opened
		}
		return nil
	})})
	require.NoError(t, s.Put(tokenOf(0)))
	large, rival := spend("large", 0), spend("rival", 0)
	large.Created[0].Token = bytes.Repeat([]byte{1}, 3<<20) // needs a separate log file
	refusals := make(chan error, 2)
	write := func(a *validator.Accepted) {
		refused, err := apply(s, a)
		if err != nil {
			t.Error(err)
		}
		refusals <- refused[0]
	}
	armed.Store(true)
	go write(large)
	<-reached
	go write(rival)
	for !waitsForLock() {
		runtime.Gosched()
	}
	close(opened)
	first, second := <-refusals, <-refusals
	if first != nil {
		first, second = second, first
	}
	require.NoError(t, first)
	require.ErrorIs(t, second, ledger.ErrSpent)
	require.NoError(t, s.Close())
}

// waitsForLock reports whether a goroutine in Apply waits for a lock.
func waitsForLock() bool {
	stacks := make([]byte, 1<<20)
	for _, g := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		if state, calls, _ := strings.Cut(g, "\n"); strings.Contains(state, "sync.Mutex.Lock") &&
			strings.Contains(calls, "(*Store).Apply") {
			return true
		}
	}
	return false
}

// TestALostBlockIsRefused: a database without its last block is refused, whether or not all of
// it is read. A count of blocks may be too small: such a store opens.
func TestALostBlockIsRefused(t *testing.T) {
	dir, older := t.TempDir(), t.TempDir()
	s := open(t, dir, store.Options{})
	require.NoError(t, s.Put(tokenOf(0)))
	require.NoError(t, s.Close())
	require.NoError(t, os.CopyFS(older, os.DirFS(dir)))
	s = open(t, dir, store.Options{})
	require.NoError(t, s.Put(tokenOf(1)))
	require.NoError(t, s.Close())
	count, err := os.ReadFile(filepath.Join(dir, "blocks"))
	require.NoError(t, err)
	before, err := os.ReadFile(filepath.Join(older, "blocks"))
	require.NoError(t, err)
	require.Equal(t, binary.BigEndian.Uint64(before)+1, binary.BigEndian.Uint64(count))
	require.NoError(t, os.WriteFile(filepath.Join(older, "blocks"), count, 0o600))
	for _, unchecked := range []bool{false, true} {
		_, err = store.Open(older, store.Options{Digest: network, Reserve: 1, Unchecked: unchecked})
		require.ErrorIs(t, err, store.ErrDamaged)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "blocks"), before, 0o600))
	s = open(t, dir, store.Options{})
	require.True(t, has(t, s, tokenOf(1)))
	require.NoError(t, s.Close())
}

// TestTheCountNeverGoesBack: blocks may be waited for in any order.
func TestTheCountNeverGoesBack(t *testing.T) {
	memory := newMemory()
	s := open(t, folder, store.Options{FS: memory})
	require.NoError(t, s.Put(tokenOf(0), tokenOf(1)))
	first, err := s.Decide(requests([]*validator.Accepted{spend("a", 0)}))
	require.NoError(t, err)
	second, err := s.Decide(requests([]*validator.Accepted{spend("b", 1)}))
	require.NoError(t, err)
	require.NoError(t, second.Wait())
	require.NoError(t, first.Wait())
	file, err := memory.Open(folder + "/blocks")
	require.NoError(t, err)
	var count uint64
	require.NoError(t, binary.Read(file, binary.BigEndian, &count))
	require.NoError(t, file.Close())
	blocks, _ := s.State()
	require.Equal(t, blocks, count)
	require.NoError(t, s.Close())
}

// TestAFullDiskAtTheStart: no store is made or opened below the reserve. A disk that tells of
// room and then fails is an error too.
func TestAFullDiskAtTheStart(t *testing.T) {
	options, memory := store.Options{Digest: network}, vfs.NewCrashableMem()
	options.FS = memory
	for set, reserve := range map[uint64]uint64{1 << 20: 1 << 20, 0: 256 << 20} {
		memory.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: reserve - 1})
		options.Reserve = set
		_, err := store.Open(folder, options)
		require.ErrorIs(t, err, store.ErrFull, set)
	}

	memory = newMemory()
	s := open(t, folder, store.Options{FS: memory})
	for i := range 100 {
		require.NoError(t, s.Put(tokenOf(i)))
	}
	require.NoError(t, s.Close())
	options.FS = watch(memory, func(op errorfs.Op) error {
		if op.Kind == errorfs.OpFileWrite || op.Kind == errorfs.OpFileSyncData {
			return syscall.ENOSPC
		}
		return nil
	})
	_, err := store.Open(folder, options)
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NotContains(t, err.Error(), "\n")
}

// TestAStoreIsOpenOnce: a store is not opened while it is open.
func TestAStoreIsOpenOnce(t *testing.T) {
	for _, fs := range []vfs.FS{vfs.Default, newMemory()} {
		dir := filepath.Join(t.TempDir(), "a", "b")
		s := open(t, dir, store.Options{FS: fs})
		_, err := store.Open(dir, store.Options{Digest: network, Reserve: 1, FS: fs})
		require.ErrorIs(t, err, store.ErrInUse)
		require.NoError(t, s.Close())
		require.NoError(t, open(t, dir, store.Options{FS: fs}).Close())
	}
}

// TestEqualBlocksGiveEqualStates: the state after a block depends on the blocks alone.
func TestEqualBlocksGiveEqualStates(t *testing.T) {
	run := func(change func(block []*validator.Accepted)) (blocks uint64, hash [32]byte) {
		s := open(t, folder, store.Options{FS: newMemory()})
		for i := range 12 {
			require.NoError(t, s.Put(tokenOf(i)))
		}
		for _, block := range workload()[:3] {
			metadata := map[string][]byte{}
			for i := range 20 {
				metadata[fmt.Sprint("pub.", block[0].Anchor, i)] = []byte{byte(i)}
			}
			block[0].Transfers = []*transfer.Action{{Metadata: metadata}}
			change(block)
			_, err := s.Apply(requests(block))
			require.NoError(t, err)
		}
		blocks, hash = s.State()
		require.NoError(t, s.Close())
		return blocks, hash
	}
	same := func([]*validator.Accepted) {}
	blocks, hash := run(same)
	require.EqualValues(t, 16, blocks, "the parameters, 12 times Put, 3 blocks")
	againBlocks, again := run(same)
	require.Equal(t, blocks, againBlocks)
	require.Equal(t, hash, again)
	require.Equal(t, "b4ef331b40bb07bca25c760117f5981c8947b84d2b306c8afdc64d2c47afeb6e",
		hex.EncodeToString(hash[:]), "validators of other revisions have this state")
	_, other := run(func(block []*validator.Accepted) { block[0].Created[0].Token = []byte("other") })
	require.NotEqual(t, hash, other)

	// Two entries, and one whose value contains the second.
	entries := func(joined bool) func([]*validator.Accepted) {
		return func(block []*validator.Accepted) {
			first, second := "x"+block[0].Anchor, "y"+block[0].Anchor
			metadata, key := block[0].Transfers[0].Metadata, ledger.TransferMetadataKey(second)
			metadata[first], metadata[second] = []byte("1"), []byte("2")
			if joined {
				header := binary.BigEndian.AppendUint32([]byte("1="), uint32(len(key)))
				metadata[first] = append(append(header, key...), '2')
				delete(metadata, second)
			}
		}
	}
	_, one := run(entries(true))
	_, two := run(entries(false))
	require.NotEqual(t, one, two)
}

package network_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	abci "github.com/cometbft/cometbft/abci/types"
	cfg "github.com/cometbft/cometbft/config"
	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/node/network"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/store"
)

// bound is longer than any condition takes to come true.
const bound = 5 * time.Minute

// tick is the pause between two looks at a condition. Without it, looking takes a processor.
const tick = 50 * time.Millisecond

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	t.Cleanup(cancel)
	return ctx
}

func newPool(t *testing.T) *payments.Pool {
	pool, err := payments.New(payments.Config{Bits: 16})
	require.NoError(t, err)
	return pool
}

// makeHomes makes a network on this machine.
func makeHomes(t *testing.T, pool *payments.Pool, n, requests int) (dirs []string) {
	homes, err := network.Make(filepath.Join(t.TempDir(), "network"), pool.Network.Params, requests, n)
	require.NoError(t, err)
	for _, home := range homes {
		dirs = append(dirs, home.RootDir)
	}
	return dirs
}

// options use all space of the machine's disk.
func options() network.Options { return network.Options{Options: store.Options{Reserve: 1}} }

func start(t *testing.T, home string, o network.Options) *network.Validator {
	v, err := network.Start(home, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, v.Stop()) })
	return v
}

func dial(t *testing.T, v *network.Validator) *network.Client {
	c, err := network.Dial(v.Address())
	require.NoError(t, err)
	return c
}

// shrinking is a disk that is full when a ledger is open.
type shrinking struct {
	vfs.FS
	looks atomic.Int64
}

func (d *shrinking) GetDiskUsage(string) (vfs.DiskUsage, error) {
	if d.looks.Add(1) > 1 {
		return vfs.DiskUsage{}, nil
	}
	return vfs.DiskUsage{AvailBytes: 1}, nil
}

// TestOneValidator issues tokens and transfers them. A validator that lost its ledger replays all
// blocks, to the same state. With a full disk it says so.
func TestOneValidator(t *testing.T) {
	pool := newPool(t)
	home := makeHomes(t, pool, 1, 64)[0]
	v := start(t, home, options())
	ctx := within(t)
	c := dial(t, v)
	wallet, err := pool.NewWallet(1)
	require.NoError(t, err)
	issued, err := wallet.Issue("issue", 60, 40)
	require.NoError(t, err)
	paid, err := wallet.Transfer("transfer", issued.Tokens, 75, 25)
	require.NoError(t, err)
	_, err = c.Submit(ctx, paid.Submission)
	require.ErrorContains(t, err, "not on the ledger")
	first, err := c.Submit(ctx, issued.Submission)
	require.NoError(t, err)
	second, err := c.Submit(ctx, paid.Submission)
	require.NoError(t, err)
	require.Greater(t, second, first)
	_, err = c.Submit(ctx, issued.Submission)
	require.Error(t, err, "applied once")
	r, found, err := c.Receipt(ctx, "transfer")
	require.NoError(t, err)
	require.True(t, found)
	require.EqualValues(t, second, r.Block)
	require.NoError(t, v.Stop())
	height, hash := v.App.State()
	require.NoError(t, os.RemoveAll(filepath.Join(home, network.LedgerFolder)))
	other := filepath.Join(t.TempDir(), "home")
	require.NoError(t, os.CopyFS(other, os.DirFS(home)))
	_, err = network.Start(other,
		network.Options{Options: store.Options{Reserve: 1, FS: &shrinking{FS: vfs.Default}}})
	require.ErrorContains(t, err, store.ErrFull.Error())
	again := start(t, home, options())
	require.Eventually(t, func() bool {
		h, _ := again.App.State()
		return h >= height
	}, bound, tick, fmt.Sprint("block ", height))
	_, replayed := again.App.State()
	require.Equal(t, hash, replayed)
}

// panicking is an application with a fault.
type panicking struct{ *network.App }

func (panicking) FinalizeBlock(context.Context, *abci.RequestFinalizeBlock) (*abci.ResponseFinalizeBlock,
	error) {
	panic("no result")
}

// TestAnEngineThatGivesUp: its reason, which it has in its log alone, ends the validator.
func TestAnEngineThatGivesUp(t *testing.T) {
	o := options()
	o.SetFront(func(a *network.App) abci.Application { return panicking{a} })
	v := start(t, makeHomes(t, newPool(t), 1, 64)[0], o)
	require.EqualError(t, v.Run(within(t), t.Output()), "engine: no result")
}

// TestBlocksAfterTheEnd: a late reader finds no block, and no error that would end the process.
func TestBlocksAfterTheEnd(t *testing.T) {
	db, err := network.OpenDB(&cfg.DBContext{ID: "blockstore",
		Config: cfg.DefaultConfig().SetRoot(t.TempDir())})
	require.NoError(t, err)
	require.NoError(t, db.SetSync([]byte("block"), []byte{1}))
	value, err := db.Get([]byte("block"))
	require.NoError(t, err)
	require.Equal(t, []byte{1}, value)
	require.NoError(t, db.Close())
	value, err = db.Get([]byte("block"))
	require.NoError(t, err)
	require.Nil(t, value)
}

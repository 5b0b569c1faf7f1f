package network_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	cfg "github.com/cometbft/cometbft/config"
	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/node/network"
	"github.com/zkatbench/zkatbench/node/payments"
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

// makeHomes makes a network on this machine. Metrics of the engine are of a process, and not used.
func makeHomes(t *testing.T, pool *payments.Pool, n, requests int) []string {
	addresses, err := network.Local(n)
	require.NoError(t, err)
	for i := range addresses {
		addresses[i].Metrics, addresses[i].Profiles = "", ""
	}
	homes, err := network.Make(filepath.Join(t.TempDir(), "network"), pool.Network.Params, requests,
		addresses)
	require.NoError(t, err)
	return homes
}

func start(t *testing.T, home string) *network.Validator {
	v, err := network.Open(home, network.Options{Reserve: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, v.Stop()) })
	require.NoError(t, v.Start())
	return v
}

// TestOneValidator issues tokens and transfers them. A validator that lost its ledger replays all
// blocks, to the same state.
func TestOneValidator(t *testing.T) {
	pool := newPool(t)
	home := makeHomes(t, pool, 1, 64)[0]
	v := start(t, home)
	ctx := within(t)
	c, err := network.Dial(ctx, v.Address())
	require.NoError(t, err)
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
	again := start(t, home)
	require.Eventually(t, func() bool {
		h, _ := again.App.State()
		return h >= height
	}, bound, tick, fmt.Sprint("block ", height))
	_, replayed := again.App.State()
	require.Equal(t, hash, replayed)
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

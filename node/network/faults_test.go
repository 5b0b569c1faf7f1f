package network_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	abci "github.com/cometbft/cometbft/abci/types"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/node/network"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// liar proposes its blocks in place of right ones, each once.
type liar struct {
	*network.App
	mu   sync.Mutex
	lies [][][]byte
}

func (l *liar) arm(blocks ...[][]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lies = blocks
}

func (l *liar) left() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lies)
}

func (l *liar) PrepareProposal(ctx context.Context,
	r *abci.RequestPrepareProposal) (*abci.ResponsePrepareProposal, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lies) == 0 {
		return l.App.PrepareProposal(ctx, r)
	}
	txs := l.lies[0]
	l.lies = l.lies[1:]
	return &abci.ResponsePrepareProposal{Txs: txs}, nil
}

// witness notes the answers to proposals, by their transactions.
type witness struct {
	*network.App
	mu      sync.Mutex
	answers map[string][]abci.ResponseProcessProposal_ProposalStatus
}

func (w *witness) ProcessProposal(ctx context.Context,
	r *abci.RequestProcessProposal) (*abci.ResponseProcessProposal, error) {
	a, err := w.App.ProcessProposal(ctx, r)
	if err == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.answers[fmt.Sprint(r.Txs)] = append(w.answers[fmt.Sprint(r.Txs)], a.Status)
	}
	return a, err
}

func (w *witness) to(block [][]byte) []abci.ResponseProcessProposal_ProposalStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.answers[fmt.Sprint(block)]
}

// falseProof is an issue that is signed by all, with a changed proof.
func falseProof(t *testing.T, pool *payments.Pool) validator.Submission {
	n := pool.Network
	parts, err := n.Parts(fixture.Shape{Kind: "issues", Outputs: 1}, 1)
	require.NoError(t, err)
	a, err := issue.Decode(n.Params.Group(), parts[0].Action.Raw, token.DefaultLimits)
	require.NoError(t, err)
	a.Proof.Raw[len(a.Proof.Raw)-1] ^= 1
	parts[0].Action.Raw = a.Encode(n.Params.Group())
	r, err := n.SignedUnseen("false", parts...)
	require.NoError(t, err)
	return validator.Submission{Anchor: "false", Raw: r.Encode()}
}

func transaction(t *testing.T, s validator.Submission) []byte {
	tx, err := network.Transaction(s)
	require.NoError(t, err)
	return tx
}

// TestABadProposer puts a false proof, a double spend, a request beyond the limits, too many
// requests, and one request twice into its blocks. The others refuse them, and nothing of them
// is applied. A wrong request from a client is not proposed, and it does not stay.
func TestABadProposer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts four engines")
	}
	pool, err := payments.New(payments.Config{Bits: 16, Protocol: "v1"}) // v2 proves when it signs
	require.NoError(t, err)
	const most = 4
	ctx := within(t)
	var bad *liar
	var witnesses []*witness
	var clients []*network.Client
	for i, home := range makeHomes(t, pool, 4, most) {
		o := options()
		o.SetFront(func(a *network.App) abci.Application {
			if i == 0 {
				bad = &liar{App: a}
				return bad
			}
			w := &witness{App: a, answers: map[string][]abci.ResponseProcessProposal_ProposalStatus{}}
			witnesses = append(witnesses, w)
			return w
		})
		clients = append(clients, dial(t, start(t, home, o)))
	}
	wallet, err := pool.NewWallet(1)
	require.NoError(t, err)
	made := 0
	pay := func() payments.Made {
		made++
		m, err := wallet.Issue(fmt.Sprint("issue-", made), 60, 40)
		require.NoError(t, err)
		_, err = clients[made%4].Submit(ctx, m.Submission)
		require.NoError(t, err)
		return m
	}
	held := pay()
	transfer := func(anchor string) []byte {
		m, err := wallet.Transfer(anchor, held.Tokens, 75, 25)
		require.NoError(t, err)
		return transaction(t, m.Submission)
	}
	var many [][]byte
	for i := range most + 1 {
		m, err := wallet.Issue(fmt.Sprint("many-", i), 1)
		require.NoError(t, err)
		many = append(many, transaction(t, m.Submission))
	}
	wrong := falseProof(t, pool)
	blocks := [][][]byte{
		{transaction(t, wrong)},
		{transfer("first"), transfer("second")},
		{transaction(t, validator.Submission{Anchor: "large", Raw: make([]byte, 300_000)})},
		many,
		{many[0], many[0]},
		{{0}},
	}
	bad.arm(blocks...)
	for bad.left() > 0 {
		pay()
	}
	pay()
	for _, w := range witnesses {
		for i, block := range blocks {
			require.NotContains(t, w.to(block), abci.ResponseProcessProposal_ACCEPT, i)
		}
	}
	for i, block := range blocks {
		seen := 0
		for _, w := range witnesses {
			seen += len(w.to(block))
		}
		require.Positive(t, seen, "block %d was refused by nobody", i)
	}
	r, err := clients[1].BroadcastTxSync(ctx, transaction(t, wrong))
	require.NoError(t, err)
	require.Zero(t, r.Code, "its proof is not looked at yet")
	for _, c := range clients {
		require.Eventually(t, func() bool {
			pay() // requests are checked again after a block
			waiting, err := c.NumUnconfirmedTxs(ctx)
			return err == nil && waiting.Total == 0
		}, bound, tick)
		for _, anchor := range []string{"false", "first", "second", "large", "many-0"} {
			_, found, err := c.Receipt(ctx, anchor)
			require.NoError(t, err)
			require.False(t, found, anchor)
		}
	}
}

// TestAFullDisk: a validator with a full disk ends with the reason, and the others go on. It
// catches up when there is room.
func TestAFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("starts four engines")
	}
	pool := newPool(t)
	ctx := within(t)
	disk := vfs.NewMem()
	room := func(free uint64) {
		disk.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: free, TotalBytes: 1 << 40})
	}
	room(1 << 40)
	homes := makeHomes(t, pool, 4, 64)
	// they do not dial it: a dial while it ends stays open in this process for 105 s
	for _, home := range homes[1:] {
		file := filepath.Join(home, "config", "config.toml")
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		changed := regexp.MustCompile(`persistent_peers = "[^,]*,`).ReplaceAll(raw,
			[]byte(`persistent_peers = "`))
		require.NotEqual(t, raw, changed)
		require.NoError(t, os.WriteFile(file, changed, 0o600))
	}
	full := network.Options{Options: store.Options{Reserve: 1 << 20, FS: disk}}
	all := []*network.Validator{start(t, homes[0], full)}
	for _, home := range homes[1:] {
		all = append(all, start(t, home, options()))
	}
	c := dial(t, all[3])
	wallet, err := pool.NewWallet(1)
	require.NoError(t, err)
	pay := func(anchor string) int64 {
		m, err := wallet.Issue(anchor, 60)
		require.NoError(t, err)
		height, err := c.Submit(ctx, m.Submission)
		require.NoError(t, err)
		return height
	}
	pay("before")
	room(1)
	pay("meanwhile")
	require.ErrorIs(t, all[0].Run(ctx, t.Output()), store.ErrFull)
	require.NoError(t, all[0].Stop())
	last := pay("alone")
	_, err = network.Start(homes[0], full)
	require.ErrorIs(t, err, store.ErrFull)
	room(1 << 40)
	all[0] = start(t, homes[0], full)
	require.Eventually(t, func() bool {
		first, hash := all[0].App.State()
		other, otherHash := all[3].App.State()
		return first >= last && first == other && hash == otherHash
	}, bound, tick)
}

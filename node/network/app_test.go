package network_test

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
	"time"

	abci "github.com/cometbft/cometbft/abci/types"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/node/network"
	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// chain is an application without an engine.
type chain struct {
	*testing.T
	*network.App
	ledger *store.Store
}

// newChain returns an application on an empty ledger, with blocks of at most two requests.
func newChain(t *testing.T, pool *payments.Pool) chain {
	ledger, err := store.Open(t.TempDir(), store.Options{Reserve: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ledger.Close()) })
	app, err := network.NewApp(pool.Network.Params, ledger, 2)
	require.NoError(t, err)
	return chain{t, app, ledger}
}

// takes reports whether the mempool takes a transaction.
func (c chain) takes(tx []byte, how abci.CheckTxType) bool {
	r, err := c.CheckTx(c.Context(), &abci.RequestCheckTx{Tx: tx, Type: how})
	require.NoError(c, err)
	return r.Code == 0
}

// accepts reports whether the validator votes for a block that follows the last one.
func (c chain) accepts(at time.Time, txs ...[]byte) bool {
	height, _ := c.State()
	r, err := c.ProcessProposal(c.Context(),
		&abci.RequestProcessProposal{Height: height + 1, Time: at, Txs: txs})
	require.NoError(c, err)
	return r.Status == abci.ResponseProcessProposal_ACCEPT
}

// apply applies a block.
func (c chain) apply(at time.Time, txs ...[]byte) {
	height, _ := c.State()
	_, err := c.FinalizeBlock(c.Context(),
		&abci.RequestFinalizeBlock{Height: height + 1, Time: at, Txs: txs})
	require.NoError(c, err)
	_, err = c.Commit(c.Context(), nil)
	require.NoError(c, err)
}

// proposes returns the transactions of a block that follows the last one, of at most a number of bytes.
func (c chain) proposes(at time.Time, bytes int, txs ...[]byte) [][]byte {
	height, _ := c.State()
	r, err := c.PrepareProposal(c.Context(),
		&abci.RequestPrepareProposal{Height: height + 1, Time: at, Txs: txs, MaxTxBytes: int64(bytes)})
	require.NoError(c, err)
	return r.Txs
}

// TestBlocks: a block has at most two requests, all new and different, and follows the last block. A
// receipt has the digest of its own request.
func TestBlocks(t *testing.T) {
	pool := newPool(t)
	c, at := newChain(t, pool), time.Unix(1e9, 0)
	wallet, err := pool.NewWallet(1)
	require.NoError(t, err)
	var issues [][]byte
	var held payments.Made
	for _, anchor := range []string{"a", "b", "c"} {
		held, err = wallet.Issue(anchor, 60, 40)
		require.NoError(t, err)
		issues = append(issues, transaction(t, held.Submission))
	}
	require.True(t, c.takes(issues[0], abci.CheckTxType_New))
	require.False(t, c.takes(transaction(t, validator.Submission{Anchor: "a", Raw: held.Raw[1:]}),
		abci.CheckTxType_New), "other bytes under an anchor")
	for _, tx := range [][]byte{nil, {1}, {2, 'a'}} {
		require.False(t, c.takes(tx, abci.CheckTxType_New), "%q", tx)
	}
	require.Equal(t, issues[:1], c.proposes(at, len(issues[0])+len(issues[1])-1, issues...))
	require.Len(t, c.proposes(at, 1<<20, issues...), 2, "the most requests of a block")
	require.False(t, c.accepts(at, issues...))
	require.False(t, c.accepts(at, issues[0], issues[0]))
	require.True(t, c.accepts(at, issues[1:]...))
	c.apply(at, issues[1:]...)
	r, found, err := c.ledger.Receipt(held.Anchor)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, sha256.Sum256(held.Raw), r.Digest)
	require.False(t, c.accepts(at, issues[1]), "applied before")
	_, err = c.FinalizeBlock(t.Context(), &abci.RequestFinalizeBlock{Height: 3, Time: at})
	require.Error(t, err)

	// A request leaves the mempool when a proposal left it out, and when another one spent its tokens.
	var transfers [][]byte
	for _, anchor := range []string{"first", "second"} {
		m, err := wallet.Transfer(anchor, held.Tokens, 75, 25)
		require.NoError(t, err)
		transfers = append(transfers, transaction(t, m.Submission))
	}
	require.True(t, c.takes(transfers[0], abci.CheckTxType_New))
	require.True(t, c.takes(transfers[1], abci.CheckTxType_New))
	require.Equal(t, transfers[:1], c.proposes(at, 1<<20, transfers...))
	require.False(t, c.takes(transfers[1], abci.CheckTxType_Recheck), "left out")
	require.True(t, c.takes(transfers[1], abci.CheckTxType_New))
	c.apply(at, transfers[0])
	require.False(t, c.takes(transfers[1], abci.CheckTxType_Recheck), "its tokens are spent")
}

// scripted signs for a script as its sender.
type scripted struct {
	fixture.Wallet
	id []byte
}

func (s scripted) Identity() []byte { return s.id }

// TestScriptsAreJudgedByTheTimeOfTheirBlock: the sender of a script reclaims a token in blocks from
// its deadline on, also if the same block was proposed with another time before.
func TestScriptsAreJudgedByTheTimeOfTheirBlock(t *testing.T) {
	pool, deadline := newPool(t), time.Unix(1e9, 0).UTC()
	n := pool.Network
	made, err := n.NewIssue(1, 1)
	require.NoError(t, err)
	sender := made.Receiver
	script, err := htlc.Script{Sender: sender.Identity(), Recipient: n.Issuer.Identity(), Deadline: deadline,
		HashInfo: htlc.NewLock([]byte("pre-image"))}.Encode()
	require.NoError(t, err)
	book := fixture.NewBook(n.Issuer, sender, scripted{sender, script})
	service := n.Service(book, 1)
	signed := func(anchor string, part *v1.Part, err error) []byte {
		require.NoError(t, err)
		a, err := n.Signed(anchor, part)
		require.NoError(t, err)
		return transaction(t, validator.Submission{Anchor: anchor, Raw: a.Request.Encode()})
	}
	part, err := service.Issue(v1.IssueOrder{Issuer: n.Issuer.Identity(), Type: fixture.Type,
		Receive: []token.Receive{{Owner: script, Value: 5}}})
	issue := signed("issue", part, err)
	created, err := n.Validator(validator.Options{}).Validate("issue", issue[1+len("issue"):])
	require.NoError(t, err)
	id := created.Created[0].ID
	book.Held[id], err = service.Receive(created.Created[0].Token, part.Metadata.Outputs[0])
	require.NoError(t, err)
	part, err = service.Transfer(v1.TransferOrder{Spend: []token.ID{id},
		Receive: []token.Receive{{Owner: sender.Identity(), Value: 5}}})
	reclaim := signed("reclaim", part, err)

	c, before := newChain(t, pool), deadline.Add(-time.Second)
	c.apply(before, issue)
	for range 2 {
		require.False(t, c.accepts(before, reclaim))
		require.True(t, c.accepts(deadline, reclaim))
	}
}

// TestALedgerOfAnotherNetwork is refused, although both networks have the same parameters.
func TestALedgerOfAnotherNetwork(t *testing.T) {
	pool := newPool(t)
	home, other := makeHomes(t, pool, 1, 64)[0], makeHomes(t, pool, 1, 64)[0]
	require.NoError(t, start(t, home, options()).Stop())
	require.NoError(t,
		os.Rename(filepath.Join(home, network.LedgerFolder), filepath.Join(other, network.LedgerFolder)))
	_, err := network.Start(other, options())
	require.ErrorIs(t, err, store.ErrNetwork)
}

// TestAFailureOfThisMachine is an error, and not a vote against a block.
func TestAFailureOfThisMachine(t *testing.T) {
	pool := newPool(t)
	c := newChain(t, pool)
	c.SetValidator(pool.Network.Validator(validator.Options{Now: func() time.Time { panic("no clock") }}))
	wallet, err := pool.NewWallet(1)
	require.NoError(t, err)
	issued, err := wallet.Issue("a", 1)
	require.NoError(t, err)
	txs := [][]byte{transaction(t, issued.Submission)}
	_, err = c.ProcessProposal(t.Context(), &abci.RequestProcessProposal{Height: 1, Txs: txs})
	require.ErrorContains(t, err, "panicked")
	_, err = c.FinalizeBlock(t.Context(), &abci.RequestFinalizeBlock{Height: 1, Txs: txs})
	require.ErrorContains(t, err, "panicked")
}

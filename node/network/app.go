// Package network is a network of validators on the consensus engine CometBFT. Each validator
// has a ledger of package store; the engine orders blocks of requests.
//
//	app.go        App: requests, blocks and the ledger behind the engine's interface (ABCI)
//	home.go       the files of a validator, and what is checked before it starts
//	validator.go  a validator: the engine and its App in this process
//	client.go     a client: it sends requests and learns when they are final
//
// A block is validated by every validator before it votes, with the proofs of all its requests
// together. One wrong request refuses the block. A decided block is one write.
package network

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	abci "github.com/cometbft/cometbft/abci/types"

	"github.com/zkatbench/zkatbench/node/adapter"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// Reasons to refuse a transaction or a block.
var (
	ErrTransaction = errors.New("transaction has no anchor of 1 to 128 bytes with a request behind it")
	ErrRepeated    = errors.New("transaction occurs twice in a block")
)

// Transaction returns the bytes for the engine: the length of the anchor as one byte, the anchor,
// and the request.
func Transaction(s validator.Submission) ([]byte, error) {
	if err := request.CheckAnchor(s.Anchor); err != nil {
		return nil, err
	}
	tx := append([]byte{byte(len(s.Anchor))}, s.Anchor...)
	return append(tx, s.Raw...), nil
}

func readTransaction(tx []byte) (s validator.Submission, err error) {
	if len(tx) == 0 || len(tx) < 1+int(tx[0]) {
		return s, ErrTransaction
	}
	n := 1 + int(tx[0])
	s = validator.Submission{Anchor: string(tx[1:n]), Raw: tx[n:]}
	if request.CheckAnchor(s.Anchor) != nil {
		err = ErrTransaction
	}
	return s, err
}

// App applies the blocks of the engine to a ledger. The engine's height is the number of blocks
// of the store, less the one that made it.
type App struct {
	abci.BaseApplication
	ledger    *store.Store
	validator *validator.Validator
	most      int               // requests of a block
	now       atomic.Int64      // time of the block that is validated, in ns since 1970
	last      *block            // validated last; nil: none, or it is applied
	fatal     func(error) error // has each error that is not a request's

	mu      sync.Mutex
	waiting map[[32]byte][]validator.Spent // requests that passed Check, by the hash of their bytes
	refused map[[32]byte]bool              // that a proposal left out

	height  atomic.Int64 // of the last applied block
	applied atomic.Int64 // time of the last applied block of this run, in ns since 1970
}

// NewApp returns the application on a ledger. A block has at most as many requests.
func NewApp(p *params.Params, l *store.Store, most int) (*App, error) {
	a := &App{ledger: l, most: most, waiting: map[[32]byte][]validator.Spent{}, refused: map[[32]byte]bool{}}
	a.fatal = func(err error) error { return err }
	ids, err := adapter.Identities(p)
	if err != nil {
		return nil, err
	}
	// The store checks inputs and anchors, so that a failing disk is an error and not a refusal.
	a.validator = validator.New(p, validator.Options{
		Identities: ids, Executor: executor.Pool{Workers: runtime.GOMAXPROCS(0)},
		Now: func() time.Time { return time.Unix(0, a.now.Load()) },
	})
	blocks, _ := l.State()
	a.height.Store(int64(blocks) - 1)
	return a, nil
}

// State returns the height of the last applied block, and the hash that all validators have after it.
func (a *App) State() (height int64, hash [sha256.Size]byte) {
	blocks, hash := a.ledger.State()
	return int64(blocks) - 1, hash
}

// Info implements abci.Application: the engine replays the blocks after this one.
func (a *App) Info(context.Context, *abci.RequestInfo) (*abci.ResponseInfo, error) {
	height, hash := a.State()
	return &abci.ResponseInfo{LastBlockHeight: height, LastBlockAppHash: hash[:]}, nil
}

// InitChain implements abci.Application.
func (a *App) InitChain(context.Context, *abci.RequestInitChain) (*abci.ResponseInitChain, error) {
	_, hash := a.State()
	return &abci.ResponseInitChain{AppHash: hash[:]}, nil
}

// Query implements abci.Application: the receipt of the request under the anchor in Data, as
// the number of its block in eight bytes, and the digest of its bytes.
func (a *App) Query(_ context.Context, q *abci.RequestQuery) (*abci.ResponseQuery, error) {
	r, found, err := a.ledger.Receipt(string(q.Data))
	if err != nil {
		return nil, err
	}
	if !found {
		return &abci.ResponseQuery{Code: codeRefused, Log: "unknown anchor"}, nil
	}
	return &abci.ResponseQuery{Height: int64(r.Block) - 1,
		Value: append(binary.BigEndian.AppendUint64(nil, r.Block-1), r.Digest[:]...)}, nil
}

// codeRefused is the code of refused transactions. The log has the reason.
const codeRefused = 1

// CheckTx implements abci.Application: the rules that cost little, and the ledger. A request that
// a proposal left out is refused when it is checked again.
func (a *App) CheckTx(_ context.Context, r *abci.RequestCheckTx) (*abci.ResponseCheckTx, error) {
	err := a.check(r.Tx, r.Type == abci.CheckTxType_Recheck)
	if err != nil {
		return &abci.ResponseCheckTx{Code: codeRefused, Log: err.Error()}, nil
	}
	return &abci.ResponseCheckTx{}, nil
}

var errLeftOut = errors.New("request is wrong, or spends a spent token")

// check checks a transaction for the pool of the engine: its anchor, the request unless it was
// checked before, and that its inputs are unspent. The lock is not held during validation.
func (a *App) check(tx []byte, again bool) error {
	s, err := readTransaction(tx)
	if err != nil {
		return err
	}
	known, err := a.ledger.Knows(s.Anchor)
	if err == nil && known {
		err = ledger.ErrKnown
	}
	if err != nil {
		return err
	}
	id := sha256.Sum256(tx)
	a.mu.Lock()
	spent, checked := a.waiting[id]
	out := a.refused[id]
	delete(a.refused, id)
	a.mu.Unlock()
	if again && out {
		a.forget(tx)
		return errLeftOut
	}
	if !checked {
		spent, err = a.validator.Check(s.Anchor, s.Raw)
		if err != nil {
			return err
		}
	}
	for _, in := range spent {
		has, err := a.ledger.Has(in.ID, in.Token)
		if err == nil && !has {
			err = ledger.SpentError(in.ID)
		}
		if err != nil {
			a.forget(tx)
			return err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.waiting) > mostWaiting { // requests that the engine dropped
		clear(a.waiting)
	}
	a.waiting[id] = spent
	return nil
}

// mostWaiting bounds the memory of checked requests.
const mostWaiting = 1 << 16

func (a *App) forget(txs ...[]byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, tx := range txs {
		delete(a.waiting, sha256.Sum256(tx))
	}
}

// block is a block with the decision on it.
type block struct {
	height   int64
	time     time.Time
	txs      [][]byte // without those that PrepareProposal left out
	decision store.Decision
	refusals []error // of all transactions
}

func (b *block) is(height int64, at time.Time, txs [][]byte) bool {
	if b == nil || b.height != height || !b.time.Equal(at) || len(b.txs) != len(txs) {
		return false
	}
	for i, tx := range txs {
		if !bytes.Equal(tx, b.txs[i]) {
			return false
		}
	}
	return true
}

// decide validates a block on the state of the ledger, and writes nothing. The error is of the
// disk or of this machine, never of a request.
func (a *App) decide(height int64, at time.Time, txs [][]byte) (*block, error) {
	if a.last.is(height, at, txs) {
		return a.last, nil
	}
	if err := a.drop(); err != nil {
		return nil, err
	}
	b := &block{height: height, time: at, refusals: make([]error, len(txs))}
	var submissions []validator.Submission
	var places []int // of submissions, in txs
	seen := map[string]bool{}
	for i, tx := range txs {
		s, err := readTransaction(tx)
		if err == nil && seen[string(tx)] {
			err = ErrRepeated
		}
		b.refusals[i] = err
		if err != nil {
			continue
		}
		seen[string(tx)] = true
		submissions, places = append(submissions, s), append(places, i)
	}
	a.now.Store(at.UnixNano())
	var accepted []store.Request
	var from []int // of accepted, in txs
	for k, v := range a.validator.ValidateBatch(submissions) {
		if internal := new(validator.RefusedError); errors.As(v.Err, &internal) &&
			internal.Rule == "internal" {
			return nil, v.Err
		}
		b.refusals[places[k]] = v.Err
		if v.Err == nil {
			accepted = append(accepted,
				store.Request{Accepted: v.Accepted, Digest: sha256.Sum256(submissions[k].Raw)})
			from = append(from, places[k])
		}
	}
	var err error
	b.decision, err = a.ledger.Try(accepted)
	if err != nil {
		return nil, err
	}
	for k, v := range b.decision.Verdicts {
		b.refusals[from[k]] = v.Err
		if decided, _ := b.decision.State(); v.Err == nil && v.Block != decided {
			b.refusals[from[k]] = ledger.ErrKnown
		}
	}
	b.txs, a.last = txs, b
	return b, nil
}

// drop forgets the block that was validated last.
func (a *App) drop() error {
	if a.last == nil {
		return nil
	}
	d := a.last.decision
	a.last = nil
	return d.Drop()
}

// PrepareProposal implements abci.Application: it leaves out what ProcessProposal would refuse.
func (a *App) PrepareProposal(_ context.Context,
	r *abci.RequestPrepareProposal) (*abci.ResponsePrepareProposal, error) {
	var room int64
	txs := r.Txs[:0:0]
	for _, tx := range r.Txs {
		room += int64(len(tx))
		if len(txs) == a.most || room > r.MaxTxBytes {
			break
		}
		txs = append(txs, tx)
	}
	b, err := a.decide(r.Height, r.Time, txs)
	if err != nil {
		return nil, a.fatal(err)
	}
	var kept [][]byte
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.refused) > mostWaiting {
		clear(a.refused)
	}
	for i, tx := range txs {
		if b.refusals[i] != nil {
			a.refused[sha256.Sum256(tx)] = true
			continue
		}
		kept = append(kept, tx)
	}
	// The decision on the whole list is the one on the kept part.
	b.txs, b.refusals = kept, make([]error, len(kept))
	return &abci.ResponsePrepareProposal{Txs: kept}, nil
}

// ProcessProposal implements abci.Application: it accepts a block of right requests alone.
func (a *App) ProcessProposal(_ context.Context,
	r *abci.RequestProcessProposal) (*abci.ResponseProcessProposal, error) {
	no := &abci.ResponseProcessProposal{Status: abci.ResponseProcessProposal_REJECT}
	if len(r.Txs) > a.most {
		return no, nil
	}
	b, err := a.decide(r.Height, r.Time, r.Txs)
	if err != nil {
		return nil, a.fatal(err)
	}
	if errors.Join(b.refusals...) != nil {
		return no, nil
	}
	return &abci.ResponseProcessProposal{Status: abci.ResponseProcessProposal_ACCEPT}, nil
}

// FinalizeBlock implements abci.Application. It writes nothing. Its event lists the anchors that
// Commit applies.
func (a *App) FinalizeBlock(_ context.Context, r *abci.RequestFinalizeBlock) (*abci.ResponseFinalizeBlock,
	error) {
	if height := a.height.Load(); r.Height != height+1 {
		return nil, fmt.Errorf("block %d follows block %d", r.Height, height)
	}
	b, err := a.decide(r.Height, r.Time, r.Txs)
	if err != nil {
		return nil, a.fatal(err)
	}
	applied := abci.Event{Type: eventApplied}
	results := make([]*abci.ExecTxResult, len(r.Txs))
	for i, tx := range r.Txs {
		results[i] = &abci.ExecTxResult{}
		if err := b.refusals[i]; err != nil {
			*results[i] = abci.ExecTxResult{Code: codeRefused, Log: err.Error()}
			continue
		}
		s, _ := readTransaction(tx)
		applied.Attributes = append(applied.Attributes, abci.EventAttribute{Key: "anchor", Value: s.Anchor})
	}
	_, hash := b.decision.State()
	return &abci.ResponseFinalizeBlock{Events: []abci.Event{applied}, TxResults: results, AppHash: hash[:]},
		nil
}

const eventApplied = "applied"

// Commit implements abci.Application: one write, on disk when it returns.
func (a *App) Commit(context.Context, *abci.RequestCommit) (*abci.ResponseCommit, error) {
	if a.last == nil {
		return nil, errors.New("no block is finalized")
	}
	b := a.last
	a.last = nil
	if err := b.decision.Commit(); err != nil {
		return nil, a.fatal(err)
	}
	a.forget(b.txs...)
	a.height.Store(b.height)
	a.applied.Store(time.Now().UnixNano())
	return &abci.ResponseCommit{}, nil
}

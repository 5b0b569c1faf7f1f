// Package network is a network of validators on the consensus engine CometBFT. Each validator
// has a ledger of package store; the engine orders blocks of requests.
//
// App is requests, blocks and the ledger behind the engine's interface (ABCI). A Client sends
// requests and learns when they are final.
//
// A block is validated by every validator before it votes, with the proofs of all its requests
// together. One wrong request refuses the block. A decided block is one write.
package network

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	abci "github.com/cometbft/cometbft/abci/types"

	"github.com/zkatbench/zkatbench/node/adapter"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// ErrRepeated is a reason to refuse a transaction of a block.
var ErrRepeated = errors.New("transaction occurs twice in a block")

// Transaction returns the bytes for the engine: the length of the anchor as one byte, the anchor,
// and the request.
func Transaction(s validator.Submission) ([]byte, error) {
	if err := request.CheckAnchor(s.Anchor); err != nil {
		return nil, err
	}
	tx := append([]byte{byte(len(s.Anchor))}, s.Anchor...)
	return append(tx, s.Raw...), nil
}

// readTransaction returns a submission without an anchor, which is refused, if tx is too short.
func readTransaction(tx []byte) validator.Submission {
	if len(tx) == 0 || len(tx) < 1+int(tx[0]) {
		return validator.Submission{}
	}
	n := 1 + int(tx[0])
	return validator.Submission{Anchor: string(tx[1:n]), Raw: tx[n:]}
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

	mu   sync.Mutex
	pool map[[sha256.Size]byte]pooled // by the hash of a transaction
}

// pooled is a request in the pool of the engine.
type pooled struct {
	inputs  []validator.Spent
	leftOut error // the reason, if a proposal left it out
}

// NewApp returns the application on a ledger. A block has at most as many requests.
func NewApp(p *params.Params, l *store.Store, most int) (*App, error) {
	a := &App{ledger: l, most: most, pool: map[[sha256.Size]byte]pooled{}}
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
	return a, nil
}

// State returns the height of the last applied block, and the hash that all validators have after it.
func (a *App) State() (height int64, hash [sha256.Size]byte) {
	blocks, hash := a.ledger.State()
	return int64(blocks) - 1, hash
}

// Info implements abci.Application: the engine replays the blocks after this one. Data is the processor
// time of the process.
func (a *App) Info(context.Context, *abci.RequestInfo) (*abci.ResponseInfo, error) {
	height, hash := a.State()
	return &abci.ResponseInfo{Data: cputime.Usage().String(), LastBlockHeight: height,
		LastBlockAppHash: hash[:]}, nil
}

// InitChain implements abci.Application.
func (a *App) InitChain(context.Context, *abci.RequestInitChain) (*abci.ResponseInitChain, error) {
	_, hash := a.State()
	return &abci.ResponseInitChain{AppHash: hash[:]}, nil
}

// Query implements abci.Application: the receipt of the request under the anchor in Data. Height is
// of its block, and Value the digest of its bytes.
func (a *App) Query(_ context.Context, q *abci.RequestQuery) (*abci.ResponseQuery, error) {
	r, found, err := a.ledger.Receipt(string(q.Data))
	if err != nil {
		return nil, err
	}
	if !found {
		return &abci.ResponseQuery{Code: codeRefused, Log: "unknown anchor"}, nil
	}
	return &abci.ResponseQuery{Height: int64(r.Block) - 1, Value: r.Digest[:]}, nil
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

// mostPooled bounds the memory of the pool. The engine drops requests without a word.
const mostPooled = 1 << 16

// check checks a transaction for the pool of the engine: the request, when it is new, and that it can
// be applied to the ledger. The lock is not held during validation.
func (a *App) check(tx []byte, again bool) error {
	s, id := readTransaction(tx), sha256.Sum256(tx)
	a.mu.Lock()
	p, found := a.pool[id]
	delete(a.pool, id)
	a.mu.Unlock()
	if again && p.leftOut != nil {
		return p.leftOut
	}
	known, err := a.ledger.Knows(s.Anchor)
	if err == nil && known {
		err = ledger.ErrKnown
	}
	if err == nil && !(again && found) {
		p.inputs, err = a.validator.Check(s.Anchor, s.Raw)
	}
	if err != nil {
		return err
	}
	for _, in := range p.inputs {
		has, err := a.ledger.Has(in.ID, in.Token)
		if err == nil && !has {
			err = ledger.SpentError(in.ID)
		}
		if err != nil {
			return err
		}
	}
	a.note(tx, pooled{inputs: p.inputs})
	return nil
}

func (a *App) note(tx []byte, p pooled) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.pool) > mostPooled {
		clear(a.pool)
	}
	a.pool[sha256.Sum256(tx)] = p
}

// block is a block with the decision on it.
type block struct {
	height   int64
	time     time.Time
	txs      [][]byte // without those that PrepareProposal left out
	decision store.Decision
	refusals []error // of all transactions
}

// decide validates a block on the state of the ledger, and writes nothing. The error is of the
// disk or of this machine, never of a request.
func (a *App) decide(height int64, at time.Time, txs [][]byte) (*block, error) {
	if b := a.last; b != nil && b.height == height && b.time.Equal(at) &&
		slices.EqualFunc(b.txs, txs, bytes.Equal) {
		return b, nil
	}
	a.last = nil
	a.now.Store(at.UnixNano())
	submissions := make([]validator.Submission, len(txs))
	for i, tx := range txs {
		submissions[i] = readTransaction(tx)
	}
	b := &block{height: height, time: at, txs: txs, refusals: make([]error, len(txs))}
	var requests []store.Request
	seen := map[string]bool{}
	for i, v := range a.validator.ValidateBatch(submissions) {
		if internal := new(validator.RefusedError); errors.As(v.Err, &internal) &&
			internal.Rule == "internal" {
			return nil, v.Err
		}
		if v.Err == nil && seen[string(txs[i])] {
			v.Err = ErrRepeated
		}
		b.refusals[i] = v.Err
		seen[string(txs[i])] = true
		if v.Err == nil {
			requests = append(requests,
				store.Request{Accepted: v.Accepted, Digest: sha256.Sum256(submissions[i].Raw)})
		}
	}
	var err error
	b.decision, err = a.ledger.Try(requests)
	if err != nil {
		return nil, err
	}
	own, _ := b.decision.State()
	verdicts := b.decision.Verdicts
	for i := range txs {
		if b.refusals[i] != nil {
			continue
		}
		b.refusals[i] = verdicts[0].Err
		if verdicts[0].Err == nil && verdicts[0].Block != own {
			b.refusals[i] = ledger.ErrKnown
		}
		verdicts = verdicts[1:]
	}
	a.last = b
	return b, nil
}

// PrepareProposal implements abci.Application: it leaves out what ProcessProposal would refuse.
func (a *App) PrepareProposal(ctx context.Context,
	r *abci.RequestPrepareProposal) (*abci.ResponsePrepareProposal, error) {
	fitting, err := a.BaseApplication.PrepareProposal(ctx, r)
	if err != nil {
		return nil, err
	}
	txs := fitting.Txs[:min(len(fitting.Txs), a.most)]
	b, err := a.decide(r.Height, r.Time, txs)
	if err != nil {
		return nil, a.fatal(err)
	}
	var kept [][]byte
	for i, tx := range txs {
		if b.refusals[i] == nil {
			kept = append(kept, tx)
		} else {
			a.note(tx, pooled{leftOut: b.refusals[i]})
		}
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

// FinalizeBlock implements abci.Application. It writes nothing.
func (a *App) FinalizeBlock(_ context.Context, r *abci.RequestFinalizeBlock) (*abci.ResponseFinalizeBlock,
	error) {
	if height, _ := a.State(); r.Height != height+1 {
		return nil, fmt.Errorf("block %d follows block %d", r.Height, height)
	}
	b, err := a.decide(r.Height, r.Time, r.Txs)
	if err != nil {
		return nil, a.fatal(err)
	}
	results := make([]*abci.ExecTxResult, len(r.Txs))
	for i, err := range b.refusals {
		results[i] = &abci.ExecTxResult{}
		if err != nil {
			results[i] = &abci.ExecTxResult{Code: codeRefused, Log: err.Error()}
		}
	}
	_, hash := b.decision.State()
	return &abci.ResponseFinalizeBlock{TxResults: results, AppHash: hash[:]}, nil
}

// Commit implements abci.Application: one write, on disk when it returns.
func (a *App) Commit(context.Context, *abci.RequestCommit) (*abci.ResponseCommit, error) {
	b := a.last
	if b == nil {
		return nil, errors.New("no block is finalized")
	}
	a.last = nil
	if err := b.decision.Commit(); err != nil {
		return nil, a.fatal(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, tx := range b.txs {
		delete(a.pool, sha256.Sum256(tx))
	}
	return &abci.ResponseCommit{}, nil
}

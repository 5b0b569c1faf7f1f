package store

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"maps"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// marked is the value of a marker (section 18).
var marked = []byte{1}

// change is a block while it is decided.
type change struct {
	store *Store
	batch *pebble.Batch
	state state     // after the block
	base  state     // before it
	hash  hash.Hash // of the state before and of all writes
	wrote bool
	// written are the keys that the block writes or deletes, each at most once.
	written map[string]bool
	// receipts are of the requests of the block, by anchor.
	receipts map[string]Receipt
}

func (s *Store) newChange() *change {
	c := &change{
		store: s, batch: s.db.NewBatch(), base: s.state, state: s.state, hash: sha256.New(),
		written: map[string]bool{}, receipts: map[string]Receipt{},
	}
	c.state.blocks++
	c.hash.Write(s.state.hash[:])
	return c
}

// set and remove write an entry. Errors of a Batch are errors of its Commit.
func (c *change) set(key, value []byte) {
	c.note('=', key, value)
	_ = c.batch.Set(key, value, nil)
}

func (c *change) remove(key []byte) {
	c.note('-', key, nil)
	_ = c.batch.Delete(key, nil)
}

// note adds a write to the hash.
func (c *change) note(kind byte, key, value []byte) {
	c.wrote = true
	header := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(key)))
	c.hash.Write(binary.BigEndian.AppendUint32(header, uint32(len(value))))
	c.hash.Write(key)
	c.hash.Write(value)
}

// finish writes the state after the block. A block without writes leaves the hash as it is.
func (c *change) finish() {
	if c.wrote {
		c.hash.Sum(c.state.hash[:0])
	}
	_ = c.batch.Set(blocksKey, c.state.bytes(), nil)
}

// receipt is the value of an applied request: SHA-256 of the signed message, as in section
// 18, block, and digest.
func receipt(message []byte, r Receipt) []byte {
	signed := sha256.Sum256(message)
	return append(binary.BigEndian.AppendUint64(signed[:], r.Block), r.Digest[:]...)
}

func receiptOf(value []byte) (r Receipt) {
	if len(value) == sha256.Size+8+sha256.Size {
		r.Block = binary.BigEndian.Uint64(value[sha256.Size:])
		copy(r.Digest[:], value[sha256.Size+8:])
	}
	return r
}

// step is a key of a request: an entry that must not exist and is set, or the marker of
// a spent token, which must exist and is deleted.
type step struct {
	key, value []byte
	refusal    error            // of an entry that exists
	marker     []byte           // of a new token, set with it: it exists if and only if the token does
	spent      *validator.Spent // nil for an entry
}

// stepsOf lists the keys of a request, except for the record of its anchor.
func stepsOf(a *validator.Accepted) (steps []step) {
	entries := func(metadata map[string][]byte, key func(string) []byte) {
		for _, name := range slices.Sorted(maps.Keys(metadata)) {
			steps = append(steps, step{key: key(name), value: metadata[name], refusal: ErrMetadata})
		}
	}
	for _, action := range a.Transfers {
		entries(action.Metadata, ledger.TransferMetadataKey)
	}
	for _, action := range a.Issues {
		entries(action.Metadata, ledger.IssueMetadataKey)
	}
	for i := range a.Spent {
		in := &a.Spent[i]
		steps = append(steps, step{key: ledger.MarkerKey(in.ID, in.Token), spent: in})
	}
	return append(steps, created(a.Created)...)
}

// created lists the keys of new tokens. A token without bytes is redeemed and not stored.
func created(tokens []validator.Created) (steps []step) {
	for _, out := range tokens {
		if out.Token != nil {
			steps = append(steps, step{
				key: ledger.OutputKey(out.ID), value: out.Token, refusal: ErrToken,
				marker: ledger.MarkerKey(out.ID, out.Token),
			})
		}
	}
	return steps
}

// refused returns the reason for which a step cannot be done.
func (s step) refused() error {
	if s.spent == nil {
		return s.refusal
	}
	return ledger.SpentError(s.spent.ID)
}

// checkNames refuses requests with names that could make equal keys of different entries.
func checkNames(a *validator.Accepted) error {
	if err := request.CheckAnchor(a.Anchor); err != nil {
		return err
	}
	for _, action := range a.Transfers {
		if err := request.CheckMetadataKeys(action.Metadata); err != nil {
			return err
		}
	}
	for _, action := range a.Issues {
		if err := request.CheckMetadataKeys(action.Metadata); err != nil {
			return err
		}
	}
	for _, in := range a.Spent {
		if request.CheckInput(in.ID, in.Token) != nil {
			return ledger.SpentError(in.ID) // such a token is never stored
		}
	}
	return checkTokens(a.Created)
}

func checkTokens(tokens []validator.Created) error {
	for _, out := range tokens {
		if out.Token == nil {
			continue
		}
		if err := request.CheckInput(out.ID, out.Token); err != nil {
			return err
		}
	}
	return nil
}

// apply adds a request to the change, or decides to refuse it. The error is of the disk.
func (c *change) apply(r Request) (Verdict, error) {
	if err := checkNames(r.Accepted); err != nil {
		return Verdict{Err: err}, nil
	}
	before, known, err := c.before(r.Anchor)
	if err != nil {
		return Verdict{}, err
	}
	if known && before.Digest == r.Digest {
		return Verdict{Block: before.Block}, nil
	}
	if known {
		return Verdict{Err: ledger.ErrKnown}, nil
	}
	refused, err := c.take(stepsOf(r.Accepted))
	if refused != nil || err != nil {
		return Verdict{Err: refused}, err
	}
	own := Receipt{Block: c.state.blocks, Digest: r.Digest}
	c.set(ledger.RequestKey(r.Anchor), receipt(r.Message, own))
	c.receipts[r.Anchor] = own
	return Verdict{Block: own.Block}, nil
}

// before returns the receipt of an anchor that was applied, in this block too.
func (c *change) before(anchor string) (Receipt, bool, error) {
	if own, found := c.receipts[anchor]; found {
		return own, true, nil
	}
	value, err := c.store.get(ledger.RequestKey(anchor))
	if value == nil || err != nil {
		return Receipt{}, false, err
	}
	return receiptOf(value), true, nil
}

// take does all steps, or returns the reason for which one cannot be done. The second error
// is of the disk.
func (c *change) take(steps []step) (refused, err error) {
	own := make(map[string]bool, len(steps))
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
	maps.Copy(c.written, own)
	for _, s := range steps {
		if s.spent == nil {
			c.set(s.key, s.value)
			if s.marker != nil {
				c.set(s.marker, marked)
				c.written[string(s.marker)] = true
			}
			continue
		}
		c.remove(s.key)
		c.remove(ledger.OutputKey(s.spent.ID))
	}
	return nil, nil
}

// put adds tokens that no request made.
func (c *change) put(tokens []validator.Created) error {
	if err := checkTokens(tokens); err != nil {
		return err
	}
	refused, err := c.take(created(tokens))
	if refused != nil || err != nil {
		return errors.Join(refused, err)
	}
	for _, out := range tokens {
		_, known, err := c.before(out.ID.TxID)
		if err != nil {
			return err
		}
		if !known {
			c.receipts[out.ID.TxID] = Receipt{Block: c.state.blocks}
			c.set(ledger.RequestKey(out.ID.TxID), receipt(nil, c.receipts[out.ID.TxID]))
		}
	}
	return nil
}

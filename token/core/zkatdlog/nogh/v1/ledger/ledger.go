// Package ledger implements the ledger step (specification, section 18): the
// effects of accepted requests, and the keys of a Fabric ledger for them.
//
// Memory is a ledger that spends no token twice.
package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// Reasons to refuse a request.
var (
	ErrKnown = errors.New("transaction was applied before")
	ErrSpent = errors.New("token is not on the ledger, or not with these bytes")
)

// SpentError returns ErrSpent with the name of the token.
func SpentError(id token.ID) error { return fmt.Errorf("%s:%d: %w", id.TxID, id.Index, ErrSpent) }

// Memory is a ledger in memory, safe for concurrent use. The zero value is
// empty.
type Memory struct {
	mu     sync.RWMutex
	tokens map[token.ID][]byte
	known  map[string]bool
}

var _ validator.Ledger = (*Memory)(nil)

// Has implements validator.Ledger.
func (m *Memory) Has(id token.ID, raw []byte) (bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.has(id, raw), nil
}

func (m *Memory) has(id token.ID, raw []byte) bool {
	stored, ok := m.tokens[id]
	return ok && bytes.Equal(stored, raw)
}

// Knows implements validator.Ledger.
func (m *Memory) Knows(anchor string) (bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.known[anchor], nil
}

// Len is the number of unspent tokens.
func (m *Memory) Len() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.tokens)
}

// Apply applies an accepted request atomically. The error is ErrKnown if its
// transaction was applied before, and ErrSpent if an input is missing or occurs
// twice. Apply decides between requests that were validated concurrently.
func (m *Memory) Apply(a *validator.Accepted) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known[a.Anchor] {
		return ErrKnown
	}
	spent := make(map[token.ID]bool, len(a.Spent))
	for _, in := range a.Spent {
		if spent[in.ID] || !m.has(in.ID, in.Token) {
			return SpentError(in.ID)
		}
		spent[in.ID] = true
	}
	for id := range spent {
		delete(m.tokens, id)
	}
	m.add(a)
	return nil
}

func (m *Memory) add(a *validator.Accepted) {
	if m.tokens == nil {
		m.tokens, m.known = map[token.ID][]byte{}, map[string]bool{}
	}
	for _, out := range a.Created {
		if out.Token != nil {
			m.tokens[out.ID] = out.Token
		}
	}
	m.known[a.Anchor] = true
}

// Put stores a token, such as a clear token of another driver.
func (m *Memory) Put(id token.ID, raw []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(&validator.Accepted{Anchor: id.TxID, Created: []validator.Created{{ID: id, Token: raw}}})
}

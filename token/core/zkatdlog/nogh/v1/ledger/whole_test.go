package ledger // mu, known and tokens are private: a reader compares them under one lock

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// TestRequestsAreAppliedAtOnce: who waits while a request is applied gets the lock with
// all of its effects. The request is so long that a reader comes to wait; no schedule of
// a right ledger fails.
func TestRequestsAreAppliedAtOnce(t *testing.T) {
	const many = 1 << 16
	m := &Memory{}
	first, second := &validator.Accepted{Anchor: "first"}, &validator.Accepted{Anchor: "second"}
	for i := range uint64(many) {
		old, created := token.ID{TxID: "first", Index: i}, token.ID{TxID: "second", Index: i}
		first.Created = append(first.Created, validator.Created{ID: old, Token: []byte{1}})
		second.Created = append(second.Created, validator.Created{ID: created, Token: []byte{1}})
		second.Spent = append(second.Spent, validator.Spent{ID: old, Token: []byte{1}})
	}
	require.NoError(t, m.Apply(first))
	applied := make(chan error)
	go func() { applied <- m.Apply(second) }()
	for known := false; !known; {
		waits := !m.mu.TryRLock() // since Apply has the lock
		if waits {
			m.mu.RLock()
		}
		tokens := len(m.tokens)
		_, old := m.tokens[token.ID{TxID: "first", Index: many - 1}]
		known = m.known["second"]
		m.mu.RUnlock()
		require.Equal(t, many, tokens)
		require.NotEqual(t, known, old)
		require.True(t, known || !waits)
	}
	require.NoError(t, <-applied)
}

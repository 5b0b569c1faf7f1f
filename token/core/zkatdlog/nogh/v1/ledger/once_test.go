package ledger // mu is private: calls begin while the test holds the lock

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// TestATransactionIsAppliedOnce: of the same issue many times at once, one is applied. The
// calls wait for the lock together, and one of them in vain, so long that a sync.Mutex hands
// itself from one to the next. A call that released it between its check and its write
// would let the others check, too.
func TestATransactionIsAppliedOnce(t *testing.T) {
	const calls = 8
	var m Memory
	var all sync.WaitGroup
	errs := make([]error, calls)
	m.mu.Lock()
	for i := range errs {
		all.Go(func() {
			errs[i] = m.Apply(&validator.Accepted{Anchor: "tx",
				Created: []validator.Created{{ID: token.ID{TxID: "tx"}, Token: []byte{1}}}})
		})
	}
	for range 2 {
		time.Sleep(10 * time.Millisecond)
		m.mu.Unlock()
		m.mu.Lock()
	}
	time.Sleep(10 * time.Millisecond)
	m.mu.Unlock()
	all.Wait()
	applied := 0
	for _, err := range errs {
		if err == nil {
			applied++
			continue
		}
		require.ErrorIs(t, err, ErrKnown)
	}
	require.Equal(t, 1, applied)
}

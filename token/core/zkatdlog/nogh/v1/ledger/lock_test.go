package ledger // mu is private: the test holds the lock that a method waits for

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// TestMethodsWaitForTheLock: readers wait for a writer, and writers for a reader.
func TestMethodsWaitForTheLock(t *testing.T) {
	var m Memory
	for name, method := range map[string]func(){
		"Has":   func() { _, _ = m.Has(token.ID{}, nil) },
		"Knows": func() { _, _ = m.Knows("") },
		"Len":   func() { m.Len() },
		"Apply": func() { _ = m.Apply(&validator.Accepted{Anchor: "tx"}) },
		"Put":   func() { m.Put(token.ID{TxID: "put"}, []byte{1}) },
	} {
		t.Run(name, func(t *testing.T) {
			release := m.mu.Unlock
			if name == "Apply" || name == "Put" {
				m.mu.RLock()
				release = m.mu.RUnlock
			} else {
				m.mu.Lock()
			}
			done := make(chan struct{})
			go func() { defer close(done); method() }()
			require.True(t, blocked("(*Memory)."+name, done), "%s does not wait", name)
			release()
			<-done
		})
	}
	require.Equal(t, 1, m.Len())
}

// blocked returns true when a goroutine waits for a lock in a method, and false when it is
// done without.
func blocked(method string, done chan struct{}) bool {
	stacks := make([]byte, 1<<20)
	for {
		select {
		case <-done:
			return false
		default:
			for _, stack := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
				state, _, _ := strings.Cut(stack, "\n")
				if strings.Contains(stack, method) && strings.Contains(state, "[sync.") {
					return true
				}
			}
			runtime.Gosched()
		}
	}
}

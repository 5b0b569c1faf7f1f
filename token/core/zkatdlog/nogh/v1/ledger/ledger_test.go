package ledger_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func TestKeys(t *testing.T) {
	type known struct {
		Keys []struct {
			TxID   string      `json:"tx_id"`
			Index  uint64      `json:",string"`
			Token  vectors.Hex `json:"serialized_output"`
			Output vectors.Hex `json:"output_key"`
			Marker vectors.Hex `json:"marker_key"`
		} `json:"ledger_keys"`
	}
	for name, set := range vectors.Sets[known](t, "primitives.json") {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, set.Keys, name)
			for _, k := range set.Keys {
				id := token.ID{TxID: k.TxID, Index: k.Index}
				require.Equal(t, []byte(k.Output), ledger.OutputKey(id))
				require.Equal(t, []byte(k.Marker), ledger.MarkerKey(id, k.Token))
			}
		})
	}
	require.Equal(t, "\x00tr\x00anchor\x00", string(ledger.RequestKey("anchor")))
	require.Equal(t, "\x00tam\x00key\x00", string(ledger.TransferMetadataKey("key")))
	require.Equal(t, "\x00iam\x00key\x00", string(ledger.IssueMetadataKey("key")))
}

func TestNothingIsSpentTwice(t *testing.T) {
	id := token.ID{TxID: "a"}
	made := &validator.Accepted{Anchor: "a",
		Created: []validator.Created{{ID: id, Token: []byte{1}}, {ID: token.ID{TxID: "a", Index: 1}}}}
	spend := func(anchor string, raw ...byte) *validator.Accepted {
		return &validator.Accepted{Anchor: anchor, Spent: []validator.Spent{{ID: id, Token: raw}}}
	}
	var m ledger.Memory
	require.ErrorIs(t, m.Apply(spend("b", 1)), ledger.ErrSpent)
	require.NoError(t, m.Apply(made))
	require.Equal(t, 1, m.Len(), "a redeemed output is not stored")
	require.ErrorIs(t, m.Apply(made), ledger.ErrKnown)
	require.ErrorIs(t, m.Apply(spend("b", 2)), ledger.ErrSpent)
	twice := spend("b", 1)
	twice.Spent = append(twice.Spent, twice.Spent[0])
	require.ErrorIs(t, m.Apply(twice), ledger.ErrSpent)
	require.NoError(t, m.Apply(spend("b", 1)))
	require.ErrorIs(t, m.Apply(spend("c", 1)), ledger.ErrSpent)
	require.Zero(t, m.Len())
}

// TestKeysOfLargeIndices: keys of outputs beyond 65,535 differ from all others, and
// the marker hashes the index in eight bytes, the lowest first.
func TestKeysOfLargeIndices(t *testing.T) {
	seen, raw := map[string]bool{}, []byte("token")
	indices := []uint64{0, 1, 1 << 8, 1<<16 - 1, 1 << 16, 1<<16 + 1, 1 << 24, 1<<32 - 1, 1 << 32, 1<<32 + 1,
		1 << 48, 1<<64 - 1}
	for _, index := range indices {
		id := token.ID{TxID: "tx", Index: index}
		hashed := binary.LittleEndian.AppendUint64([]byte("osntx"), index)
		want := fmt.Sprintf("\x00osn\x00%x\x00", sha256.Sum256(append(hashed, raw...)))
		require.Equal(t, want, string(ledger.MarkerKey(id, raw)))
		require.Equal(t, fmt.Sprintf("\x00tx\x00%d\x00", index), string(ledger.OutputKey(id)))
		seen[want], seen[string(ledger.OutputKey(id))] = true, true
	}
	require.Len(t, seen, 2*len(indices))
}

// knows reports whether a ledger knows a transaction.
func knows(t *testing.T, m *ledger.Memory, anchor string) bool {
	t.Helper()
	known, err := m.Knows(anchor)
	require.NoError(t, err)
	return known
}

// TestARefusedRequestChangesNothing: a request with a missing last input spends no
// other input, creates no token, and may be applied later.
func TestARefusedRequestChangesNothing(t *testing.T) {
	var m ledger.Memory
	first, second := token.ID{TxID: "a"}, token.ID{TxID: "b", Index: 3}
	m.Put(first, []byte{1})
	a := &validator.Accepted{
		Anchor: "tx", Spent: []validator.Spent{{ID: first, Token: []byte{1}}, {ID: second, Token: []byte{2}}},
		Created: []validator.Created{{ID: token.ID{TxID: "tx"}, Token: []byte{3}}},
	}
	require.ErrorIs(t, m.Apply(a), ledger.ErrSpent)
	require.False(t, knows(t, &m, "tx"))
	require.Equal(t, 1, m.Len())
	m.Put(second, []byte{2})
	require.NoError(t, m.Apply(a))
	require.True(t, knows(t, &m, "tx"))
	require.Equal(t, 1, m.Len())
}

// TestPutIsATransaction: the transaction of a stored token is known, and the token is
// there with its bytes alone.
func TestPutIsATransaction(t *testing.T) {
	var m ledger.Memory
	id := token.ID{TxID: "other driver", Index: 2}
	require.False(t, knows(t, &m, "other driver"))
	m.Put(id, []byte{1, 2})
	require.True(t, knows(t, &m, "other driver"))
	require.False(t, knows(t, &m, "other"))
	for raw, want := range map[string]bool{"\x01\x02": true, "\x01": false, "\x01\x02\x00": false,
		"": false} {
		has, err := m.Has(id, []byte(raw))
		require.NoError(t, err)
		require.Equal(t, want, has, "%q", raw)
	}
	has, err := m.Has(token.ID{TxID: "other driver"}, []byte{1, 2})
	require.NoError(t, err)
	require.False(t, has)
	require.ErrorIs(t, m.Apply(&validator.Accepted{Anchor: "other driver"}), ledger.ErrKnown)
}

// TestConcurrentSpends: of many requests that spend one token at the same time one is
// applied. Requests for different tokens are all applied.
func TestConcurrentSpends(t *testing.T) {
	const tokens, spenders = 16, 32
	var m ledger.Memory
	var applied [tokens]int
	var mu sync.Mutex
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range tokens {
		m.Put(token.ID{TxID: "made", Index: uint64(i)}, []byte{byte(i)})
	}
	for i := range tokens {
		for k := range spenders {
			all.Go(func() {
				<-begin
				err := m.Apply(&validator.Accepted{
					Anchor: fmt.Sprint(i, " ", k),
					Spent: []validator.Spent{{ID: token.ID{TxID: "made", Index: uint64(i)},
						Token: []byte{byte(i)}}},
					Created: []validator.Created{{ID: token.ID{TxID: fmt.Sprint(i, " ", k)},
						Token: []byte("new")}},
				})
				_, _ = m.Has(token.ID{TxID: "made"}, nil)
				_, _ = m.Knows("made")
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					applied[i]++
				}
			})
		}
	}
	close(begin)
	all.Wait()
	for i, n := range applied {
		require.Equal(t, 1, n, "token %d", i)
	}
	require.Equal(t, tokens, m.Len())
}

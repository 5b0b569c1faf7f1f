package ledger_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// entry is a key with the arguments of its function, and whether they pass the checks.
type entry struct {
	key, arguments string
	safe           bool
}

// hostile returns names that are made of the parts of keys.
func hostile(r *rand.Rand) string {
	parts := []string{"tr", "osn", "tam", "iam", "\x00", "0", "1", "10", "a", "\U0010FFFF", "\xff", "pay"}
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// entries returns one key of each function.
func entries(r *rand.Rand) []entry {
	name, raw := hostile(r), []byte{byte(r.IntN(2)) * 0x30, byte(r.IntN(3))}
	id := token.ID{TxID: name, Index: uint64(r.IntN(12))}
	token := fmt.Sprintf("(%q, %d)", name, id.Index)
	return []entry{
		{string(ledger.OutputKey(id)), "output " + token, request.CheckAnchor(name) == nil},
		{string(ledger.MarkerKey(id, raw)), fmt.Sprintf("marker %s %x", token, raw),
			request.CheckInput(id, raw) == nil},
		{string(ledger.RequestKey(name)), fmt.Sprintf("request %q", name), request.CheckAnchor(name) == nil},
		{string(ledger.TransferMetadataKey(name)), fmt.Sprintf("transfer %q", name),
			request.CheckKey(name) == nil},
		{string(ledger.IssueMetadataKey(name)), fmt.Sprintf("issue %q", name), request.CheckKey(name) == nil},
	}
}

// TestKeysDiffer: arguments that pass the checks and differ have different keys, and no
// key begins another. Among arguments that do not pass there are equal keys.
func TestKeysDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(62, 1))
	safe, all, equal := map[string]string{}, map[string]string{}, 0
	for range 20_000 {
		for _, e := range entries(r) {
			if other, ok := all[e.key]; ok && other != e.arguments {
				equal++
			}
			all[e.key] = e.arguments
			if !e.safe {
				continue
			}
			if other, ok := safe[e.key]; ok {
				require.Equal(t, other, e.arguments, "%q", e.key)
			}
			safe[e.key] = e.arguments
		}
	}
	require.Positive(t, equal, "the generator makes equal keys")
	require.Greater(t, len(safe), 1000)
	keys := make([]string, 0, len(safe))
	for key := range safe {
		keys = append(keys, key)
	}
	slices.Sort(keys) // a key that begins others is right before one of them
	for i := range keys[1:] {
		require.False(t, strings.HasPrefix(keys[i+1], keys[i]), "%s and %s", safe[keys[i]], safe[keys[i+1]])
	}
}

// TestMarkersHaveOneReading: of all divisions of hashed bytes into a transaction id, an
// index and a token, at most one passes the check.
func TestMarkersHaveOneReading(t *testing.T) {
	r := rand.New(rand.NewPCG(62, 2))
	once := 0
	for range 200_000 {
		hashed := make([]byte, 10+r.IntN(16))
		for i := range hashed {
			hashed[i] = []byte{0, 0, 0, 1, 'a', 0x30}[r.IntN(6)]
		}
		var readings []string
		for n := 1; n+8 < len(hashed); n++ {
			id := token.ID{TxID: string(hashed[:n]), Index: binary.LittleEndian.Uint64(hashed[n:])}
			if request.CheckInput(id, hashed[n+8:]) == nil {
				readings = append(readings, fmt.Sprintf("%q %d %x", id.TxID, id.Index, hashed[n+8:]))
			}
		}
		require.LessOrEqual(t, len(readings), 1, "%q", readings)
		once += len(readings)
	}
	require.Greater(t, once, 1000)
}

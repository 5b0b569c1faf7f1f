//go:build !purego

package ecdsap256 // inLanes is private: crypto/ecdsa decides what it leaves, so that verdicts do not show it

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// needLanes skips a test of the vector kernels on processors without them.
func needLanes(t *testing.T) {
	t.Helper()
	if !hasLanes {
		t.Skip("the processor has no AVX-512 IFMA")
	}
}

// TestHonestSignaturesStayInLanes: only exceptions are left to crypto/ecdsa.
func TestHonestSignaturesStayInLanes(t *testing.T) {
	needLanes(t)
	g := newSource(7)
	var list []Signature
	for range 20 {
		list = append(list, g.signature(g.key()))
	}
	for length := range lanes + 2 {
		verdicts := make([]bool, length)
		for i, decided := range newKeys(0).inLanes(list[:length], verdicts) {
			require.True(t, decided && verdicts[i], "signature %d of %d", i, length)
		}
	}
	s, former := new(scratch), pool.New
	pool = sync.Pool{New: func() any { return s }}
	defer func() { pool = sync.Pool{New: former} }()
	k, verdicts := newKeys(len(list)), make([]bool, len(list))
	for range often + 1 {
		for i, decided := range k.inLanes(list, verdicts) {
			require.True(t, decided && verdicts[i])
			verdicts[i] = false
		}
	}
	require.Len(t, k.tables, len(list))
	for _, of := range k.tables {
		require.Len(t, of.Value.(*known).table, keyEntries)
	}
	for i := range list {
		list[i].Once = true
	}
	k = newKeys(len(list))
	k.inLanes(list, verdicts)
	require.Zero(t, k.now, "keys that are not expected again are remembered")
	require.NotZero(t, s.refs)
	require.Zero(t, s.tables, "memory for others keeps tables of forgotten keys")
}

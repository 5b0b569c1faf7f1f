//go:build !purego

package ecdsap256

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHonestSignaturesStayInLanes: only exceptions are left to crypto/ecdsa.
func TestHonestSignaturesStayInLanes(t *testing.T) {
	if !hasLanes {
		t.Skip("the processor has no AVX-512 IFMA")
	}
	g := newSource(7)
	var list []Signature
	for range 20 {
		list = append(list, g.signature(g.key()))
	}
	k, verdicts := newKeys(len(list)), make([]bool, len(list))
	for range often + 1 {
		for i, decided := range k.inLanes(list, verdicts) {
			require.True(t, decided && verdicts[i])
			verdicts[i] = false
		}
	}
	require.Len(t, k.tables, len(list))
}

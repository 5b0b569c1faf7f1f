package badinput_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/badinput"
)

// TestMutants checks a few thousand random mutants: only messages equal to an
// original may be accepted. TestSignedMutants makes others.
func TestMutants(t *testing.T) {
	f, other := newFull(t, "BN254", rangeproof.CSP), newFull(t, "BN254", rangeproof.Bulletproof)
	m := badinput.NewMutator(f.network.Params.Group(), 1, badinput.Any, f.tree, other.tree)
	refused := 0
	for range 4000 {
		raw := m.Next()
		if bytes.Equal(raw, f.honest.Encode()) {
			continue
		}
		_, err := f.validator.Validate(anchor, raw)
		require.Error(t, err)
		refused++
	}
	require.Positive(t, refused)
}

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGeneratingAgainChangesNothing is why the generated files can be trusted
// to be what the generator writes, all of them and no others.
func TestGeneratingAgainChangesNothing(t *testing.T) {
	files, err := generate("../../bn254")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for name, text := range files {
		there, err := os.ReadFile(filepath.Join("..", name))
		require.NoError(t, err)
		require.Equal(t, string(text), string(there), "%s: run go generate ./token/crypto/group/bls12381", name)
	}
	here, err := filepath.Glob("../*.*")
	require.NoError(t, err)
	for _, path := range here {
		if name := filepath.Base(path); isCommon(name) {
			require.Contains(t, files, name, "left over")
		}
	}
}

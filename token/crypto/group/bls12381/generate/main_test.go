package main // a program has no exported names

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestGeneratingAgainChangesNothing is why the generated files can be trusted
// to equal the output of the generator, all of them and no others.
func TestGeneratingAgainChangesNothing(t *testing.T) {
	files, err := generate("../../bn254")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			there, err := os.ReadFile(filepath.Join("..", name))
			require.NoError(t, err)
			require.True(t, string(text) == string(there),
				"%s: run go generate ./token/crypto/group/bls12381",
				name)
		})
	}
	here, err := filepath.Glob("../*.*")
	require.NoError(t, err)
	for _, path := range here {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if name := filepath.Base(path); bytes.HasPrefix(text, []byte(header)) {
			require.True(t, files[name] != nil, "%s is left over", name)
		}
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGeneratedFieldsAreUpToDate runs the commands of go generate in
// scheme/p256/field again and compares the files byte for byte.
func TestGeneratedFieldsAreUpToDate(t *testing.T) {
	const folder = "../../scheme/p256/field"
	doc, err := os.ReadFile(folder + "/doc.go")
	require.NoError(t, err)
	written := 0
	for line := range strings.Lines(string(doc)) {
		flags, found := strings.CutPrefix(strings.TrimSpace(line),
			"//go:generate go run ../../../cmd/zkatbench limbs generate ")
		if !found {
			continue
		}
		args, path, found := strings.Cut(flags, " -o=")
		require.True(t, found, line)
		var out, errors bytes.Buffer
		status := run(t.Context(), append([]string{"limbs", "generate"}, strings.Fields(args)...),
			streams{out: &out, err: &errors})
		require.Zero(t, status, errors.String())
		want, err := os.ReadFile(filepath.Join(folder, path))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, out.Bytes()),
			"%s is not what the generator writes: go generate ./scheme/p256/...", path)
		written++
	}
	files, err := filepath.Glob(folder + "/*/field.go")
	require.NoError(t, err)
	require.Len(t, files, written)
}

// Package vectors finds files of known answers for the tests of threshold
// signatures: one of the package, and further ones of the folder that -vectors
// names.
package vectors

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var folder = flag.String("vectors", "",
	"folder of further files of known answers, in the form of those in testdata")

// Files returns the contents of testdata/name, and of each file with the ending
// .json in the folder of -vectors that has the top-level key. It fails the test if
// the file is missing.
func Files(t *testing.T, name, key string) (files [][]byte) {
	t.Helper()
	own, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	require.True(t, has(own, key), "%s has no %q", name, key)
	files = append(files, own)
	if *folder == "" {
		return files
	}
	found, err := filepath.Glob(filepath.Join(*folder, "*.json"))
	require.NoError(t, err)
	for _, path := range found {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		if has(b, key) {
			t.Logf("vectors of %s", path)
			files = append(files, b)
		}
	}
	require.Greater(t, len(files), 1, "-vectors: no .json file with %q in %s", key, *folder)
	return files
}

func has(file []byte, key string) bool {
	var keys map[string]json.RawMessage
	return json.Unmarshal(file, &keys) == nil && keys[key] != nil
}

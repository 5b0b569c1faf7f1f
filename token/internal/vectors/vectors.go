// Package vectors loads known answers for tests: a compact set that is part of
// the project, so that tests are meaningful on any machine, and the whole set
// if the folder ../shared exists next to the project. A loader that finds no
// vectors fails the test.
//
// Besides loaders there are tests that a package repeats: one encoding for each
// value on any bytes, changed bits, recorded proofs and requests that were
// changed, and the verbs of errors.
package vectors

import (
	"embed"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed testdata
var compact embed.FS

// Sets returns the named file, such as "typeandsum.json", of each available
// set: "compact" always, "whole" if ../shared exists.
func Sets[T any](t testing.TB, name string) map[string]T {
	t.Helper()
	sets := map[string]T{}
	if raw, err := compact.ReadFile("testdata/" + name); err == nil {
		sets["compact"] = parse[T](t, raw)
	}
	if whole, err := os.ReadFile(filepath.Join(SharedDir(), name)); err == nil {
		sets["whole"] = parse[T](t, whole)
	}
	require.NotEmpty(t, sets, "no known answers %s", name)
	return sets
}

// SharedDir returns the folder of the whole set, which may not exist.
func SharedDir() string {
	return filepath.Join(moduleRoot(), "..", "shared", "vectors", "nogh-v1")
}

// moduleRoot returns the nearest folder above the working directory that has a
// go.mod. Tests run in the folder of their package.
func moduleRoot() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			panic("vectors: no go.mod above the working directory")
		}
		dir = above
	}
}

func parse[T any](t testing.TB, raw []byte) (v T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(raw, &v))
	return v
}

// Hex is a byte string, hexadecimal in JSON.
type Hex []byte

// UnmarshalJSON reads the hexadecimal text.
func (h *Hex) UnmarshalJSON(b []byte) (err error) {
	*h, err = hex.DecodeString(strings.Trim(string(b), `"`))
	return err
}

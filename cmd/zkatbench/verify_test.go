package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	v1request "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// stopping cancels a context when a file is reported.
type stopping struct {
	bytes.Buffer
	stop context.CancelFunc
}

func (s *stopping) Write(b []byte) (int, error) {
	s.stop()
	return s.Buffer.Write(b)
}

// TestVerifyCountsWhatItVerified: an interrupted command prints its totals.
func TestVerifyCountsWhatItVerified(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	require.NoError(t, execute(&bytes.Buffer{}, "vectors", "-out", dir, "-bits", "16", "-curves", "BN254", "-proof_type", "csp",
		"-num_inputs", "1", "-num_outputs", "1", "-n", "2"))
	b, err := os.ReadFile(filepath.Join(dir, "16-BN254-csp-x509.json"))
	require.NoError(t, err)
	for _, name := range []string{"a.json", "b.json"} {
		paths = append(paths, filepath.Join(dir, name))
		require.NoError(t, os.WriteFile(paths[len(paths)-1], b, 0o600))
	}
	ctx, cancel := context.WithCancel(context.Background())
	out := &stopping{stop: cancel}
	strict := func(vectorFile) v1request.Version { return v1request.Strict }
	require.ErrorIs(t, verifyFiles(ctx, paths, strict, out), errInterrupted)
	require.Equal(t, "a.json: 2 accepted, 0 refused; audits: 2 accepted, 0 refused\n"+
		"interrupted after 1 of 2 files, requests: 2, verdicts that differ: 0\n", out.String())

	var again bytes.Buffer // files with the same parameters
	require.NoError(t, verifyFiles(context.Background(), paths, strict, &again))
	require.Contains(t, again.String(), "files: 2, requests: 4, verdicts that differ: 0\n")
}

// TestVerifiersAreKept: files share the verifier of their parameters and rules, and a
// limited number is kept.
func TestVerifiersAreKept(t *testing.T) {
	known := verifiers{}
	_, err := known.of([]byte("?"), v1request.Strict)
	require.Error(t, err)
	require.Empty(t, known, "parameters that are refused")
	for i := range keptVerifiers {
		known[verifierKey{digest: [32]byte{byte(i)}}] = verifier{}
	}
	dir := t.TempDir()
	require.NoError(t, execute(&bytes.Buffer{}, "vectors", "-out", dir, "-bits", "16", "-curves", "BN254", "-proof_type", "csp",
		"-num_inputs", "1", "-num_outputs", "1", "-n", "1"))
	b, err := os.ReadFile(filepath.Join(dir, "16-BN254-csp-x509.json"))
	require.NoError(t, err)
	var f vectorFile
	require.NoError(t, json.Unmarshal(b, &f))
	first, err := known.of(f.Params, v1request.Strict)
	require.NoError(t, err)
	require.Len(t, known, 1)
	second, err := known.of(f.Params, v1request.Strict)
	require.NoError(t, err)
	require.Same(t, first.params, second.params)
	other, err := known.of(f.Params, v1request.V0_15)
	require.NoError(t, err)
	require.Equal(t, v1request.V0_15, other.follow)
	require.Len(t, known, 2)
}

// TestKnownInputsHaveOneForm: ids of inputs are read strictly.
func TestKnownInputsHaveOneForm(t *testing.T) {
	for _, key := range []string{"[tx:0]", "[tx:18446744073709551615]", "[a:b:7]", "[:3]"} {
		known, err := knownInputs(map[string]token.Clear{key: {}})
		require.NoError(t, err, key)
		require.Len(t, known, 1)
	}
	for _, key := range []string{
		"", "[", "]", "[]", ":", "[:", "[:]", "[tx]", "tx:1", "[tx:1", "tx:1]", "[tx:]", "[tx:+1]", "[tx:01]", "[tx:0x1]", "[tx: 1]",
		"[tx:1 ]", "[tx:1 2]", "[tx:1_0]", "[tx:-1]", "[tx:18446744073709551616]", "[[tx:1]]", "[tx:1]]",
	} {
		_, err := knownInputs(map[string]token.Clear{key: {}})
		require.ErrorContains(t, err, "is not [txid:index]", "%q", key)
	}
}

package recorded // verifier and knownInputs are private: a kept verifier changes time alone

import (
	"bytes"
	"context"
	"io"
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
	makeFile(t, dir, "16", 2)
	b, err := os.ReadFile(filepath.Join(dir, "16-BN254-csp-x509.json"))
	require.NoError(t, err)
	for _, name := range []string{"a.json", "b.json"} {
		paths = append(paths, filepath.Join(dir, name))
		require.NoError(t, os.WriteFile(paths[len(paths)-1], b, 0o600))
	}
	ctx, cancel := context.WithCancel(context.Background())
	out := &stopping{stop: cancel}
	strict := new(v1request.Strict)
	require.ErrorIs(t, Verify(ctx, paths, strict, out), context.Canceled)
	require.Equal(t, "a.json: 2 accepted, 0 refused; audits: 2 accepted, 0 refused\n"+
		"interrupted after 1 of 2 files, requests: 2, verdicts that differ: 0\n", out.String())

	var again bytes.Buffer // files with the same parameters
	require.NoError(t, Verify(context.Background(), paths, strict, &again))
	require.Contains(t, again.String(), "files: 2, requests: 4, verdicts that differ: 0\n")
}

// TestVerifierIsKept: files in a row with the same parameters and rules share a verifier.
func TestVerifierIsKept(t *testing.T) {
	dir := t.TempDir()
	makeFile(t, dir, "16", 1)
	path := filepath.Join(dir, "16-BN254-csp-x509.json")
	var last verifier
	var all counts
	verify := func(version v1request.Version) error {
		return last.verifyFile(t.Context(), path, &version, &all, io.Discard)
	}
	require.NoError(t, verify(v1request.Strict))
	first := last.params
	require.NoError(t, verify(v1request.Strict))
	require.Same(t, first, last.params)
	require.NoError(t, verify(v1request.V0_15))
	require.Equal(t, v1request.V0_15, last.follow)
	require.NotSame(t, first, last.params)
	require.Equal(t, counts{requests: 3}, all)
	other := t.TempDir()
	makeFile(t, other, "32", 1)
	path = filepath.Join(other, "32-BN254-csp-x509.json")
	require.NoError(t, verify(v1request.V0_15))
	require.Equal(t, counts{requests: 4}, all)
}

// TestKnownInputsHaveOneForm: ids of inputs are read strictly.
func TestKnownInputsHaveOneForm(t *testing.T) {
	for _, key := range []string{"[tx:0]", "[tx:18446744073709551615]", "[a:b:7]", "[:3]"} {
		known, err := knownInputs(map[string]token.Clear{key: {}})
		require.NoError(t, err, key)
		require.Len(t, known, 1)
	}
	for _, key := range []string{
		"", "[", "]", "[]", ":", "[:", "[:]", "[tx]", "tx:1", "[tx:1", "tx:1]", "[tx:]", "[tx:+1]", "[tx:01]",
		"[tx:0x1]", "[tx: 1]",
		"[tx:1 ]", "[tx:1 2]", "[tx:1_0]", "[tx:-1]", "[tx:18446744073709551616]", "[[tx:1]]", "[tx:1]]",
	} {
		_, err := knownInputs(map[string]token.Clear{key: {}})
		require.ErrorContains(t, err, "is not [txid:index]", "%q", key)
	}
}

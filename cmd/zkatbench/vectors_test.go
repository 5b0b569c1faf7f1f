package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite/recorded"
)

// execute runs a command and returns its error.
func execute(out io.Writer, command string, args ...string) error {
	s := streams{out: out, err: io.Discard}
	for _, l := range lines(s) {
		if l.name == command {
			return l.run(context.Background(), args, s)
		}
	}
	return errors.New("no command " + command)
}

func TestVectorsThatVerify(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	args := []string{"-o", dir, "-bits", "16", "-curves", "BN254", "-proof_type", "csp", "-num_inputs",
		"1,2", "-num_outputs", "2", "-count", "8"}
	require.NoError(t, execute(&out, "vectors", args...))
	out.Reset()
	require.NoError(t, execute(&out, "verify", "-follow=strict", dir))
	require.Equal(t, "16-BN254-csp-x509.json: 8 accepted, 0 refused; audits: 8 accepted, 0 refused\n"+
		"files: 1, requests: 8, verdicts that differ: 0\n", out.String())

	path := filepath.Join(dir, "16-BN254-csp-x509.json")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t,
		os.WriteFile(path, bytes.Replace(b, []byte(`"txid": "tx-0"`), []byte(`"txid": "tx-x"`), 1), 0o600))
	out.Reset()
	require.ErrorIs(t, execute(&out, "verify", dir), recorded.ErrDiffers)
	require.Contains(t, out.String(), "7 accepted, 1 refused")
	require.Contains(t, out.String(), `1 refused by the rule "signatures"`)
	require.Contains(t, out.String(),
		"DIFFERS transfers_i1_o2_0: validator: expected accept, refused: signatures")
}

func TestVectorsWithIdemixOwners(t *testing.T) {
	if testing.Short() {
		t.Skip("makes credentials on two curves")
	}
	dir := t.TempDir()
	args := []string{"-o", dir, "-bits", "16", "-curves", "BN254,BLS12_381_BBS_GURVY", "-proof_type", "csp",
		"-owner", "idemix", "-count", "4"}
	require.NoError(t, execute(io.Discard, "vectors", args...))
	var out bytes.Buffer
	require.NoError(t, execute(&out, "verify", "-follow=strict", dir))
	require.Equal(t,
		"16-BLS12_381_BBS_GURVY-csp-idemix.json: 4 accepted, 0 refused; audits: 4 accepted, 0 refused\n"+
			"16-BN254-csp-idemix.json: 4 accepted, 0 refused; audits: 4 accepted, 0 refused\n"+
			"files: 2, requests: 8, verdicts that differ: 0\n", out.String())
}

// TestVectorsWithOwnersByHash: they are verified by the strict rules unless -follow says
// otherwise.
func TestVectorsWithOwnersByHash(t *testing.T) {
	dir := t.TempDir()
	args := []string{"-o", dir, "-bits", "16", "-curves", "BN254", "-protocol", "v2", "-owner",
		"hashed-x509,hashed-idemix", "-count", "4"}
	require.NoError(t, execute(io.Discard, "vectors", args...))
	var out bytes.Buffer
	require.NoError(t, execute(&out, "verify", dir))
	require.Equal(t, "16-BN254-v2-hashed-idemix.json: 4 accepted, 0 refused; audits: 4 accepted, 0 refused\n"+
		"16-BN254-v2-hashed-x509.json: 4 accepted, 0 refused; audits: 4 accepted, 0 refused\n"+
		"files: 2, requests: 8, verdicts that differ: 0\n", out.String())
	require.ErrorIs(t, execute(io.Discard, "verify", "-follow=v0.15", dir), recorded.ErrDiffers)
}

func TestVerifyWantsOneFolder(t *testing.T) {
	refuses(t, map[string]string{"verify": "", "verify a b": "", "verify " + t.TempDir(): "",
		"verify -nothing": "there is no flag -nothing"})
}

// TestVerifyWantsVerdicts checks that a file without expected verdicts does not
// pass.
func TestVerifyWantsVerdicts(t *testing.T) {
	cases := map[string]string{}
	for text, want := range map[string]string{
		`{}`:                 "no cases",
		`{"cases":{"a":{}}}`: `a: peer_verdict ""`,
		`{"cases":{"a":{"peer_verdict":"maybe"}}}`: `a: peer_verdict "maybe"`,
		`{"cases":{"a":{"peer_verdict":"accept","peer_audit_verdict":"no"}}}`: "a: peer_audit_verdict " +
			`"no"`,
		`{"cases":{"a":{"peer_verdict":"accept","peer_audit_verdict":"accept"}}}`: "no metadata",
		`{"cases":{"a":{"peer_verdict":"accept"}},"pp_raw":"e30="}`:               "public parameters",
		`{"cases":[]}`: "cannot unmarshal",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.json"), []byte(text), 0o600))
		cases["verify "+dir] = want
	}
	refuses(t, cases)
}

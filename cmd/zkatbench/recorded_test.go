package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeRecorded writes a folder as the reference records requests.
func writeRecorded(t *testing.T, folder string, params []byte, cases any) {
	t.Helper()
	require.NoError(t, os.MkdirAll(folder, 0o700))
	b, err := json.Marshal(cases)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, recordedCases), b, 0o600))
	text := base64.StdEncoding.EncodeToString(params) + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, recordedParams), []byte(text), 0o600))
}

// TestVerifyReadsRecordedFolders: cases stand in lists and objects; the fixtures that
// must be refused are known by their names.
func TestVerifyReadsRecordedFolders(t *testing.T) {
	made := t.TempDir()
	require.NoError(t, execute(&bytes.Buffer{}, "vectors", "-out", made, "-bits", "16", "-curves", "BN254", "-proof_type", "csp",
		"-num_inputs", "1", "-num_outputs", "1", "-n", "2"))
	b, err := os.ReadFile(filepath.Join(made, "16-BN254-csp-x509.json"))
	require.NoError(t, err)
	var f vectorFile
	require.NoError(t, json.Unmarshal(b, &f))
	type fields map[string]any
	var cases []fields
	for _, c := range f.Cases {
		cases = append(cases, fields{"txid": c.Anchor, "req_raw": c.Request, "metadata": c.Metadata, "inputs": c.Inputs, "more": 1})
	}
	broken := fields{"txid": "tx", "req_raw": []byte("?")}
	dir := t.TempDir()
	writeRecorded(t, filepath.Join(dir, "16-BN254"), f.Params, fields{
		"all": cases, "unclaimed_metadata_i1_o1": broken, "single": cases[0], "nested": fields{"extra_signature": []fields{broken}},
	})
	var out bytes.Buffer
	require.NoError(t, execute(&out, "verify", "-follow=v0.15", dir))
	const want = "16-BN254/testdata.json: 3 accepted, 2 refused; audits: 3 accepted, 0 refused\n" +
		"  2 refused by the rule \"request\"\nfiles: 1, requests: 5, verdicts that differ: 0\n"
	require.Equal(t, want, out.String())
	out.Reset()
	require.NoError(t, execute(&out, "verify", filepath.Join(dir, "16-BN254"))) // v0.14 accepts more signatures
	require.Contains(t, out.String(), "ENCODING nested/extra_signature/0: validator:")

	for name, c := range map[string]struct {
		params string
		cases  any
		want   string
	}{
		"number":    {"", fields{"bits": 16}, `"bits" is not a case`},
		"nothing":   {"", fields{}, `is not a case`},
		"none":      {"", fields{"transfers": []fields{}}, `"transfers" is not a case`},
		"deep":      {"", fields{"a": fields{"b": fields{"c": fields{"d": fields{"e": fields{"f": broken}}}}}}, `"a/b/c/d/e" is not a case`},
		"hex":       {"", fields{"a": fields{"txid": "tx", "req_raw": "0g"}}, `"a": .*illegal base64`},
		"no params": {"?", fields{"a": broken}, "params.txt is not base64"},
	} {
		folder := filepath.Join(t.TempDir(), name)
		writeRecorded(t, folder, f.Params, c.cases)
		if c.params != "" {
			require.NoError(t, os.WriteFile(filepath.Join(folder, recordedParams), []byte(c.params), 0o600))
		}
		require.Regexp(t, c.want, execute(&out, "verify", folder), name)
	}
}

package recorded // vectorFile is private: the test takes its cases apart

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/flags"
	v1request "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

// writeRecorded writes a folder as the reference records requests.
func writeRecorded(t *testing.T, folder string, params []byte, cases any) {
	t.Helper()
	require.NoError(t, os.MkdirAll(folder, 0o700))
	b, err := json.Marshal(cases)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, CasesFile), b, 0o600))
	text := base64.StdEncoding.EncodeToString(params) + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, ParamsFile), []byte(text), 0o600))
}

// makeFile writes a file of n requests with one input and output.
func makeFile(t *testing.T, folder, bits string, n int) {
	t.Helper()
	var set flags.Set
	selection := Register(&set)
	_, _, err := set.Parse([]string{"-bits=" + bits, "-curves=BN254", "-proof_type=csp", "-num_inputs=1",
		"-num_outputs=1"})
	require.NoError(t, err)
	require.NoError(t, set.Resolve(nil))
	require.NoError(t, Write(t.Context(), selection, folder, n, io.Discard))
}

// verify verifies a folder.
func verify(out io.Writer, rules *v1request.Version, folder string) error {
	paths, err := Paths(folder)
	if err != nil {
		return err
	}
	return Verify(context.Background(), paths, rules, out)
}

// TestVerifyReadsRecordedFolders: cases are in lists and objects. The names of fixtures
// tell which must be refused.
func TestVerifyReadsRecordedFolders(t *testing.T) {
	made := t.TempDir()
	makeFile(t, made, "16", 2)
	b, err := os.ReadFile(filepath.Join(made, "16-BN254-csp-x509.json"))
	require.NoError(t, err)
	var f vectorFile
	require.NoError(t, json.Unmarshal(b, &f))
	type fields map[string]any
	var cases []fields
	for _, c := range f.Cases {
		cases = append(cases,
			fields{"txid": c.Anchor, "req_raw": c.Request, "metadata": c.Metadata, "inputs": c.Inputs,
				"more": 1})
	}
	broken := fields{"txid": "tx", "req_raw": []byte("?")}
	dir := t.TempDir()
	writeRecorded(t, filepath.Join(dir, "16-BN254"), f.Params, fields{
		"all": cases, "unclaimed_metadata_i1_o1": broken, "single": cases[0],
		"nested": fields{"extra_signature": []fields{broken}},
	})
	var out bytes.Buffer
	require.NoError(t, verify(&out, new(v1request.V0_15), dir))
	const want = "16-BN254/testdata.json: 3 accepted, 2 refused; audits: 3 accepted, 0 refused\n" +
		"  2 refused by the rule \"request\"\nfiles: 1, requests: 5, verdicts that differ: 0\n"
	require.Equal(t, want, out.String())
	out.Reset()
	require.NoError(t, verify(&out, nil, filepath.Join(dir, "16-BN254"))) // v0.14 accepts more signatures
	require.Contains(t, out.String(), "ENCODING nested/extra_signature/0: validator:")

	for name, c := range map[string]struct {
		params string
		cases  any
		want   string
	}{
		"number":  {"", fields{"bits": 16}, `"bits" is not a case`},
		"nothing": {"", fields{}, `is not a case`},
		"none":    {"", fields{"transfers": []fields{}}, `"transfers" is not a case`},
		"deep": {"",
			fields{"a": fields{"b": fields{"c": fields{"d": fields{"e": fields{"f": broken}}}}}},
			`"a/b/c/d/e" is not a case`},
		"hex":       {"", fields{"a": fields{"txid": "tx", "req_raw": "0g"}}, `"a": .*illegal base64`},
		"no params": {"?", fields{"a": broken}, "params.txt is not base64"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), name)
			writeRecorded(t, folder, f.Params, c.cases)
			if c.params != "" {
				require.NoError(t, os.WriteFile(filepath.Join(folder, ParamsFile), []byte(c.params), 0o600))
			}
			require.Regexp(t, c.want, verify(&out, nil, folder))
		})
	}
}

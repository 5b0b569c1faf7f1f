package vectors

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// RequestFile is a file of recorded requests with their public parameters.
type RequestFile struct {
	Params []byte `json:"pp_raw"`
	Cases  map[string]RequestCase
}

// RequestCase is a recorded request with the reference's verdicts.
type RequestCase struct {
	Anchor   string           `json:"txid"`
	Request  []byte           `json:"req_raw"`
	Metadata []byte           // metadata of the request, if recorded
	Inputs   map[string]Clear // by "[txid:index]"
	// The verdicts of the file's release of the reference, and in folder v015 also
	// belong to v0.14.2.
	Verdict   string `json:"peer_verdict"`
	Audit     string `json:"peer_audit_verdict"`
	Verdict14 string `json:"peer_verdict_v0.14.2"`
	Audit14   string `json:"peer_audit_verdict_v0.14.2"`
	// The kinds of the actions, I and T, in the order that a ledger numbers
	// their outputs: of v0.15 and of v0.14.
	Order   string `json:"peer_action_order"`
	Order14 string `json:"peer_action_order_6c2a93e"`
	// Limits configure the resource limits of v0.15.
	Limits json.RawMessage
}

// Clear is the clear form of a token.
type Clear struct {
	Owner          []byte
	Type, Quantity string
}

// RequestFiles returns the recorded requests of v0.14 by file: of the whole set
// if it is available, and otherwise of the compact set, as with -short.
func RequestFiles(t testing.TB) map[string]RequestFile {
	t.Helper()
	return RequestFilesIn(t, "requests")
}

// RequestFilesIn is RequestFiles for a folder: requests, owners (with several
// parties), or v015.
func RequestFilesIn(t testing.TB, folder string) map[string]RequestFile {
	t.Helper()
	files := map[string]RequestFile{}
	whole := filepath.Join(SharedDir(), folder)
	if paths, err := filepath.Glob(filepath.Join(whole, "*.json")); err == nil && len(paths) > 0 &&
		!testing.Short() {
		for _, path := range paths {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			files[strings.TrimSuffix(filepath.Base(path), ".json")] = parse[RequestFile](t, raw)
		}
		return files
	}
	entries, err := compact.ReadDir("testdata/" + folder)
	require.NoError(t, err)
	for _, e := range entries {
		raw, err := compact.ReadFile("testdata/" + folder + "/" + e.Name())
		require.NoError(t, err)
		files[strings.TrimSuffix(e.Name(), ".json")] = parse[RequestFile](t, raw)
	}
	return files
}

// NegativeRequests are mutated requests, and openings for an auditor, with the
// verdicts of the reference.
type NegativeRequests struct {
	Contexts map[string]struct {
		Params []byte `json:"pp_raw"`
	}
	Requests []struct {
		ID, Context, Mutation, Category string
		Anchor                          string `json:"txid"`
		Request                         []byte `json:"req_raw"`
		Verdict                         string `json:"peer_verdict"`
	}
	Audits []struct {
		ID, Context, Mutation string
		Anchor                string `json:"txid"`
		Request               []byte `json:"req_raw"`
		Metadata              []byte
		Inputs                map[string]Clear
		Verdict               string `json:"peer_audit_verdict"`
	}
}

// Negative returns the mutated requests of the whole set if it is available,
// and otherwise of the compact set.
func Negative(t testing.TB) NegativeRequests {
	t.Helper()
	name, kind := "negative_requests.json", "compact"
	if _, err := os.Stat(filepath.Join(SharedDir(), "negative.json")); err == nil {
		name, kind = "negative.json", "whole"
	}
	set := Sets[NegativeRequests](t, name)[kind]
	for i := range set.Audits { // all of them share one recorded request
		set.Audits[i].Request = set.Audits[0].Request
	}
	return set
}

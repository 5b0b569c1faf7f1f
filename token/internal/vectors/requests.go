package vectors

import (
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
	Verdict  string           `json:"peer_verdict"`
	Audit    string           `json:"peer_audit_verdict"`
}

// Clear is the clear form of a token.
type Clear struct {
	Owner          []byte
	Type, Quantity string
}

// RequestFiles returns the recorded requests by file and set: of the whole set
// if it is available, and otherwise of the compact set.
func RequestFiles(t testing.TB) map[string]RequestFile {
	t.Helper()
	files := map[string]RequestFile{}
	whole := filepath.Join(SharedDir(), "requests")
	if entries, err := os.ReadDir(whole); err == nil {
		for _, e := range entries {
			raw, err := os.ReadFile(filepath.Join(whole, e.Name()))
			require.NoError(t, err)
			files[strings.TrimSuffix(e.Name(), ".json")] = parse[RequestFile](t, raw)
		}
		return files
	}
	entries, err := compact.ReadDir("testdata/requests")
	require.NoError(t, err)
	for _, e := range entries {
		raw, err := compact.ReadFile("testdata/requests/" + e.Name())
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

package validator_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// options follow a version without our bounds on work.
func options(follow request.Version) validator.Options {
	return validator.Options{AllowUnsoundV1Bulletproofs: true, Follow: follow, Limits: request.Limits{
		Actions: 1 << 10, Signatures: 1 << 14, Verifications: 1 << 14,
		Tokens: token.Limits{Inputs: 1 << 10, Outputs: 1 << 10, Metadata: 1 << 10},
	}}
}

// recorded are the parameters of a file and their verifiers, which take longer to
// make than a request to validate.
type recorded struct {
	params     *params.Params
	identities identity.Registry
}

func loadRecorded(t testing.TB, raw []byte) recorded {
	t.Helper()
	p, identities := networktest.Recorded(t, raw), identity.Registry{identity.X509: x509.NewVerifier}
	networktest.IdemixKeys(t, p).Register(identities)
	return recorded{p, identities}
}

// otherBytes matches recorded requests in bytes that honest parties never write,
// with the meaning of an honest request. They are refused in every mode.
var otherBytes = regexp.MustCompile(`^(limit_(auditor_signature_409[67]|signature_409[67]|` +
	`proof_13107[23]|transfer_metadata_65_entries_64_keys)` +
	`|identity_(outer_length|trailing|long)|issue_output_no_owner|transfer_1x1_range_part_not_empty` +
	`|\w+_label_[3-8]$)`)

// manyMembers matches recorded requests with an owner of more than 16 members. They were
// recorded before the limit.
var manyMembers = regexp.MustCompile(`^limit_multisig_signature_4096$`)

// honest reports whether an honest party can have made a recorded request that
// both versions accept. The swaps of the reference's tests spend one token id
// twice.
func honest(name, id string) bool {
	switch {
	case strings.Contains(name, "scenarios"):
		return id != "swap_i2_o2"
	case strings.HasPrefix(name, "builder-"), strings.HasPrefix(name, "positive-"):
		return true
	}
	return false
}

// TestVersions compares verdicts and the order of actions with the record of each
// version. The strict default refuses each request that a version refuses, and
// accepts the honest ones.
func TestVersions(t *testing.T) {
	for name, file := range vectors.RequestFilesIn(t, "v015") {
		t.Run(name, func(t *testing.T) {
			r := loadRecorded(t, file.Params)
			for id, c := range file.Cases {
				what := name + ": " + id
				accepted14, accepted15 := c.Verdict14 == "accept", c.Verdict == "accept"
				r.compare(t, c, request.V0_14, what, accepted14)
				r.compare(t, c, request.V0_15, what, accepted15)
				r.compare(t, c, request.V714a6b46, what, accepted15 && !manyMembers.MatchString(id))
				_, err := r.strict(t, c).Validate(c.Anchor, c.Request)
				switch {
				case !accepted14 || !accepted15:
					require.Error(t, err, "strict: %s", what)
				case honest(name, id):
					require.NoError(t, err, "strict: %s", what)
				}
			}
		})
	}
}

// TestOwnersOfSeveral compares verdicts on recorded requests with owners of
// broken, missing or odd parties: an owner is refused if any of its parties cannot
// be opened, whether it has to sign or not. By default such an owner is not made.
func TestOwnersOfSeveral(t *testing.T) {
	for name, file := range vectors.RequestFilesIn(t, "owners") {
		t.Run(name, func(t *testing.T) {
			r := loadRecorded(t, file.Params)
			for id, c := range file.Cases {
				what := name + ": " + id
				r.compare(t, c, request.V0_14, what, c.Verdict == "accept")
				if c.Verdict != "accept" { // the accepted ones number their signatures
					r.compare(t, c, request.V0_15, what, false)
					_, err := r.strict(t, c).Validate(c.Anchor, c.Request)
					require.Error(t, err, "strict: %s", what)
				}
			}
		})
	}
}

// strict is the default validator of a network with Bulletproofs and Idemix
// owners, which both must be named.
func (r recorded) strict(t testing.TB, c vectors.RequestCase) *validator.Validator {
	t.Helper()
	return validator.New(r.params, validator.Options{
		AllowUnsoundV1Bulletproofs: true, Identities: r.identities,
		Limits:    request.Limits{Verifications: 1 << 12},
		Resources: resources(t, c),
	})
}

func resources(t testing.TB, c vectors.RequestCase) (r request.Resources) {
	t.Helper()
	if len(c.Limits) > 0 {
		require.NoError(t, json.Unmarshal(c.Limits, &r))
	}
	return r
}

// compare compares the verdict on a recorded request, and the order of its
// actions.
func (r recorded) compare(t testing.TB, c vectors.RequestCase, follow request.Version, what string,
	want bool) {
	t.Helper()
	o := options(follow)
	o.Identities, o.Resources = r.identities, resources(t, c)
	accepted, err := validator.New(r.params, o).Validate(c.Anchor, c.Request)
	_, id, _ := strings.Cut(what, ": ")
	if err != nil && otherBytes.MatchString(id) {
		want = false
	}
	if !want {
		require.ErrorAs(t, err, new(*validator.RefusedError), "%s: %s", follow, what)
		return
	}
	require.NoError(t, err, "%s: %s", follow, what)
	order := c.Order
	if follow == request.V0_14 {
		order = c.Order14
	}
	if order != "" {
		require.Equal(t, order, kindsOf(t, c.Request, accepted.Order), "%s: %s", follow, what)
	}
}

// kindsOf returns I or T for each action.
func kindsOf(t testing.TB, raw []byte, order []int) string {
	t.Helper()
	r, err := request.Decode(raw, request.Limits{Bytes: 1 << 20, Actions: 1 << 10, Signatures: 1 << 14})
	require.NoError(t, err)
	var kinds strings.Builder
	for _, i := range order {
		kinds.WriteString(map[request.Kind]string{request.Issue: "I",
			request.Transfer: "T"}[r.Actions[i].Kind])
	}
	return kinds.String()
}

// TestDifferencesAreInTheDocs compares the table of docs/security.md with the
// differences of each version.
func TestDifferencesAreInTheDocs(t *testing.T) {
	page, err := os.ReadFile("../../../../../../docs/security.md")
	require.NoError(t, err)
	documented := map[request.Version][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\|.*\\| `(\\w+)` \\| (yes|no) \\| (yes|no) \\| (yes|no) "+
		"\\|$").FindAllStringSubmatch(string(page), -1) {
		for i, v := range request.Versions {
			if row[2+i] == "yes" {
				documented[v] = append(documented[v], row[1])
			}
		}
	}
	source, err := os.ReadFile("reference.go")
	require.NoError(t, err)
	names := map[string]string{}
	difference := regexp.MustCompile(`(?m)^\t(\w+) Difference = "(.*)"$`)
	for _, m := range difference.FindAllStringSubmatch(string(source), -1) {
		names[m[2]] = m[1]
	}
	for _, v := range request.Versions {
		var want []string
		for _, d := range validator.Differences(v) {
			want = append(want, names[string(d)])
		}
		require.Equal(t, slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(documented[v])), v)
	}
	require.Empty(t, validator.Differences(request.Strict))
	require.NotEmpty(t, slices.Collect(maps.Keys(names)))
}

// TestResourcesByName: configurations use the names of the reference. A field takes the
// default unless it is positive.
func TestResourcesByName(t *testing.T) {
	var r request.Resources
	require.NoError(t, json.Unmarshal([]byte(`{"maxActions": 3, "maxProofBytes": -1}`), &r))
	want := request.DefaultResources
	want.MaxActions = 3
	require.Equal(t, want, r.WithDefaults())
	env := map[string]string{"TOKEN_VALIDATION_MAX_ACTIONS": "3", "TOKEN_VALIDATION_MAX_PROOF_BYTES": "-1"}
	r, err := request.ResourcesOf(func(name string) string { return env[name] })
	require.NoError(t, err)
	require.Equal(t, want, r)
	env["TOKEN_VALIDATION_MAX_INPUTS"] = "many"
	_, err = request.ResourcesOf(func(name string) string { return env[name] })
	require.ErrorContains(t, err, "TOKEN_VALIDATION_MAX_INPUTS")
	require.False(t, errors.Is(err, request.ErrResources))
}

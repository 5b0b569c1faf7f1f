package validator_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestRecorded validates the recorded requests of v0.14 with X.509 owners.
// Package identity/idemix tests requests with Idemix owners.
func TestRecorded(t *testing.T) {
	for name, file := range vectors.RequestFiles(t) {
		if !strings.HasSuffix(name, "-x509") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			v := validator.New(networktest.Recorded(t, file.Params), validator.Options{
				AllowUnsoundV1Bulletproofs: true, Follow: request.V0_14, // the signatures are numbered
			})
			for id, c := range file.Cases {
				t.Run(id, func(t *testing.T) {
					_, err := v.Validate(c.Anchor, c.Request)
					require.Equal(t, c.Verdict == "accept", err == nil, "%s: %v", id, err)
				})
			}
		})
	}
}

// safer lists the mutated requests that are refused by default, although v0.14 of
// the reference accepts them, with the difference.
var safer = map[string]validator.Difference{
	"req-extra-signature":             validator.ExtraSignatures,
	"req-wrong-action-id":             validator.AnyActionID,
	"req-two-auditor-signatures":      validator.RepeatedAuditors,
	"req-no-actions":                  validator.NoActions,
	"req-duplicate-action":            validator.RepeatedInputs,
	"req-output-owner-unknown-type":   validator.UnspendableOwners,
	"bn-t11-unexpected-issuer":        validator.IdleIssuer,
	"bn-t21-duplicate-input":          validator.RepeatedInputs,
	"bn-redeem-issuer-not-in-pp":      validator.RedeemByAnyone,
	"bn-redeem-issuer-is-owner":       validator.RedeemByAnyone,
	"bp16-issue-output-owner-garbage": validator.UnspendableOwners,
}

// encodings lists mutated requests with the meaning of an honest request in
// other bytes, and encodings that honest requests never contain; they are
// always refused.
var encodings = []string{
	"req-trailing-unknown-field", "req-signature-trailing", "req-owner-string-type",
	"-json-whitespace", "-compressed", "-proof-trailing", "-empty-rp-list", "-plus-order",
	"-extra-entry", "-inner-trailing", "-leading-zeros", "-same-curve-id-", "-trailing-data", "-no-owner",
}

func isEncoding(id string) bool {
	return slices.ContainsFunc(encodings, func(part string) bool { return strings.Contains(id, part) })
}

// isNumbering tells whether d is the numbering of signatures in the reference's own
// test requests of v0.14.
func isNumbering(d validator.Difference) bool { return d == validator.AnyActionID }

// TestNegative compares with the verdict of the reference on mutated requests,
// or with the safer one.
func TestNegative(t *testing.T) {
	set := vectors.Negative(t)
	ps := map[string]*params.Params{}
	for id, c := range set.Contexts {
		t.Run(id, func(t *testing.T) {
			ps[id] = networktest.Recorded(t, c.Params)
		})
	}
	for _, c := range set.Requests {
		verdict := func(follow request.Version) ([]validator.Difference, error) {
			v := validator.New(ps[c.Context],
				validator.Options{AllowUnsoundV1Bulletproofs: true, Follow: follow})
			accepted, err := v.Validate(c.Anchor, c.Request)
			bad := new(validator.RefusedError)
			require.True(t, err == nil || errors.As(err, &bad) && bad.Rule != "internal", c.ID)
			if err != nil {
				return nil, err
			}
			return accepted.Differences, nil
		}
		_, strict := verdict(request.Strict)
		differences, lenient := verdict(request.V0_14)
		difference, isSafer := safer[strings.Replace(c.ID, "bls-", "bn-", 1)]
		switch {
		case c.Verdict != "accept":
			require.Error(t, strict, c.ID)
			require.Error(t, lenient, c.ID)
		case isSafer:
			require.Error(t, strict, c.ID)
			require.NoError(t, lenient, c.ID)
			if difference != validator.AnyActionID {
				differences = slices.DeleteFunc(differences, isNumbering)
			}
			require.Equal(t, []validator.Difference{difference}, differences, c.ID)
		case isEncoding(c.ID):
			require.Error(t, lenient, c.ID)
		default:
			require.NoError(t, lenient, c.ID)
			require.Equal(t, len(differences) == 0, strict == nil, c.ID)
			require.Empty(t, slices.DeleteFunc(differences, isNumbering), c.ID)
		}
	}
}

// TestEveryDifferenceOccurs checks that recorded requests, or the tests of
// badinput and v1 for the first four, show each difference.
func TestEveryDifferenceOccurs(t *testing.T) {
	_, err := os.Stat(filepath.Join(vectors.SharedDir(), "v015"))
	part := testing.Short() || err != nil // of the requests
	shown := map[validator.Difference]bool{
		validator.HiddenBurned: true, validator.BurnedByAnyone: true, validator.NestedScripts: true,
		validator.AnyKeys: true, validator.NoType: true, // TestIssuesWithoutAType
		validator.LargeOwners: part, // in the whole set of requests: ../shared, if it exists
	}
	for _, d := range safer {
		shown[d] = true
	}
	for name, file := range vectors.RequestFilesIn(t, "v015") {
		t.Run(name, func(t *testing.T) {
			p := networktest.Recorded(t, file.Params)
			for _, c := range file.Cases {
				for _, follow := range request.Versions {
					o := options(follow)
					o.Resources = resources(t, c) // some cases configure the limits that they exceed
					accepted, err := validator.New(p, o).Validate(c.Anchor, c.Request)
					if err == nil {
						for _, d := range accepted.Differences {
							shown[d] = true
						}
					}
				}
			}
		})
	}
	for _, follow := range request.Versions {
		for _, d := range validator.Differences(follow) {
			require.True(t, shown[d], d)
		}
	}
}

// TestUnsoundByDefault checks that a Bulletproof is refused unless explicitly
// allowed.
func TestUnsoundByDefault(t *testing.T) {
	set := vectors.Negative(t)
	base := set.Requests[0]
	_, err := validator.New(networktest.Recorded(t, set.Contexts[base.Context].Params),
		validator.Options{}).Validate(base.Anchor, base.Request)
	require.ErrorIs(t, err, validator.ErrUnsound)
}

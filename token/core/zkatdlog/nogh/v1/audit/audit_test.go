package audit_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

func matchers(t testing.TB, p *params.Params) audit.Matchers {
	t.Helper()
	ms := networktest.IdemixKeys(t, p).Matchers()
	ms[identity.X509] = audit.AtOnce(x509.Match)
	return ms
}

// known reads the clear inputs by "[txid:index]".
func known(t testing.TB, inputs map[string]vectors.Clear) map[token.ID]token.Clear {
	t.Helper()
	out := map[token.ID]token.Clear{}
	for key, c := range inputs {
		tx, index, ok := strings.Cut(strings.Trim(key, "[]"), ":")
		require.True(t, ok)
		id := token.ID{TxID: tx}
		_, err := fmt.Sscan(index, &id.Index)
		require.NoError(t, err)
		out[id] = token.Clear(c)
	}
	return out
}

func TestRecorded(t *testing.T) {
	audited := 0
	for name, file := range vectors.RequestFiles(t) {
		t.Run(name, func(t *testing.T) {
			p := networktest.Recorded(t, file.Params)
			a := audit.New(p, audit.Options{Matchers: matchers(t, p)})
			for id, c := range file.Cases {
				if c.Audit == "" {
					continue
				}
				audited++
				_, err := a.Check(audit.Request{Anchor: c.Anchor, Raw: c.Request, Metadata: c.Metadata,
					Inputs: known(t, c.Inputs)})
				require.Equal(t, c.Audit == "accept", err == nil, "%s %s: %v", name, id, err)
			}
		})
	}
	require.Positive(t, audited)
}

// TestVersions compares with the verdicts of each version: on the rules of v0.15,
// and on owners with several parties. The strict auditor does not endorse a request that a
// version refuses.
func TestVersions(t *testing.T) {
	audited := 0
	for _, folder := range []string{"v015", "owners"} {
		for name, file := range vectors.RequestFilesIn(t, folder) {
			t.Run(name, func(t *testing.T) {
				p := networktest.Recorded(t, file.Params)
				ms := matchers(t, p)
				for id, c := range file.Cases {
					if c.Audit == "" {
						continue
					}
					audited++
					r := audit.Request{Anchor: c.Anchor, Raw: c.Request, Metadata: c.Metadata,
						Inputs: known(t, c.Inputs)}
					want := map[request.Version]bool{request.V0_15: c.Audit == "accept",
						request.V0_14: c.Audit14 == "accept"}
					if folder == "owners" { // recorded once
						want[request.V0_14] = want[request.V0_15]
					}
					want[request.V714a6b46] = want[request.V0_15]
					both := true
					for _, follow := range request.Versions {
						_, err := audit.New(p, audit.Options{Matchers: ms, Follow: follow}).Check(r)
						require.Equal(t, want[follow], err == nil, "%s: %s: %s: %v", follow, name, id, err)
						both = both && want[follow]
					}
					if _, err := audit.New(p, audit.Options{Matchers: ms}).Check(r); !both {
						require.Error(t, err, "strict: %s: %s", name, id)
					} else if id != "audit_issue_opening_other_issuer" {
						require.NoError(t, err, "strict: %s: %s", name, id)
					}
				}
			})
		}
	}
	require.Positive(t, audited)
}

// TestInfoIsThatOfTheReference: the recorded audit information of owners with
// several parties is byte for byte the output of Info from the information of the parties.
func TestInfoIsThatOfTheReference(t *testing.T) {
	made := 0
	for name, file := range vectors.RequestFilesIn(t, "owners") {
		t.Run(name, func(t *testing.T) {
			p := networktest.Recorded(t, file.Params)
			for id, c := range file.Cases {
				if len(c.Metadata) == 0 {
					continue
				}
				md, err := request.DecodeMetadata(c.Metadata, request.DefaultLimits)
				require.NoError(t, err)
				r, err := request.Decode(c.Request, request.DefaultLimits)
				require.NoError(t, err)
				for i, a := range md.Actions {
					for j, out := range a.Outputs {
						owner := ownerOf(t, p, r.Actions[i], j)
						receivers, err := audit.Receivers(owner)
						if err != nil || len(receivers) != len(out.Receivers) ||
							bytes.Equal(receivers[0], owner) || isScript(t, owner) {
							continue // redeemed, an issue of the reference, a plain owner
						}
						info, err := audit.Info(owner, func(id []byte) ([]byte, error) {
							for _, r := range out.Receivers {
								if bytes.Equal(r.Identity, id) {
									return r.AuditInfo, nil
								}
							}
							return nil, audit.ErrParty
						})
						require.NoError(t, err, "%s %s", name, id)
						require.Equal(t, string(out.AuditInfo), string(info), "%s %s", name, id)
						made++
					}
				}
			}
		})
	}
	require.Positive(t, made)
}

func isScript(t testing.TB, owner []byte) bool {
	t.Helper()
	return networktest.Typed(t, owner).Type == identity.HTLC
}

func ownerOf(t testing.TB, p *params.Params, a request.Action, j int) []byte {
	t.Helper()
	if a.Kind == request.Issue {
		return networktest.Issue(t, p.Group(), a.Raw).Outputs[j].Owner
	}
	return networktest.Transfer(t, p.Group(), a.Raw).Outputs[j].Owner
}

func TestNegative(t *testing.T) {
	set := vectors.Negative(t)
	// The reference does not compare its record of the inputs with the outputs.
	safer := []string{"audit-audit-token-type", "audit-audit-token-value"}
	for _, c := range set.Audits {
		p := networktest.Recorded(t, set.Contexts[c.Context].Params)
		r := audit.Request{Anchor: c.Anchor, Raw: c.Request, Metadata: c.Metadata, Inputs: known(t, c.Inputs)}
		_, err := audit.New(p, audit.Options{Follow: request.V0_14}).Check(r)
		require.Equal(t, c.Verdict == "accept", err == nil, "%s: %v", c.ID, err)
		_, err = audit.New(p, audit.Options{}).Check(r)
		if contains := strings.Contains(strings.Join(safer, " "), c.ID); contains || c.Verdict != "accept" {
			refused := new(audit.RefusedError)
			require.ErrorAs(t, err, &refused, c.ID)
		} else {
			require.NoError(t, err, c.ID)
		}
	}
}

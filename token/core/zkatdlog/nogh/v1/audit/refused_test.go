package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestNothingIsNotSigned: a signature of a request without actions would use up
// an anchor and no more.
func TestNothingIsNotSigned(t *testing.T) {
	n, _ := made(t, "issues")
	a := networktest.Assemble(t)
	require.ErrorIs(t, a.Endorse(n.Audit(), n.Auditor), audit.ErrNothing)
}

// TestManyPartiesAreNotLookedAt: work is bounded also for owners of many members.
func TestManyPartiesAreNotLookedAt(t *testing.T) {
	const members = 5
	n, p := made(t, "redeems")
	var ids, infos [][]byte
	for i := range uint64(members) {
		p := party(t, i, "alice")
		ids, infos = append(ids, p.Identity), append(infos, p.AuditInfo)
	}
	sender := request.Party{Identity: multisig.Encode(ids...), AuditInfo: membersInfo(t, infos...)}
	networktest.EditTransfer(t, n, p, func(a *transfer.Action) {
		for i := range a.Inputs {
			a.Inputs[i].Token.Owner = sender.Identity
			p.Metadata.Inputs[i].Senders = []request.Party{sender}
			known := p.Inputs[a.Inputs[i].ID]
			known.Owner = sender.Identity
			p.Inputs[a.Inputs[i].ID] = known
		}
	})
	made := networktest.Assemble(t, p)
	looked := 0
	matchers := audit.Matchers{identity.X509: audit.AtOnce(func(raw, info []byte) error {
		looked++
		return x509.Match(raw, info)
	})}
	for verifications, want := range map[int]error{members: nil, members - 1: audit.ErrMany} {
		looked = 0
		limits := request.DefaultLimits
		limits.Verifications = verifications
		_, err := audit.New(n.Params,
			audit.Options{Matchers: matchers, Limits: limits}).Check(made.AuditRequest())
		require.ErrorIs(t, err, want)
		require.LessOrEqual(t, looked, 2*verifications)
	}
}

// broken is a signer that panics.
type broken struct{ identity.Signer }

func (broken) Sign([]byte) ([]byte, error) { panic("broken") }

func TestPanicsOfSignersBecomeErrors(t *testing.T) {
	n, p := made(t, "issues")
	a := networktest.Assemble(t, p)
	require.ErrorAs(t, a.Endorse(n.Audit(), broken{n.Auditor}), new(*executor.PanicError))
}

package v1_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// several is the wallet of an owner with several parties.
type several struct {
	id   []byte
	sign func(message []byte) ([]byte, error)
}

func (s several) Identity() []byte                    { return s.id }
func (s several) Sign(message []byte) ([]byte, error) { return s.sign(message) }

// AuditInfo fails: the service makes the audit information from the audit
// information of the parties.
func (several) AuditInfo() ([]byte, error) { return nil, errors.New("asked for an owner of several") }

// signedBy returns the signatures of members, in order.
func signedBy(message []byte, members ...fixture.Wallet) ([][]byte, error) {
	var err error
	signatures := make([][]byte, len(members))
	for i, m := range members {
		var failed error
		signatures[i], failed = m.Sign(message)
		err = errors.Join(err, failed)
	}
	return signatures, err
}

var (
	lockPreimage = []byte("pre-image")
	now          = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
)

// ownersOf returns owners of every kind from plain wallets a and b. The metadata of
// a transfer to or from a script has entries.
func ownersOf(t testing.TB, a, b fixture.Wallet) map[string]several {
	t.Helper()
	both := several{multisig.Encode(a.Identity(), b.Identity()), func(message []byte) ([]byte, error) {
		signatures, err := signedBy(message, a, b)
		return multisig.Join(signatures...), err
	}}
	id, err := policy.Policy{Text: "$0 OR $1", Members: [][]byte{a.Identity(), both.id}}.Encode()
	require.NoError(t, err)
	nested := several{id, func(message []byte) ([]byte, error) {
		signature, err := both.Sign(message)
		return policy.Join(nil, signature), err
	}}
	script := htlc.Script{Sender: a.Identity(), Recipient: both.id, Deadline: now.Add(time.Hour),
		HashInfo: htlc.NewLock(lockPreimage)}
	locked, err := script.Encode()
	require.NoError(t, err)
	return map[string]several{
		"plain": {a.Identity(), a.Sign}, "multisig": both, "policy": nested,
		"script": {locked, func(message []byte) ([]byte, error) {
			return htlc.Sign(both, message, lockPreimage)
		}},
	}
}

// TestOwnersOfEveryKind issues a token to owners of every kind and transfers it to
// the next: validators and auditors of every version accept the requests that the service
// makes.
func TestOwnersOfEveryKind(t *testing.T) {
	for _, kind := range []identity.Type{identity.X509, identity.Idemix, identity.IdemixNym} {
		n := networktest.New(t, fixture.Config{Owners: kind})
		ready, err := n.NewTransfer(1, 2, 1)
		require.NoError(t, err)
		owners := ownersOf(t, ready.Owners[0], ready.Owners[1])
		b := fixture.NewBook(n.Issuer)
		b.Know(ready.Owners...)
		for name, o := range owners {
			if name != "plain" {
				b.Know(o)
			}
		}
		service := n.Service(b, 1)
		at := func(when time.Time) validator.Options {
			return validator.Options{Now: func() time.Time { return when }}
		}
		for name, from := range owners {
			t.Run(name, func(t *testing.T) {
				issued, err := service.Issue(v1.IssueOrder{
					Issuer: n.Issuer.Identity(), Type: "EUR",
					Receive: []token.Receive{{Owner: from.id, Value: 7}},
				})
				require.NoError(t, err, name)
				accepted(t, n, at(now), issued)
				made := networktest.Issue(t, n.Params.Group(), issued.Action.Raw)
				id := token.ID{TxID: "tx of " + name}
				opening := issued.Openings[0]
				opening.Issuer = nil
				b.Held[id] = v1.Held{Token: made.Outputs[0], Opening: opening}
				for next, to := range owners {
					order := v1.TransferOrder{Spend: []token.ID{id},
						Receive: []token.Receive{{Owner: to.id, Value: 7}}, Metadata: map[string][]byte{}}
					lock := htlc.NewLock(lockPreimage)
					if next == "script" {
						key, value := lock.LockEntry()
						order.Metadata[key] = value
					}
					if name == "script" { // claimed by the recipient
						if next != "multisig" {
							continue
						}
						order.Metadata[lock.ClaimKey()] = lockPreimage
					}
					moved, err := service.Transfer(order)
					require.NoError(t, err, "%s to %s", name, next)
					accepted(t, n, at(now), moved)
				}
			})
		}
		// After the deadline the sender reclaims.
		id := token.ID{TxID: "tx of script"}
		b.Wallets[string(owners["script"].id)] = several{owners["script"].id, owners["plain"].sign}
		moved, err := service.Transfer(v1.TransferOrder{Spend: []token.ID{id},
			Receive: []token.Receive{{Owner: owners["plain"].id, Value: 7}}})
		require.NoError(t, err)
		accepted(t, n, at(now.Add(2*time.Hour)), moved)
	}
}

// accepted checks that the auditor endorses a request of one part and that
// validators of every version accept it.
func accepted(t testing.TB, n *fixture.Network, o validator.Options, part *v1.Part) {
	t.Helper()
	a, err := n.Signed("tx", part)
	require.NoError(t, err)
	for _, o.Follow = range append(request.Versions, request.Strict) {
		_, err = n.Validator(o).Validate("tx", a.Request.Encode())
		require.NoError(t, err, fmt.Sprint(o.Follow))
	}
}

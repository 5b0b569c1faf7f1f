package v1_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
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

// ownerKinds are the kinds of keys of owners, in short tests without the presentations of
// type 1, which take long.
func ownerKinds() []identity.Type {
	all := []identity.Type{identity.X509, identity.IdemixNym, identity.Idemix}
	return nightly.Pick(all[:2], all, all)
}

// ofEveryKind returns owners of every kind, whose keys the party has.
func (h *hashedNetwork) ofEveryKind() map[string]several {
	w := h.wallets(2)
	owners := ownersOf(h, w[0], w[1])
	for name, o := range owners {
		if name != "plain" {
			h.book.Know(o)
		}
	}
	return owners
}

// TestOwnersOfEveryKind issues a token to owners of every kind and transfers it to
// the next: validators and auditors of every version accept the requests that the service
// makes.
func TestOwnersOfEveryKind(t *testing.T) {
	following := map[string]string{"plain": "script", "script": "multisig", "multisig": "policy",
		"policy": "plain"}
	for _, kind := range ownerKinds() {
		h := newHashedNetwork(t, kind, params.Protocols{})
		owners, lock := h.ofEveryKind(), htlc.NewLock(lockPreimage)
		move := func(id token.ID, to string, when time.Time, metadata map[string][]byte) {
			part, err := h.service.Transfer(v1.TransferOrder{Spend: []token.ID{id},
				Receive: []token.Receive{{Owner: owners[to].id, Value: 7}}, Metadata: metadata})
			require.NoError(t, err)
			accepted(t, h.Network, when, part)
		}
		for name, from := range owners {
			t.Run(fmt.Sprint(kind, " ", name), func(t *testing.T) {
				id := h.issue(false, from.id)[0]
				metadata := map[string][]byte{}
				switch name {
				case "plain": // to a script
					key, value := lock.LockEntry()
					metadata[key] = value
				case "script": // claimed by the recipient
					metadata[lock.ClaimKey()] = lockPreimage
				}
				move(id, following[name], now, metadata)
				if name == "script" { // after the deadline the sender reclaims
					h.book.Wallets[string(from.id)] = several{from.id, owners["plain"].sign}
					move(id, "plain", now.Add(2*time.Hour), nil)
				}
			})
		}
	}
}

// accepted checks that the auditor endorses a request of one part and that
// validators of every version accept it at a time.
func accepted(t testing.TB, n *fixture.Network, when time.Time, part *v1.Part) {
	t.Helper()
	a, err := n.Signed("tx", part)
	require.NoError(t, err)
	for _, follow := range append(request.Versions, request.Strict) {
		o := validator.Options{Follow: follow, Now: func() time.Time { return when }}
		_, err = n.Validator(o).Validate("tx", a.Request.Encode())
		require.NoError(t, err, "%v", follow)
	}
}

package badinput_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// member signs as the only member of a multisig owner.
type member struct{ identity.Signer }

func (m member) Identity() []byte { return multisig.Encode(m.Signer.Identity()) }

func (m member) Sign(message []byte) ([]byte, error) {
	signature, err := m.Signer.Sign(message)
	return multisig.Join(signature), err
}

// nested wraps s in the given number of multisig owners.
func nested(s identity.Signer, levels int) identity.Signer {
	for range levels {
		s = member{s}
	}
	return s
}

func (m meaning) policyOf(member []byte) []byte {
	id, err := policy.Policy{Text: "$0", Members: [][]byte{member}}.Encode()
	require.NoError(m.t, err)
	return id
}

func (m meaning) scriptOf(sender, recipient []byte) []byte {
	id, err := htlc.Script{Sender: sender, Recipient: recipient, Deadline: deadline,
		HashInfo: htlc.NewLock(secret)}.Encode()
	require.NoError(m.t, err)
	return id
}

// paying returns a transfer with a first output for owner.
func (m meaning) paying(owner []byte) []byte {
	return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) {
		a.Outputs[0].Owner = owner
	}).Encode()
}

// issuing returns an issue with a first output for owner.
func (m meaning) issuing(owner []byte) []byte {
	return m.issue(func(a *issue.Action, _ *v1.Part) { a.Outputs[0].Owner = owner }).Encode()
}

// voter signs as the only member of a policy owner.
type voter struct {
	identity.Signer
	id []byte
}

func (m voter) Identity() []byte { return m.id }

func (m voter) Sign(message []byte) ([]byte, error) {
	signature, err := m.Signer.Sign(message)
	return policy.Join(signature), err
}

// mixed wraps s in so many multisig and policy owners in turn.
func (m meaning) mixed(s identity.Signer, levels int) identity.Signer {
	for level := range levels {
		if level%2 == 0 {
			s = member{s}
		} else {
			s = voter{s, m.policyOf(s.Identity())}
		}
	}
	return s
}

// spending returns a transfer of an input of an owner that wrap makes of a key.
func (m meaning) spending(wrap func(identity.Signer) identity.Signer) []byte {
	return m.transfer("transfers", func(a *transfer.Action, p *v1.Part) {
		p.Signers[0] = wrap(p.Signers[0])
		a.Inputs[0].Token.Owner = p.Signers[0].Identity()
	}).Encode()
}

// TestOwnersNest: five levels of owners around a key are accepted and six are refused, of
// one type or of two in turn, in new and in spent tokens. Configured limits replace the
// five. Versions without the limit accept six, and the last one refuses them in spent
// tokens.
func TestOwnersNest(t *testing.T) {
	m := newMeaning(t)
	const defaultDepth = 5
	for name, wrap := range map[string]func(s identity.Signer, levels int) identity.Signer{"multisig": nested,
		"mixed": m.mixed} {
		for levels := 1; levels <= defaultDepth+1; levels++ {
			owner := wrap(m.stranger(), levels).Identity()
			spent := m.spending(func(s identity.Signer) identity.Signer { return wrap(s, levels) })
			for action, raw := range map[string][]byte{"paid": m.paying(owner), "issued": m.issuing(owner),
				"spent": spent} {
				t.Run(fmt.Sprint(name, levels, action), func(t *testing.T) {
					m := meaning{m.Network, t}
					m.limited(raw, "maxIdentityDepth", levels <= defaultDepth, validator.Options{})
					m.limited(raw, "maxIdentityDepth", levels <= 2,
						validator.Options{Resources: request.Resources{MaxIdentityDepth: 2}})
					m.limited(raw, "maxIdentityDepth", true,
						validator.Options{Resources: request.Resources{MaxIdentityDepth: 9}})
					m.large(raw, levels > defaultDepth, action == "spent")
				})
			}
		}
	}
	key := m.stranger().Identity()
	for levels, want := range map[int]error{defaultDepth - 1: validator.ErrMetadata,
		defaultDepth: request.ErrResources} {
		_, err := m.Validator(validator.Options{Now: func() time.Time { return before }}).
			Validate(anchor, m.paying(m.scriptOf(key, nested(m.stranger(), levels).Identity())))
		require.ErrorIs(t, err, want, "a script is a level, too")
	}
}

// limited requires that a validator accepts a request, or refuses it with the limit.
func (m meaning) limited(raw []byte, limit string, ok bool, o validator.Options) {
	m.t.Helper()
	_, err := m.Validator(o).Validate(anchor, raw)
	if ok {
		require.NoError(m.t, err)
		return
	}
	require.ErrorIs(m.t, err, request.ErrResources)
	require.ErrorContains(m.t, err, limit)
}

// large requires that versions accept a request with an owner beyond the limits, but the
// last one not if the owner spends.
func (m meaning) large(raw []byte, beyond, spent bool) {
	m.t.Helper()
	for _, version := range request.Versions {
		accepted, err := m.Validator(validator.Options{Follow: version}).Validate(anchor, raw)
		var want []validator.Difference
		switch {
		case beyond && version != request.V714a6b46:
			want = []validator.Difference{validator.LargeOwners}
		case beyond && spent:
			require.ErrorIs(m.t, err, request.ErrResources, version)
			continue
		case beyond:
			want = []validator.Difference{validator.UnspendableOwners}
		}
		require.NoError(m.t, err, version)
		require.Equal(m.t, want, accepted.Differences, version)
	}
}

// TestOwnersOfMany: 16 members are accepted and 17 are refused, of multisig and of policy
// owners, also if the expression names one only.
func TestOwnersOfMany(t *testing.T) {
	m := newMeaning(t)
	var keys [][]byte
	for i := range uint64(17) {
		w := networktest.Wallet(t, i, "member")
		keys = append(keys, w.Identity())
	}
	for n := 15; n <= 17; n++ {
		one, err := policy.Policy{Text: "$0", Members: keys[:n]}.Encode()
		require.NoError(t, err)
		for name, owner := range map[string][]byte{"multisig": multisig.Encode(keys[:n]...), "policy": one,
			"nested": multisig.Encode(one)} {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				m := meaning{m.Network, t}
				raw := m.paying(owner)
				m.limited(raw, "maxIdentityComponents", n <= 16, validator.Options{})
				m.limited(raw, "maxIdentityComponents", false,
					validator.Options{Resources: request.Resources{MaxIdentityComponents: 14}})
				m.limited(raw, "maxIdentityComponents", true,
					validator.Options{Resources: request.Resources{MaxIdentityComponents: 17}})
				m.large(raw, n > 16, false)
			})
		}
	}
	// A script has two components.
	key := m.stranger().Identity()
	_, err := m.Validator(validator.Options{
		Resources: request.Resources{MaxIdentityComponents: 1},
	}).Validate(anchor, m.paying(m.scriptOf(key, key)))
	require.ErrorContains(t, err, "maxIdentityComponents")
}

// TestScriptsStandAtTheTop checks that a script inside another owner is
// refused, in new and in spent tokens, unless the version of the reference allows it.
// TestEveryPlaceV1 in package v1 has scripts as members and parties of new owners.
func TestScriptsStandAtTheTop(t *testing.T) {
	m := newMeaning(t)
	key := m.stranger().Identity()
	inner := m.scriptOf(key, key)
	at := func(now time.Time) validator.Options {
		return validator.Options{Now: func() time.Time { return now }}
	}
	asReference := at(before)
	asReference.Follow = request.V0_15
	twoLevels := multisig.Encode(m.policyOf(inner))
	// The recipient of a script inside a multisig owner claims without an entry
	// for the pre-image in the metadata.
	claim := m.transfer("transfers", func(a *transfer.Action, p *v1.Part) {
		id := p.Signers[0].Identity()
		a.Inputs[0].Token.Owner = multisig.Encode(m.scriptOf(id, id))
		p.Signers[0] = member{claimer{p.Signers[0], secret}}
	}).Encode()
	for rule, raw := range map[string][]byte{"transfer: owners": m.paying(twoLevels),
		"issue: owners": m.issuing(twoLevels), "signatures": claim} {
		t.Run(rule, func(t *testing.T) {
			_, err := m.Validator(at(before)).Validate(anchor, raw)
			networktest.Refused(t, err, rule, validator.ErrNestedScript)
			accepted, err := m.Validator(asReference).Validate(anchor, raw)
			require.NoError(t, err)
			require.Equal(t, []validator.Difference{validator.NestedScripts}, accepted.Differences)
		})
	}
}

package badinput_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
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
	id, err := htlc.Script{Sender: sender, Recipient: recipient, Deadline: deadline, HashInfo: htlc.NewLock(secret)}.Encode()
	require.NoError(m.t, err)
	return id
}

// paying returns a transfer with a first output for owner.
func (m meaning) paying(owner []byte) []byte {
	return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) { a.Outputs[0].Owner = owner }).Encode()
}

// issuing returns an issue with a first output for owner.
func (m meaning) issuing(owner []byte) []byte {
	return m.issue(func(a *issue.Action, _ *v1.Part) { a.Outputs[0].Owner = owner }).Encode()
}

// TestOwnersNestFourDeep checks that four levels of owners around a key are
// accepted and five are refused, in new and in spent tokens.
func TestOwnersNestFourDeep(t *testing.T) {
	m := newMeaning(t, "BN254", rangeproof.CSP)
	v := m.Validator(validator.Options{})
	for levels, want := range map[int]error{1: nil, 4: nil, 5: identity.ErrUnknownType, 6: identity.ErrUnknownType} {
		owner := nested(m.stranger(), levels)
		for name, raw := range map[string][]byte{
			"paid": m.paying(owner.Identity()), "issued": m.issuing(owner.Identity()),
			"spent": m.transfer("transfers", func(a *transfer.Action, p *v1.Part) {
				p.Signers[0] = nested(p.Signers[0], levels)
				a.Inputs[0].Token.Owner = p.Signers[0].Identity()
			}).Encode(),
		} {
			_, err := v.Validate(anchor, raw)
			require.ErrorIs(t, err, want, "%s %d deep", name, levels)
		}
	}
}

// TestScriptsStandAtTheTop checks that a script inside another owner is
// refused, in new and in spent tokens, unless the version of the reference allows it.
func TestScriptsStandAtTheTop(t *testing.T) {
	m := newMeaning(t, "BN254", rangeproof.CSP)
	key := m.stranger().Identity()
	inner := m.scriptOf(key, key)
	at := func(now time.Time) validator.Options {
		return validator.Options{Now: func() time.Time { return now }}
	}
	asReference := at(before)
	asReference.Follow = request.V0_15
	for name, owner := range map[string][]byte{
		"multisig": multisig.Encode(key, inner), "policy": m.policyOf(inner),
		"two levels": multisig.Encode(m.policyOf(inner)),
	} {
		for action, raw := range map[string][]byte{"transfer": m.paying(owner), "issue": m.issuing(owner)} {
			_, err := m.Validator(at(before)).Validate(anchor, raw)
			m.refused(err, name, action+": owners", validator.ErrNestedScript)
			accepted, err := m.Validator(asReference).Validate(anchor, raw)
			require.NoError(t, err, name)
			require.Equal(t, []validator.Difference{validator.NestedScripts}, accepted.Differences)
		}
	}
	for name, owner := range map[string][]byte{"recipient": m.scriptOf(key, inner), "sender": m.scriptOf(inner, key)} {
		_, err := m.Validator(at(before)).Validate(anchor, m.paying(owner))
		m.refused(err, name, "transfer: owners", validator.ErrNestedScript)
	}

	// The recipient of a script inside a multisig owner claims without an entry
	// for the pre-image in the metadata.
	raw := m.transfer("transfers", func(a *transfer.Action, p *v1.Part) {
		id := p.Signers[0].Identity()
		a.Inputs[0].Token.Owner = multisig.Encode(m.scriptOf(id, id))
		p.Signers[0] = member{claimer{p.Signers[0], secret}}
	}).Encode()
	_, err := m.Validator(at(before)).Validate(anchor, raw)
	m.refused(err, "spent", "signatures", validator.ErrNestedScript)
	accepted, err := m.Validator(asReference).Validate(anchor, raw)
	require.NoError(t, err)
	require.Equal(t, []validator.Difference{validator.NestedScripts}, accepted.Differences)
}

// TestOwnersWithUnknownMembers checks that an owner with a member of unknown
// type is refused, since it can never spend.
func TestOwnersWithUnknownMembers(t *testing.T) {
	m := newMeaning(t, "BN254", rangeproof.CSP)
	unknown, key := identity.Typed{Type: 99, Raw: []byte("?")}.Encode(), m.stranger().Identity()
	lenient := validator.Options{Follow: request.V0_15}
	for name, owner := range map[string][]byte{
		"multisig": multisig.Encode(key, unknown), "policy": m.policyOf(unknown), "no member": multisig.Encode(),
	} {
		for action, raw := range map[string][]byte{"transfer": m.paying(owner), "issue": m.issuing(owner)} {
			_, err := m.Validator(validator.Options{}).Validate(anchor, raw)
			require.ErrorContains(t, err, action+": owners", name)
			accepted, err := m.Validator(lenient).Validate(anchor, raw)
			require.NoError(t, err, name)
			require.Equal(t, []validator.Difference{validator.UnspendableOwners}, accepted.Differences)
		}
	}
	_, err := m.Validator(validator.Options{}).Validate(anchor, m.issuing([]byte("no identity")))
	require.ErrorContains(t, err, "issue: owners")
	_, err = m.Validator(lenient).Validate(anchor, m.issuing([]byte("no identity")))
	require.NoError(t, err)
	_, err = m.Validator(lenient).Validate(anchor, m.paying([]byte("no identity")))
	require.ErrorContains(t, err, "transfer: owners")
}

package validator

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

// A Difference names requests that a version of the reference accepts, or leaves
// to its ledger step, and that honest parties never make. A strict validator
// refuses them. With Options.Follow encodings of that version are accepted, and
// Accepted.Differences lists which occurred. Encodings other than the canonical
// ones are always refused.
type Difference string

// The differences.
const (
	// AnyActionID: signatures with action ids that are not the indices of their
	// actions, and signatures in the order of v0.14: all issues, then all
	// transfers.
	AnyActionID Difference = "signatures name any action"
	// AnyOrder: signatures with the indices of their actions, in any order of the
	// actions.
	AnyOrder Difference = "signatures of actions in any order"
	// ExtraSignatures: signatures of actions that no rule requires.
	ExtraSignatures Difference = "signatures that are not needed"
	// RepeatedAuditors: several signatures of one auditor.
	RepeatedAuditors Difference = "an auditor signs twice"
	// NoActions: requests without actions.
	NoActions Difference = "no actions"
	// AnyKeys: anchors, transaction ids of inputs and keys of metadata that would make
	// one key of a ledger from two different entries, or that no key can hold.
	AnyKeys Difference = "names that make no safe key"
	// LargeParts: requests beyond the resource limits of v0.15.
	LargeParts Difference = "beyond the resource limits"
	// RepeatedInputs: one token spent twice; the ledger must refuse it.
	RepeatedInputs Difference = "an input is spent twice"
	// RedeemByAnyone: a redeem with an unlisted issuer, such as the
	// owner.
	RedeemByAnyone Difference = "an unlisted issuer approves a redeem"
	// IdleIssuer: an issuer in a transfer that does not redeem, or that no issuer
	// must approve.
	IdleIssuer Difference = "an issuer who need not approve"
	// HiddenBurned: issues that burn hidden tokens; their owners do not sign.
	HiddenBurned Difference = "an issue burns a hidden token"
	// BurnedByAnyone: issues that burn clear tokens in networks without issuers,
	// where neither an issuer nor the owner signs for them.
	BurnedByAnyone Difference = "an issue burns a token without an issuer"
	// NestedScripts: hash-time-locked owners inside other owners, where the rules
	// of scripts do not reach them.
	NestedScripts Difference = "a script inside another owner"
	// RepeatedMembers: multisig and policy owners with two equal members.
	RepeatedMembers Difference = "an owner with two equal members"
	// NoType: issues with the identity as commitment to the type. No type has this
	// commitment, so the tokens cannot be opened.
	NoType Difference = "an issue without a type"
	// LargeOwners: owners of several parties that nest deeper, or are of more parties,
	// than the resource limits allow.
	LargeOwners Difference = "an owner with too many parties or levels"
	// UnspendableOwners: new tokens with an owner that cannot sign: one with a
	// member that cannot be read, or of an unknown identity type; in issues also
	// owners that are not typed identities.
	UnspendableOwners Difference = "an owner who cannot spend"
)

// tolerated lists the versions that accept each difference.
var tolerated = []struct {
	Difference
	versions []request.Version
}{
	{AnyActionID, []request.Version{request.V0_14}},
	{AnyOrder, []request.Version{request.V0_15, request.V714a6b46}},
	{ExtraSignatures, []request.Version{request.V0_14}},
	{RepeatedAuditors, request.Versions},
	{NoActions, []request.Version{request.V0_14}},
	{AnyKeys, request.Versions},
	{LargeParts, []request.Version{request.V0_14}},
	{RepeatedInputs, request.Versions},
	{RedeemByAnyone, request.Versions},
	{IdleIssuer, request.Versions},
	{HiddenBurned, request.Versions},
	{BurnedByAnyone, request.Versions},
	{NestedScripts, request.Versions},
	{RepeatedMembers, []request.Version{request.V0_14}},
	{NoType, []request.Version{request.V0_14}},
	{LargeOwners, []request.Version{request.V0_14, request.V0_15}},
	{UnspendableOwners, request.Versions},
}

// Differences returns the differences that version v accepts, an empty list for
// request.Strict.
func Differences(v request.Version) (list []Difference) {
	for _, t := range tolerated {
		if slices.Contains(t.versions, v) {
			list = append(list, t.Difference)
		}
	}
	return list
}

// allows reports whether requests with difference d are accepted.
func (c *check) allows(d Difference) bool { return slices.Contains(c.taken, d) }

// tolerates reports whether a request with difference d is accepted, and records d.
func (c *check) tolerates(d Difference) bool {
	if !c.allows(d) {
		return false
	}
	c.differences = append(c.differences, d)
	return true
}

// listDifferences lists the differences of the request.
func (c *check) listDifferences() (list []Difference) {
	for _, d := range c.taken {
		if slices.Contains(c.differences, d) {
			list = append(list, d)
		}
	}
	return list
}

package validator

// A Difference names requests that the reference accepts, or leaves to its
// ledger step, and that honest parties never make. A strict validator refuses
// them; with Options.AsReference they are accepted, and Accepted.Differences
// lists which occurred. Encodings other than the canonical ones are always
// refused.
type Difference string

// The differences.
const (
	// AnyActionID: signatures with action ids that are neither the indices of
	// their actions nor the running numbers of the signatures.
	AnyActionID Difference = "signatures name any action"
	// SignaturesAnywhere: signatures of auditors after those of actions.
	SignaturesAnywhere Difference = "signatures of auditors stand anywhere"
	// ExtraSignatures: signatures of actions that no rule requires.
	ExtraSignatures Difference = "signatures that are not needed"
	// RepeatedAuditors: several signatures of one auditor.
	RepeatedAuditors Difference = "an auditor signs twice"
	// NoActions: requests without actions.
	NoActions Difference = "no actions"
	// RepeatedInputs: one token spent twice; the ledger must refuse it.
	RepeatedInputs Difference = "an input is spent twice"
	// RedeemByAnyone: a redeem with an issuer that is not listed, such as the
	// owner.
	RedeemByAnyone Difference = "an unlisted issuer approves a redeem"
	// IdleIssuer: an issuer in a transfer that redeems nothing, or that no issuer
	// must approve.
	IdleIssuer Difference = "an issuer who need not approve"
	// HiddenBurned: issues that burn hidden tokens, whose owners do not sign.
	HiddenBurned Difference = "an issue burns a hidden token"
	// BurnedByAnyone: issues that burn clear tokens in networks without issuers,
	// where neither an issuer nor the owner signs for them.
	BurnedByAnyone Difference = "an issue burns a token without an issuer"
	// NestedScripts: hash-time-locked owners inside other owners, where the rules
	// of scripts do not reach them.
	NestedScripts Difference = "a script inside another owner"
	// UnspendableOwners: new tokens with an owner, or a member, of an unknown
	// identity type; in issues also owners that are not typed identities.
	UnspendableOwners Difference = "an owner who cannot spend"
)

// Differences are all differences.
var Differences = []Difference{
	AnyActionID, SignaturesAnywhere, ExtraSignatures, RepeatedAuditors, NoActions, RepeatedInputs,
	RedeemByAnyone, IdleIssuer, HiddenBurned, BurnedByAnyone, NestedScripts, UnspendableOwners,
}

// takes reports whether a request with difference d is accepted, and records d.
func (c *check) takes(d Difference) bool {
	if !c.o.AsReference {
		return false
	}
	c.differing.Lock()
	defer c.differing.Unlock()
	c.differences[d] = true
	return true
}

// listDifferences lists the differences of the request.
func (c *check) listDifferences() (list []Difference) {
	for _, d := range Differences {
		if c.differences[d] {
			list = append(list, d)
		}
	}
	return list
}

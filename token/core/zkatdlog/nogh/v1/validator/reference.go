package validator

// AsReference are the cases in which the reference accepts a request that no
// honest party makes, or that only its ledger step refuses. Each is refused
// unless its field is set; networks whose endorsers must agree with the
// reference on every request set those that it needs. Encodings that the
// reference accepts besides the canonical ones have no option.
type AsReference struct {
	// AnyActionID takes signatures whose action ids are neither the indices of
	// their actions nor the running numbers of the signatures.
	AnyActionID bool
	// SignaturesAnywhere takes signatures of auditors after those of actions.
	SignaturesAnywhere bool
	// ExtraSignatures ignores signatures of actions that nobody needs.
	ExtraSignatures bool
	// RepeatedAuditors takes several signatures of one auditor.
	RepeatedAuditors bool
	// NoActions takes requests that do nothing.
	NoActions bool
	// RepeatedInputs takes one token spent twice; the ledger must refuse it.
	RepeatedInputs bool
	// RedeemByAnyone takes as issuer of a redeem identities that are not
	// issuers, such as the owner's own.
	RedeemByAnyone bool
	// IdleIssuer ignores the issuer of a transfer that redeems nothing, or that
	// no issuer must approve.
	IdleIssuer bool
	// HiddenBurned takes issues that burn hidden tokens, whose owners do not sign.
	HiddenBurned bool
	// BurnedByAnyone takes issues that burn clear tokens in networks without
	// issuers, where neither an issuer nor the owner signs for them.
	BurnedByAnyone bool
	// NestedScripts takes hash-time-locked owners inside other owners, where the
	// rules of scripts do not reach them.
	NestedScripts bool
	// UnspendableOwners takes new tokens whose owner is of no known identity
	// type or has such a member; in issues also owners that are no typed identities.
	UnspendableOwners bool
}

// LikeReference sets all of them.
var LikeReference = AsReference{
	AnyActionID: true, SignaturesAnywhere: true, ExtraSignatures: true, RepeatedAuditors: true, NoActions: true,
	RepeatedInputs: true, RedeemByAnyone: true, IdleIssuer: true, HiddenBurned: true,
	BurnedByAnyone: true, NestedScripts: true, UnspendableOwners: true,
}

package group

import "errors"

// Why an encoding is refused, or a scalar cannot be drawn. The texts follow
// the name of a field: "outputs[0].data is not on the curve".
var (
	ErrLength        = errors.New("has the wrong length")
	ErrNotCanonical  = errors.New("is not the one encoding of its value")
	ErrNotOnCurve    = errors.New("is not on the curve")
	ErrNotInSubgroup = errors.New("is not in the prime-order subgroup")
	ErrIdentity      = errors.New("is the identity")
	ErrUnknownCurve  = errors.New("is not a known curve")
	ErrRandom        = errors.New("random source gave too few bytes")
)

package frost

import "filippo.io/edwards25519"

// Dealt makes keys from the coefficients of a polynomial.
var Dealt = dealt

// DecodePoint and DecodeScalar are the strict decoders.
var (
	DecodePoint  = decodePoint
	DecodeScalar = decodeScalar
)

// ErrNotListed reports a list without the own commitments.
var ErrNotListed = errNotListed

// Secret returns the share of a key.
func Secret(k Key) *edwards25519.Scalar { return k.secret }

// Opened returns the nonces.
func (n *Nonces) Opened() (d, e *edwards25519.Scalar) { return n.d, n.e }

// Commit draws nonces.
var Commit = commit

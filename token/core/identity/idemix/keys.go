package idemix

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// ErrKey says that an issuer's key cannot be used.
var ErrKey = credential.ErrKey

// Key is the public key of an issuer of credentials, on a curve by its
// identifier on the wire.
type Key struct {
	PublicKey []byte
	Curve     int
}

// Label returns the identifier of the curve in audit information: the two names
// of the first BBS+ curve have one label.
func (k Key) Label() int {
	const bbs, gurvy = 6, 7
	if k.Curve == bbs {
		return gurvy
	}
	return k.Curve
}

// Keys verifies and audits identities with credentials of any of several
// issuers. It is safe for concurrent use.
type Keys struct {
	issuers []issuer
	memo    *memo // nil without one
}

// issuer is the prepared key of one issuer.
type issuer struct{ *credential.Key }

// New prepares the keys, one at least. Errors wrap ErrKey.
func New(keys []Key) (*Keys, error) {
	if len(keys) == 0 {
		return nil, ErrKey
	}
	ks := &Keys{issuers: make([]issuer, len(keys))}
	for i, k := range keys {
		prepared, err := credential.NewKey(k.Curve, k.PublicKey)
		if err != nil {
			return nil, fmt.Errorf("key %d: %w", i, err)
		}
		ks.issuers[i] = issuer{prepared}
	}
	return ks, nil
}

// On returns the same keys on observed groups, such as the ones of package opcount:
// observe wraps the group of each key. Calls belong to the phase "owners". The
// returned keys do not remember presentations.
func (ks *Keys) On(observe func(group.Group) group.Group) *Keys {
	observed := &Keys{}
	for _, s := range ks.issuers {
		observed.issuers = append(observed.issuers, issuer{s.Key.On(group.Phase(observe(s.Scheme().Group()), "owners"))})
	}
	return observed
}

// Register adds the verifiers of both types to r.
func (ks *Keys) Register(r identity.Registry) {
	r[identity.Idemix] = ks.verifier
	r[identity.IdemixNym] = ks.nymVerifier
}

package idemix

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// ErrKey says that an issuer's key cannot be used.
var ErrKey = credential.ErrKey

// Key is the public key of an issuer of credentials, on a curve by its
// identifier on the wire.
type Key struct {
	PublicKey []byte
	Curve     int
}

// Label returns the identifier of the curve in audit information, the only one that
// auditors take: the two names of the first BBS+ curve have one label.
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
	issuers []*issuer
	memo    *memo // nil without one
	sums    round.Work[*claim]
	matches round.Work[*match]
}

// issuer is the prepared key of one issuer.
type issuer struct {
	*credential.Key
	label    int // of its curve in audit information
	pairings round.Work[credential.Item]
}

// newKeys returns the keys of issuers.
func newKeys(issuers []*issuer) *Keys {
	ks := &Keys{issuers: issuers}
	ks.sums.Do, ks.matches.Do = ks.checkSums, ks.match
	return ks
}

func newIssuer(k *credential.Key, label int) *issuer {
	s := &issuer{Key: k, label: label}
	s.pairings.Holds = func(_ group.Group, items []credential.Item) bool { return k.Pairings(items) }
	s.pairings.Refusal = rejected(credential.ErrPresentation)
	return s
}

// New prepares the keys, one at least. Errors wrap ErrKey.
func New(keys []Key) (*Keys, error) {
	if len(keys) == 0 {
		return nil, ErrKey
	}
	issuers := make([]*issuer, len(keys))
	for i, k := range keys {
		prepared, err := credential.NewKey(k.Curve, k.PublicKey)
		if err != nil {
			return nil, fmt.Errorf("key %d: %w", i, err)
		}
		issuers[i] = newIssuer(prepared, k.Label())
	}
	return newKeys(issuers), nil
}

// On returns the same keys on observed groups, such as those of package opcount:
// observe wraps the group of each key. Calls belong to the phase "owners". The
// returned keys do not remember presentations.
func (ks *Keys) On(observe func(group.Group) group.Group) *Keys {
	var observed []*issuer
	for _, s := range ks.issuers {
		observed = append(observed,
			newIssuer(s.Key.On(group.Phase(observe(s.Scheme().Group()), "owners")), s.label))
	}
	return newKeys(observed)
}

// Register adds the verifiers of both types to r.
func (ks *Keys) Register(r identity.Registry) {
	r[identity.Idemix] = ks.verifier
	r[identity.IdemixNym] = ks.nymVerifier
}

package idemix

import (
	"errors"
	"fmt"
	"sync"

	csp "github.com/IBM/idemix/bccsp"
	"github.com/IBM/idemix/bccsp/keystore"
	dlog "github.com/IBM/idemix/bccsp/schemes/dlog/crypto"
	"github.com/IBM/idemix/bccsp/schemes/dlog/crypto/translator/amcl"
	bccsp "github.com/IBM/idemix/bccsp/types"
	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// ErrKey says that an issuer's key cannot be used.
var ErrKey = errors.New("idemix issuer key is malformed or of a curve without scheme")

// Key is the public key of an issuer of credentials, on a curve by its
// identifier on the wire.
type Key struct {
	PublicKey []byte
	Curve     int
}

// Keys verifies and audits identities with credentials of any of several
// issuers. It is immutable and safe for concurrent use.
type Keys struct{ issuers []issuer }

// issuer is the key of one issuer in the scheme of its curve.
type issuer struct {
	scheme *presentation.Scheme
	csp    bccsp.BCCSP
	key    bccsp.Key
	curve  *math.Curve
	label  int // of the curve in audit information
}

// The attributes of every credential, by index; all are hidden.
var attributes = []string{"OU", "Role", "EnrollmentID", "RevocationHandle"}

const (
	enrollmentID     = presentation.EnrollmentID
	revocationHandle = presentation.RevocationHandle
)

// quiet keeps the library from logging every signature that it refuses; callers
// get an error. It must run before the library's other functions.
var quiet = sync.OnceFunc(func() { dlog.SetLogger(dlog.LogFunc(func(string, ...any) {})) })

// New imports the keys, one at least. Errors wrap ErrKey.
func New(keys []Key) (*Keys, error) {
	if len(keys) == 0 {
		return nil, ErrKey
	}
	quiet()
	ks := &Keys{issuers: make([]issuer, len(keys))}
	for i, k := range keys {
		err := executor.Guard(func() (err error) {
			ks.issuers[i], err = newIssuer(k)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("key %d: %w", i, err)
		}
	}
	return ks, nil
}

// Register adds the verifiers of both types to r.
func (ks *Keys) Register(r identity.Registry) {
	r[identity.Idemix] = ks.verifier
	r[identity.IdemixNym] = ks.nymVerifier
}

func newIssuer(k Key) (issuer, error) {
	s, err := schemeOf(k.Curve)
	if err != nil {
		return issuer{}, err
	}
	key, err := s.csp.KeyImport(k.PublicKey, &bccsp.IdemixIssuerPublicKeyImportOpts{Temporary: true, AttributeNames: attributes})
	if err != nil {
		return issuer{}, ErrKey
	}
	label := k.Curve
	if label == int(math.BLS12_381_BBS) {
		label = int(math.BLS12_381_BBS_GURVY)
	}
	return issuer{scheme: presentation.SchemeOf(k.Curve), csp: s.csp, key: key, curve: s.curve, label: label}, nil
}

// scheme is the library's scheme for a curve. With blind, requests for
// credentials are blinded.
type scheme struct {
	csp   bccsp.BCCSP
	curve *math.Curve
	blind bool
}

// curveOf returns the curve of credentials by its identifier on the wire, nil
// for curves without a scheme. The identifiers from 6 on name one curve with one
// encoding.
func curveOf(id int) *math.Curve {
	switch id {
	case int(math.BN254):
		return math.Curves[math.BN254]
	case int(math.BLS12_381_BBS), int(math.BLS12_381_BBS_GURVY), int(math.BLS12_381_BBS_GURVY) + 1:
		return math.Curves[math.BLS12_381_BBS_GURVY]
	}
	return nil
}

// schemeOf returns the scheme of a curve by its identifier on the wire. The error
// is ErrKey.
func schemeOf(id int) (s scheme, err error) {
	s.curve = curveOf(id)
	switch s.curve {
	case nil:
		return s, ErrKey
	case math.Curves[math.BN254]:
		s.csp, err = csp.New(&keystore.Dummy{}, s.curve, &amcl.Gurvy{C: s.curve}, true)
	default:
		s.blind = true
		s.csp, err = csp.NewAries(&keystore.Dummy{}, s.curve, &amcl.Gurvy{C: s.curve}, true)
	}
	if err != nil {
		return s, ErrKey
	}
	return s, nil
}

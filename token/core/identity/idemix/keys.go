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

// Keys verifies and audits identities whose credentials are of one of some
// issuers. It is immutable and safe for concurrent use.
type Keys struct{ issuers []issuer }

// issuer is the key of one issuer in the scheme of its curve.
type issuer struct {
	csp bccsp.BCCSP
	key bccsp.Key
}

// The attributes of every credential, by index; all are hidden.
var attributes = []string{"OU", "Role", "EnrollmentID", "RevocationHandle"}

const (
	enrollmentID     = 2
	revocationHandle = 3
)

// quiet keeps the library from logging every signature that it refuses: who
// asks is told by an error. It must come before the library's other functions.
var quiet = sync.OnceFunc(func() { dlog.SetLogger(dlog.LogFunc(func(string, ...any) {})) })

// New imports the keys, one at least. Errors wrap ErrKey.
func New(keys []Key) (*Keys, error) {
	if len(keys) == 0 {
		return nil, ErrKey
	}
	quiet()
	ks := &Keys{issuers: make([]issuer, len(keys))}
	for i, k := range keys {
		err := guarded(func() (err error) {
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

func newIssuer(k Key) (s issuer, err error) {
	if s.csp, err = scheme(k.Curve); err != nil {
		return s, ErrKey
	}
	s.key, err = s.csp.KeyImport(k.PublicKey, &bccsp.IdemixIssuerPublicKeyImportOpts{Temporary: true, AttributeNames: attributes})
	if err != nil {
		return s, ErrKey
	}
	return s, nil
}

// scheme returns the library's scheme for a curve. The identifiers from 6 on
// are one curve with one encoding.
func scheme(curve int) (bccsp.BCCSP, error) {
	switch curve {
	case int(math.BN254):
		c := math.Curves[math.BN254]
		return csp.New(&keystore.Dummy{}, c, &amcl.Gurvy{C: c}, true)
	case int(math.BLS12_381_BBS), int(math.BLS12_381_BBS_GURVY), int(math.BLS12_381_BBS_GURVY) + 1:
		c := math.Curves[math.BLS12_381_BBS_GURVY]
		return csp.NewAries(&keystore.Dummy{}, c, &amcl.Gurvy{C: c}, true)
	}
	return nil, ErrKey
}

// guarded runs f and makes a panic in it an error.
func guarded(f func() error) error {
	return executor.Serial{}.Run(1, func(int) error { return f() })
}

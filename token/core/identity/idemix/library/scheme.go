package library

import (
	"sync"

	csp "github.com/IBM/idemix/bccsp"
	"github.com/IBM/idemix/bccsp/keystore"
	dlog "github.com/IBM/idemix/bccsp/schemes/dlog/crypto"
	"github.com/IBM/idemix/bccsp/schemes/dlog/crypto/translator/amcl"
	bccsp "github.com/IBM/idemix/bccsp/types"
	math "github.com/IBM/mathlib"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
)

// issuer is the key of one issuer in the scheme of its curve.
type issuer struct {
	csp   bccsp.BCCSP
	key   bccsp.Key
	curve *math.Curve
	label int // of the curve in audit information
}

// The names of the attributes of every credential, by index; all are hidden.
var attributes = presentation.AttributeNames[:]

const (
	enrollmentID     = presentation.EnrollmentID
	revocationHandle = presentation.RevocationHandle
)

// quiet keeps the library from logging every signature that it refuses; callers
// get an error. It must run before the library's other functions.
var quiet = sync.OnceFunc(func() { dlog.SetLogger(dlog.LogFunc(func(string, ...any) {})) })

func newIssuer(k idemix.Key) (issuer, error) {
	s, err := schemeOf(k.Curve)
	if err != nil {
		return issuer{}, err
	}
	key, err := s.csp.KeyImport(k.PublicKey,
		&bccsp.IdemixIssuerPublicKeyImportOpts{Temporary: true, AttributeNames: attributes})
	if err != nil {
		return issuer{}, idemix.ErrKey
	}
	return issuer{csp: s.csp, key: key, curve: s.curve, label: k.Label()}, nil
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
// is idemix.ErrKey.
func schemeOf(id int) (s scheme, err error) {
	s.curve = curveOf(id)
	switch s.curve {
	case nil:
		return s, idemix.ErrKey
	case math.Curves[math.BN254]:
		s.csp, err = csp.New(&keystore.Dummy{}, s.curve, &amcl.Gurvy{C: s.curve}, true)
	default:
		s.blind = true
		s.csp, err = csp.NewAries(&keystore.Dummy{}, s.curve, &amcl.Gurvy{C: s.curve}, true)
	}
	return s, err
}

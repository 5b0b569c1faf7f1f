package library

import (
	"bytes"
	"crypto/rand"
	"fmt"

	"github.com/IBM/idemix/bccsp/schemes/aries"
	bccsp "github.com/IBM/idemix/bccsp/types"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// Issuer enrols users. It is for tests and benchmarks: its secret key stays in
// memory and it does not ask users who they are. The library draws all secrets
// from the system's random source and takes no other.
type Issuer struct {
	issuer
	scheme scheme
	secret bccsp.Key
	public idemix.Key
	epoch  []byte // presentations carry one, without revocations
}

// NewIssuer makes an issuer on a curve by its identifier on the wire. The error
// is ErrKey for curves without a credential scheme.
func NewIssuer(curve int) (*Issuer, error) {
	quiet()
	i := &Issuer{}
	err := executor.Guard(func() (err error) {
		i.scheme, err = schemeOf(curve)
		if err != nil {
			return err
		}
		return i.generate(curve)
	})
	return i, err
}

// generate makes a key in the scheme of i.
func (i *Issuer) generate(curve int) (err error) {
	opts := &bccsp.IdemixIssuerKeyGenOpts{Temporary: true, AttributeNames: attributes}
	i.secret, err = i.scheme.csp.KeyGen(opts)
	if err != nil {
		return err
	}
	public, err := i.secret.PublicKey()
	if err != nil {
		return err
	}
	i.public.Curve = curve
	i.public.PublicKey, err = public.Bytes()
	if err != nil {
		return err
	}
	i.epoch, err = i.newEpoch()
	if err != nil {
		return err
	}
	i.issuer, err = newIssuer(i.public)
	return err
}

// newEpoch signs an epoch without revocations, with a discarded key:
// verifiers of the networks lack its key. Every presentation carries the
// signature, an ECDSA signature at the end of the epoch. It is drawn again until
// it has its greatest length, which one in four has, so that all presentations
// of a curve have one length.
func (i *Issuer) newEpoch() (epoch []byte, err error) {
	key, err := i.scheme.csp.KeyGen(&bccsp.IdemixRevocationKeyGenOpts{Temporary: true})
	if err != nil {
		return nil, err
	}
	const longest = 104 // of ECDSA on P-384
	for range 256 {
		epoch, err = i.scheme.csp.Sign(key, nil, &bccsp.IdemixCRISignerOpts{})
		if err != nil || bytes.HasPrefix(epoch[max(0, len(epoch)-longest-2):], []byte{3<<3 | 2, longest}) {
			break
		}
	}
	return epoch, err
}

// Key is the issuer's public key.
func (i *Issuer) Key() idemix.Key { return i.public }

// User is a secret key with a credential. Its pseudonyms cannot be linked. It is
// safe for concurrent use.
type User struct {
	issuer     issuer
	key        bccsp.Key
	credential []byte
	epoch      []byte
	eid, rh    string
}

// Enrol gives a new user a credential with an enrolment id and a revocation
// handle.
func (i *Issuer) Enrol(eid, rh string) (u *User, err error) {
	u = &User{issuer: i.issuer, epoch: i.epoch, eid: eid, rh: rh}
	err = executor.Guard(func() (err error) {
		u.key, err = i.csp.KeyGen(&bccsp.IdemixUserSecretKeyGenOpts{Temporary: true})
		if err != nil {
			return err
		}
		u.credential, err = i.credential(u)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("idemix credential: %w", err)
	}
	return u, nil
}

// credential plays both parts of the library's protocol: the user asks for a
// credential of the secret key, the issuer signs it with the attributes.
func (i *Issuer) credential(u *User) ([]byte, error) {
	nonce := make([]byte, i.scheme.curve.ScalarByteSize)
	_, _ = rand.Read(nonce) // never fails
	attributes := &bccsp.IdemixCredentialSignerOpts{Attributes: []bccsp.IdemixAttribute{
		text(""), text(""), enrollmentID: text(u.eid), revocationHandle: text(u.rh),
	}}
	if !i.scheme.blind {
		ask := &bccsp.IdemixCredentialRequestSignerOpts{IssuerPK: i.key, IssuerNonce: nonce}
		return i.answer(u, ask, attributes)
	}
	ask := &bccsp.IdemixBlindCredentialRequestSignerOpts{IssuerPK: i.key, IssuerNonce: nonce}
	blinded, err := i.answer(u, ask, attributes)
	if err != nil {
		return nil, err
	}
	return (&aries.CredRequest{Curve: i.scheme.curve}).Unblind(blinded, ask.Blinding)
}

func (i *Issuer) answer(u *User, ask, attributes bccsp.SignerOpts) ([]byte, error) {
	request, err := i.csp.Sign(u.key, nil, ask)
	if err != nil {
		return nil, err
	}
	return i.csp.Sign(i.secret, request, attributes)
}

func text(s string) bccsp.IdemixAttribute {
	return bccsp.IdemixAttribute{Type: bccsp.IdemixBytesAttribute, Value: []byte(s)}
}

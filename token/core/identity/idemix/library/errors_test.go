package library // csp and key are private: a library that fails takes their place

import (
	"errors"
	"testing"

	bccsp "github.com/IBM/idemix/bccsp/types"
	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
)

var errCall = errors.New("failed")

// faulty is a library with its keys; one call fails.
type faulty struct {
	bccsp.BCCSP
	bccsp.Key
	before int // calls before the failing call
}

func (f *faulty) call() error {
	f.before--
	if f.before == -1 {
		return errCall
	}
	return nil
}

func (f *faulty) KeyGen(bccsp.KeyGenOpts) (bccsp.Key, error) { return f, f.call() }

func (f *faulty) KeyDeriv(bccsp.Key, bccsp.KeyDerivOpts) (bccsp.Key, error) { return f, f.call() }

func (f *faulty) Sign(bccsp.Key, []byte, bccsp.SignerOpts) ([]byte, error) {
	return append([]byte{3<<3 | 2, 104}, make([]byte, 104)...), f.call() // the end of an epoch
}

func (f *faulty) PublicKey() (bccsp.Key, error) { return f, f.call() }

func (f *faulty) Bytes() ([]byte, error) { return []byte("key"), f.call() }

// TestErrorsOfTheLibrary: the error of each call of an operation is returned.
func TestErrorsOfTheLibrary(t *testing.T) {
	for name, c := range map[string]struct {
		calls int
		do    func(i *Issuer, u *User) error
		end   error // after all calls
	}{
		"issuer": {5, func(i *Issuer, _ *User) error { return i.generate(1) }, idemix.ErrKey},
		"epoch":  {2, func(i *Issuer, _ *User) error { _, err := i.newEpoch(); return err }, nil},
		"enrol": {3, func(i *Issuer, _ *User) error {
			_, err := i.Enrol("alice", "100")
			return err
		}, nil},
		"presentation": {4, func(_ *Issuer, u *User) error { _, err := u.present(nil); return err }, nil},
		"type 1": {1, func(_ *Issuer, u *User) error {
			_, err := (&Wallet{user: u}).Sign(nil)
			return err
		}, nil},
		"type 3": {5, func(_ *Issuer, u *User) error {
			_, err := (&NymWallet{user: u}).Sign(nil)
			return err
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for before := range c.calls + 1 {
				f := &faulty{before: before}
				s := issuer{csp: f, key: f}
				i := &Issuer{issuer: s, scheme: scheme{csp: f, curve: math.Curves[math.BN254]}, secret: f}
				err := c.do(i, &User{issuer: s, key: f})
				if before < c.calls {
					require.ErrorIs(t, err, errCall, "%s: call %d", name, before)
					continue
				}
				require.ErrorIs(t, err, c.end)
			}
		})
	}
}

// TestErrorsOfBlindedCredentials: the same if the issuer signs a blinded request.
func TestErrorsOfBlindedCredentials(t *testing.T) {
	for before := range 3 {
		f := &faulty{before: before}
		s := scheme{csp: f, curve: math.Curves[math.BN254], blind: true}
		_, err := (&Issuer{issuer: issuer{csp: f, key: f}, scheme: s, secret: f}).Enrol("alice", "100")
		require.ErrorIs(t, err, errCall, "call %d", before)
	}
}

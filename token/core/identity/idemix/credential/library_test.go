package credential_test

import (
	"encoding/json"
	"slices"
	"testing"

	csp "github.com/IBM/idemix/bccsp"
	"github.com/IBM/idemix/bccsp/keystore"
	"github.com/IBM/idemix/bccsp/schemes/dlog/crypto/translator/amcl"
	bccsp "github.com/IBM/idemix/bccsp/types"
	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// verifier verifies as github.com/IBM/idemix does, for comparison. Package presentation
// has read the identities.
type verifier struct {
	csp   bccsp.BCCSP
	key   bccsp.Key
	curve *math.Curve
}

// newVerifier imports a key; the identifiers from 6 on name one curve.
func newVerifier(t testing.TB, curve int, key []byte) *verifier {
	t.Helper()
	v, err := &verifier{curve: math.Curves[math.BN254]}, error(nil)
	if curve == int(math.BN254) {
		v.csp, err = csp.New(&keystore.Dummy{}, v.curve, &amcl.Gurvy{C: v.curve}, true)
	} else {
		v.curve = math.Curves[math.BLS12_381_BBS_GURVY]
		v.csp, err = csp.NewAries(&keystore.Dummy{}, v.curve, &amcl.Gurvy{C: v.curve}, true)
	}
	require.NoError(t, err)
	v.key, err = v.csp.KeyImport(key,
		&bccsp.IdemixIssuerPublicKeyImportOpts{Temporary: true,
			AttributeNames: presentation.AttributeNames[:]})
	require.NoError(t, err)
	return v
}

// verify checks the signature of message by the pseudonym of id and the presentation of
// id. If eid is not nil, it is the pseudonym of the enrolment identifier.
func (v *verifier) verify(id *presentation.Identity, eid, message, signature []byte) error {
	return v.verdict(func() (bool, error) {
		nym, err := v.csp.KeyImport(id.Nym, &bccsp.IdemixNymPublicKeyImportOpts{Temporary: true})
		if err != nil {
			return false, err
		}
		if valid, err := v.csp.Verify(nym, signature, message,
			&bccsp.IdemixNymSignerOpts{IssuerPK: v.key}); err != nil || !valid {
			return false, err
		}
		opts := &bccsp.IdemixSignerOpts{
			Attributes: slices.Repeat([]bccsp.IdemixAttribute{{Type: bccsp.IdemixHiddenAttribute}},
				presentation.Attributes),
			EidIndex: presentation.EnrollmentID, RhIndex: presentation.RevocationHandle,
			VerificationType: bccsp.ExpectEidNymRhNym,
		}
		if eid != nil {
			opts.Metadata = &bccsp.IdemixSignerMetadata{EidNym: eid}
		}
		return v.csp.Verify(v.key, id.Proof, nil, opts)
	})
}

// opens reports whether the enrolment identifier and the revocation handle of audit
// information open the pseudonyms of a presentation.
func (v *verifier) opens(proof []byte, a idemix.Info) bool {
	scalar := v.curve.NewZrFromBytes
	return v.verdict(func() (bool, error) {
		valid, err := v.csp.Verify(v.key, proof, nil, &bccsp.EidNymAuditOpts{
			EidIndex:     presentation.EnrollmentID,
			EnrollmentID: string(a.Attributes[presentation.EnrollmentID]),
			RNymEid:      scalar(a.EidNymAuditData.Rand.Element),
		})
		if err != nil || !valid {
			return false, err
		}
		return v.csp.Verify(v.key, proof, nil, &bccsp.RhNymAuditOpts{
			RhIndex:          presentation.RevocationHandle,
			RevocationHandle: string(a.Attributes[presentation.RevocationHandle]),
			RNymRh:           scalar(a.RhNymAuditData.Rand.Element),
		})
	}) == nil
}

// verdict is identity.ErrSignature if the library refuses, fails or panics.
func (v *verifier) verdict(ask func() (bool, error)) error {
	valid := false
	err := executor.Guard(func() (err error) { valid, err = ask(); return err })
	if err != nil || !valid {
		return identity.ErrSignature
	}
	return nil
}

// TestOpeningsAreTheLibrarys: changed audit information matches exactly if the
// library opens the pseudonyms with it.
func TestOpeningsAreTheLibrarys(t *testing.T) {
	for _, curve := range []int{1, 7} {
		issuer, wallets := networktest.Idemix(t, curve, 1)
		ks, err := idemix.New([]idemix.Key{issuer.Key()})
		require.NoError(t, err)
		other, w := newVerifier(t, curve, issuer.Key().PublicKey), wallets[0]
		typed := networktest.Typed(t, w.Identity())
		id, err := presentation.SchemeOf(curve).Identity(typed.Raw)
		require.NoError(t, err)
		signature, err := w.Sign(message)
		require.NoError(t, err)
		info, err := w.AuditInfo()
		require.NoError(t, err)
		require.NoError(t, other.verify(id, id.EID, message, signature))
		require.ErrorIs(t, other.verify(id, id.Nym, message, signature), identity.ErrSignature,
			"the pseudonym of another")
		opened := map[bool]int{}
		for _, change := range []func(a *idemix.Info){
			func(*idemix.Info) {},
			func(a *idemix.Info) { a.EidNymAuditData.Rand.Element[31] ^= 1 },
			func(a *idemix.Info) { a.RhNymAuditData.Rand.Element[31] ^= 1 },
			func(a *idemix.Info) {
				a.EidNymAuditData, a.RhNymAuditData = a.RhNymAuditData, a.EidNymAuditData
			},
			func(a *idemix.Info) { a.Attributes[2] = []byte("bob") },
			func(a *idemix.Info) { a.Attributes[3] = nil },
			func(a *idemix.Info) { a.Attributes[2], a.Attributes[3] = a.Attributes[3], a.Attributes[2] },
		} {
			var a idemix.Info
			require.NoError(t, json.Unmarshal(info, &a))
			change(&a)
			encoded, err := json.Marshal(a)
			require.NoError(t, err)
			here, there := ks.Match(identity.Idemix, typed.Raw, encoded) == nil, other.opens(id.Proof, a)
			require.Equal(t, there, here, "curve %d: %s", curve, encoded)
			opened[here]++
		}
		require.Positive(t, opened[true])
		require.Positive(t, opened[false])
	}
}

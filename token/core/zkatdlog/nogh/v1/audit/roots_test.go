package audit_test

import (
	stdx509 "crypto/x509"
	"encoding/pem"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// certificate returns the certificate of a typed identity.
func certificate(t *testing.T, id []byte) *stdx509.Certificate {
	t.Helper()
	block, _ := pem.Decode(networktest.Typed(t, id).Raw)
	c, err := stdx509.ParseCertificate(block.Bytes)
	require.NoError(t, err)
	return c
}

// TestRootsOfOwners: an auditor with authorities takes the names of certificates
// that they signed, and no others.
func TestRootsOfOwners(t *testing.T) {
	n, p := made(t, "issues")
	a := networktest.Assemble(t, p)
	roots := stdx509.NewCertPool()
	roots.AddCert(certificate(t, n.Issuer.Identity()))
	given := audit.Matchers{identity.Idemix: audit.AtOnce(func([]byte, []byte) error { return nil })}
	auditor := func() *audit.Auditor {
		return audit.New(n.Params, audit.Options{X509Roots: roots, Matchers: given})
	}
	_, err := auditor().Check(a.AuditRequest())
	require.ErrorIs(t, err, x509.ErrUntrusted, "the owners certify themselves")
	for _, out := range p.Metadata.Outputs {
		roots.AddCert(certificate(t, out.Receivers[0].Identity))
	}
	_, err = auditor().Check(a.AuditRequest())
	require.NoError(t, err)
	require.Len(t, given, 1, "the caller's matchers are not changed")
}

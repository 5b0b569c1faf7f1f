package x509

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// ErrNoMatch says that audit information is not about an identity.
var ErrNoMatch = errors.New("audit information does not match the identity")

// ErrUntrusted says that no trusted authority signed a certificate.
var ErrUntrusted = errors.New("certificate has no chain to a trusted authority")

// AuditInfo tells an auditor who an identity is: its enrolment id, the common
// name of the certificate up to the first "@", and its revocation handle.
type AuditInfo struct {
	EID string
	RH  []byte
}

// NewAuditInfo returns the audit information of a typed identity, which holds
// a certificate. Errors are *wire.DecodeError.
func NewAuditInfo(id []byte) (AuditInfo, error) {
	typed, err := identity.Decode(id)
	if err != nil {
		return AuditInfo{}, err
	}
	if typed.Type != identity.X509 {
		return AuditInfo{}, messageName.Bad("type", identity.ErrUnknownType)
	}
	c, err := certificate(typed.Raw)
	if err != nil {
		return AuditInfo{}, err
	}
	return auditInfo(c), nil
}

// certificate reads the inside of an identity that has a certificate with an
// ECDSA key.
func certificate(raw []byte) (*x509.Certificate, error) {
	block, err := onlyBlock(raw)
	if err != nil {
		return nil, err
	}
	if block.Type != blockCertificate {
		return nil, messageName.Bad("certificate", wire.ErrMissing)
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, messageName.Bad("certificate", wire.ErrMalformed)
	}
	if _, ok := c.PublicKey.(*ecdsa.PublicKey); !ok {
		return nil, messageName.Bad("key", wire.ErrMalformed)
	}
	return c, nil
}

// auditInfo returns the audit information of a certificate.
func auditInfo(c *x509.Certificate) AuditInfo {
	name, _, _ := strings.Cut(c.Subject.CommonName, "@")
	handle := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return AuditInfo{EID: name, RH: base64.StdEncoding.AppendEncode(nil, handle[:])}
}

// AuditInfo returns the audit information of the wallet's certificate, a
// *wire.DecodeError if it has a bare key.
func (w *Wallet) AuditInfo() ([]byte, error) {
	info, err := NewAuditInfo(w.id)
	if err != nil {
		return nil, err
	}
	return info.Encode()
}

// Encode returns the JSON {"EID":…,"RH":…}.
func (a AuditInfo) Encode() ([]byte, error) { return json.Marshal(a) }

// Match returns nil if encoded audit information is about the identity inside
// an envelope, otherwise ErrNoMatch or a *wire.DecodeError. As in the reference only
// the enrolment id counts: an owner's identities share it. It is not empty.
func Match(raw, encoded []byte) error {
	_, err := match(raw, encoded)
	return err
}

// match is Match, and returns the certificate.
func match(raw, encoded []byte) (*x509.Certificate, error) {
	var claimed AuditInfo
	if err := json.Unmarshal(encoded, &claimed); err != nil {
		return nil, wire.Name("x509 audit information").Bad("JSON", wire.ErrMalformed)
	}
	c, err := certificate(raw)
	if err != nil {
		return nil, err
	}
	if claimed.EID == "" || claimed.EID != auditInfo(c).EID {
		return nil, ErrNoMatch
	}
	return c, nil
}

// MatchUnder returns Match for identities with a certificate that has a chain,
// valid now, to one of roots. The error for others is ErrUntrusted. Match alone
// takes the self-asserted name of a certificate.
func MatchUnder(roots *x509.CertPool) func(raw, encoded []byte) error {
	o := x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}
	return func(raw, encoded []byte) error {
		c, err := match(raw, encoded)
		if err != nil {
			return err
		}
		if _, err := c.Verify(o); err != nil {
			return ErrUntrusted
		}
		return nil
	}
}

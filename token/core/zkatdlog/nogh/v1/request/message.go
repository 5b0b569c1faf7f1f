package request

import (
	"errors"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

// MaxAnchor is the length of the longest anchor in bytes.
const MaxAnchor = 128

// ErrAnchor reports an empty anchor, or one longer than MaxAnchor.
var ErrAnchor = errors.New("anchor is empty or too long")

// CheckAnchor returns ErrAnchor if the anchor is empty or too long.
func CheckAnchor(anchor string) error {
	if len(anchor) == 0 || len(anchor) > MaxAnchor {
		return ErrAnchor
	}
	return nil
}

// Message returns the message that owners, issuers and auditors sign for the
// actions under an anchor, the transaction id:
//
//	Req ::= SEQUENCE { actions SEQUENCE OF SEQUENCE { type INTEGER, raw OCTET STRING } }
//	Msg ::= SEQUENCE { request OCTET STRING (DER of Req), anchor OCTET STRING }
//
// The type is 0 for an issue and 1 for a transfer: one less than on the wire.
func (r *Request) Message(anchor string) ([]byte, error) {
	if err := CheckAnchor(anchor); err != nil {
		return nil, err
	}
	size := len(anchor) + 40 // with the longest headers
	for _, a := range r.Actions {
		size += len(a.Raw) + 20
	}
	b := cryptobyte.NewBuilder(make([]byte, 0, size))
	b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
		b.AddASN1(asn1.OCTET_STRING, r.addActions)
		b.AddASN1OctetString([]byte(anchor))
	})
	return b.Bytes()
}

func (r *Request) addActions(b *cryptobyte.Builder) {
	b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
		b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
			for _, a := range r.Actions {
				b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
					b.AddASN1Int64(int64(a.Kind) - int64(Issue))
					b.AddASN1OctetString(a.Raw)
				})
			}
		})
	})
}

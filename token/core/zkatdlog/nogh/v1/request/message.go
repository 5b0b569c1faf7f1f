package request

import (
	"errors"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
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
		size += wire.TypedLen(len(a.Raw))
	}
	b := make([]byte, 0, size)
	for _, a := range r.Actions {
		b = wire.AppendTyped(b, int(a.Kind-Issue), a.Raw)
	}
	b = wire.Wrap(b, 0, wire.TagSequence, wire.TagSequence, wire.TagOctetString)
	return wire.Wrap(wire.AppendOctets(b, anchor), 0, wire.TagSequence), nil
}

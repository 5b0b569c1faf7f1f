package request

import (
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Message returns the message that owners, issuers and auditors sign for the
// actions under an anchor, the transaction id:
//
//	Req ::= SEQUENCE { actions SEQUENCE OF SEQUENCE { type INTEGER, raw OCTET STRING } }
//	Msg ::= SEQUENCE { request OCTET STRING (DER of Req), anchor OCTET STRING }
//
// The type is 0 for an issue and 1 for a transfer: one less than on the wire. The
// error is ErrAnchor if the anchor is empty or longer than MaxAnchor. Message takes all
// other anchors, as the reference does.
func (r *Request) Message(anchor string) ([]byte, error) {
	if err := checkLen(anchor); err != nil {
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

package hashed

import (
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
)

// Lengths of the longest Idemix signatures in bytes, on either curve. An owner of type
// 3 signs with a presentation.
const (
	longestIdemix    = 152
	longestIdemixNym = 1800
)

// Longest returns the length of the longest signature that shows an inner identity, as
// if all members signed. The identity has at most depth identities with members one inside
// another, each with at most so many members. An error says that the identity cannot own tokens by hash:
// it or a member cannot be read, is of a type that cannot, is repeated or nests too deep, or
// there are too many. Idemix identities are not read.
func Longest(inner []byte, depth, members int) (int, error) {
	raw, err := longest(inner, depth, members)
	if err == nil {
		raw, err = Signature{Opening: Opening{Inner: inner}, Raw: raw}.Encode()
	}
	return len(raw), err
}

// longest returns bytes of the length of the longest signature of an identity.
func longest(id []byte, depth, most int) ([]byte, error) {
	typed, err := decodeInner(id)
	if err != nil {
		return nil, err
	}
	var members [][]byte
	switch kind := typed.Type; {
	case kind == identity.X509:
		n, err := x509.SignatureLen(typed.Raw)
		return make([]byte, n), err
	case kind == identity.Idemix:
		return make([]byte, longestIdemix), nil
	case kind == identity.IdemixNym:
		return make([]byte, longestIdemixNym), nil
	case depth == 0:
		return nil, ErrDepth
	case kind == identity.Multisig:
		members, err = multisig.Members(typed.Raw)
	default:
		var p policy.Policy
		p, err = policy.Read(typed.Raw)
		members = p.Members
	}
	if err == nil && len(members) > most {
		err = ErrMembers
	}
	if err != nil {
		return nil, err
	}
	signatures := make([][]byte, len(members))
	for i, m := range members {
		signatures[i], err = longest(m, depth-1, most)
		if err != nil {
			return nil, err
		}
	}
	return multisig.Join(signatures...), identity.Distinct(members)
}

package audit

import (
	"cmp"
	"encoding/json"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// membersInfo is the audit information of a multisig or policy owner in JSON: that
// of each member, in order.
type membersInfo struct {
	IdentityAuditInfos []memberInfo
}

type memberInfo struct{ AuditInfo []byte }

// scriptInfo is the audit information of a hash-time-locked owner in JSON.
type scriptInfo struct{ Sender, Recipient []byte }

const whatInfo wire.Name = "audit information"

// parties returns the identities that a typed identity is made of: sender and
// recipient of a script, the members of several, nil for a plain one.
func parties(id []byte) (t identity.Typed, all [][]byte, err error) {
	t, err = identity.Decode(id)
	if err != nil {
		return t, nil, err
	}
	switch t.Type {
	case identity.HTLC:
		s, err := htlc.Decode(t.Raw)
		return t, [][]byte{s.Sender, s.Recipient}, err
	case identity.Multisig:
		all, err = multisig.Members(t.Raw)
	case identity.Policy:
		p, err := policy.Decode(t.Raw)
		if err == nil && len(p.Members) == 0 {
			err = wire.Name("policy identity").Bad("members", wire.ErrMissing)
		}
		return t, p.Members, err
	}
	return t, all, err
}

// Receivers returns the receivers of a token: the recipient of a script, all
// members of an owner with several, and otherwise the owner. Errors are
// *wire.DecodeError.
func Receivers(owner []byte) ([][]byte, error) {
	typed, all, err := parties(owner)
	switch {
	case err != nil:
		return nil, err
	case all == nil:
		return [][]byte{owner}, nil
	case typed.Type == identity.HTLC:
		return all[1:], nil
	}
	return all, nil
}

// Info returns the audit information of an identity, in the format of the
// reference. It calls plain for each identity without parties. The error is
// request.ErrResources if parties nest too deep or are too many.
func Info(id []byte, plain func(id []byte) ([]byte, error)) ([]byte, error) {
	return info(id, plain, 0)
}

// info is Info of an identity inside of depth others.
func info(id []byte, plain func(id []byte) ([]byte, error), depth int) ([]byte, error) {
	typed, all, err := parties(id)
	switch {
	case err != nil:
		return nil, err
	case all == nil:
		return plain(id)
	}
	if err := limited(depth, len(all)); err != nil {
		return nil, err
	}
	infos := make([][]byte, len(all))
	for i, party := range all {
		infos[i], err = info(party, plain, depth+1)
		if err != nil {
			return nil, err
		}
	}
	return encodeInfos(typed.Type, infos)
}

// limited checks an identity of so many parties inside of depth others. Auditors and
// wallets of the reference keep the defaults.
func limited(depth, parties int) error {
	return cmp.Or(request.DefaultResources.CheckDepth(depth+1),
		request.DefaultResources.CheckComponents(parties))
}

// encodeInfos returns the audit information of an identity with parties.
func encodeInfos(t identity.Type, infos [][]byte) ([]byte, error) {
	if t == identity.HTLC {
		return json.Marshal(scriptInfo{Sender: infos[0], Recipient: infos[1]})
	}
	all := membersInfo{}
	for _, i := range infos {
		all.IdentityAuditInfos = append(all.IdentityAuditInfos, memberInfo{i})
	}
	return json.Marshal(all)
}

// decodeInfos reads the audit information of an identity with n parties. Errors
// are *wire.DecodeError.
func decodeInfos(t identity.Type, encoded []byte, n int) ([][]byte, error) {
	if t == identity.HTLC {
		var s scriptInfo
		if err := wire.ExactJSON(encoded, &s); err != nil {
			return nil, whatInfo.Bad("JSON", err)
		}
		return [][]byte{s.Sender, s.Recipient}, nil
	}
	var all membersInfo
	if err := wire.ExactJSON(encoded, &all); err != nil {
		return nil, whatInfo.Bad("JSON", err)
	}
	if len(all.IdentityAuditInfos) != n {
		return nil, whatInfo.Bad("members", wire.ErrCount)
	}
	infos := make([][]byte, n)
	for i, m := range all.IdentityAuditInfos {
		infos[i] = m.AuditInfo
	}
	return infos, nil
}

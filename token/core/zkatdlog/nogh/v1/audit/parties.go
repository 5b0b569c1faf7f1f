package audit

import (
	"bytes"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// maxParties bounds the parties of one identity.
const maxParties = 64

// owner checks who owns an output, and who receives it: the owner itself, of a
// script the recipient, of several identities all.
func (c *check) owner(out token.Token, md request.OutputMetadata) error {
	if out.IsRedeemed() {
		for _, r := range md.Receivers {
			if len(r.Identity) > 0 {
				return fmt.Errorf("receiver: %w", ErrParty)
			}
		}
		return nil
	}
	if err := c.match(out.Owner, md.AuditInfo); err != nil {
		return fmt.Errorf("owner: %w", err)
	}
	receivers, err := receivers(out.Owner)
	if err != nil {
		return err
	}
	if len(md.Receivers) != len(receivers) {
		return fmt.Errorf("receivers: %w", ErrParty)
	}
	for i, r := range md.Receivers {
		if !bytes.Equal(r.Identity, receivers[i]) {
			return fmt.Errorf("receiver %d: %w", i, ErrParty)
		}
		if err := c.match(r.Identity, r.AuditInfo); err != nil {
			return fmt.Errorf("receiver %d: %w", i, err)
		}
	}
	return nil
}

// parties returns the identities that an identity is made of: sender and
// recipient of a script, the members of several, nil for a plain one.
func parties(t identity.Typed) ([][]byte, error) {
	switch t.Type {
	case identity.HTLC:
		s, err := htlc.Decode(t.Raw)
		return [][]byte{s.Sender, s.Recipient}, err
	case identity.Multisig:
		return multisig.Members(t.Raw)
	case identity.Policy:
		p, err := policy.Decode(t.Raw)
		return p.Members, err
	}
	return nil, nil
}

func receivers(owner []byte) ([][]byte, error) {
	typed, err := identity.Decode(owner)
	if err != nil {
		return nil, err
	}
	all, err := parties(typed)
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

// match checks audit information of a typed identity. The audit information of an
// identity with members is the container of the members' audit information, in
// order. This format is ours; the specification defines no other. Identities with
// members do not nest here.
func (c *check) match(id, info []byte) error {
	typed, err := identity.Decode(id)
	if err != nil {
		return err
	}
	all, err := parties(typed)
	if err != nil {
		return err
	}
	if all == nil {
		return c.matchPlain(typed, info)
	}
	infos, err := wire.Container("audit information", info, len(all), min(len(all), maxParties))
	if err != nil {
		return err
	}
	for i, party := range all {
		typed, err := identity.Decode(party)
		if err == nil {
			err = c.matchPlain(typed, infos[i])
		}
		if err != nil {
			return fmt.Errorf("party %d: %w", i, err)
		}
	}
	return nil
}

func (c *check) matchPlain(t identity.Typed, info []byte) error {
	if c.left.parties--; c.left.parties < 0 {
		return ErrMany
	}
	matcher, ok := c.o.Matchers[t.Type]
	if !ok {
		return fmt.Errorf("%s: %w", t.Type, identity.ErrUnknownType)
	}
	return matcher(t.Raw, info)
}

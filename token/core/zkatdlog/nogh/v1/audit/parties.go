package audit

import (
	"bytes"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// owner checks who owns an output, and who receives it: the owner itself, of a
// script the recipient, of several identities all.
func (c *check) owner(out token.Token, md request.OutputMetadata) error {
	if out.IsRedeemed() {
		for _, r := range md.Receivers {
			if len(r.Identity) > 0 {
				return fmt.Errorf("receiver: %w", ErrParty)
			}
		}
		c.out.Receivers = append(c.out.Receivers, nil)
		return nil
	}
	owner, info, err := c.shown(out, md.AuditInfo)
	if err != nil {
		return fmt.Errorf("owner: %w", err)
	}
	if err := c.match("owner", owner, info); err != nil {
		return err
	}
	c.out.Receivers = append(c.out.Receivers, owner)
	receivers, err := Receivers(owner)
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
		match := func() error { return c.matchNested(r.Identity, r.AuditInfo, 0) }
		if err := c.item("receiver", i, match); err != nil {
			return err
		}
	}
	return nil
}

// shown returns the owner of a token and its audit information: of an owner by hash the
// inner ones.
func (c *check) shown(t token.Token, encoded []byte) (owner, info []byte, err error) {
	typed, err := identity.Decode(t.Owner)
	if err != nil || typed.Type != identity.Hashed || !t.V2 || c.o.Follow != request.Strict {
		return t.Owner, encoded, err
	}
	digest, err := c.params.OwnerDigest()
	if err != nil {
		return nil, nil, err
	}
	read, err := hashed.OpenInfo(digest, typed.Raw, encoded)
	return read.Inner, read.Info, err
}

// match checks audit information of a typed identity, the part name of an action. For an
// identity of several parties it checks the information of each party.
func (c *check) match(name string, id, info []byte) error {
	return c.part(name, func() error { return c.matchNested(id, info, 0) })
}

// matchNested is match of an identity inside of depth others.
func (c *check) matchNested(id, info []byte, depth int) error {
	typed, all, err := parties(id)
	switch {
	case err != nil:
		return err
	case all == nil:
		return c.matchPlain(typed, info)
	case c.o.Follow.LimitsIdentities():
		err = limited(depth, len(all))
	case depth == identity.MaxDepth:
		err = identity.ErrDepth
	}
	if err != nil {
		return err
	}
	if c.o.Follow == request.Strict && typed.Type == identity.Policy {
		if _, err := policy.Read(typed.Raw); err != nil {
			return err
		}
	}
	if typed.Type != identity.HTLC && c.o.Follow != request.V0_14 {
		if err := identity.Distinct(all); err != nil {
			return err
		}
	}
	infos, err := decodeInfos(typed.Type, info, len(all))
	if err != nil {
		return err
	}
	for i, party := range all {
		if err := c.item("party", i, func() error {
			return c.matchNested(party, infos[i], depth+1)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) matchPlain(t identity.Typed, info []byte) error {
	c.left.parties--
	if c.left.parties < 0 {
		return ErrMany
	}
	matcher, ok := c.o.Matchers[t.Type]
	if !ok {
		return fmt.Errorf("%s: %w", t.Type, identity.ErrUnknownType)
	}
	for _, m := range c.left.matched {
		if m.kind == t.Type && bytes.Equal(m.raw, t.Raw) && bytes.Equal(m.info, info) {
			return nil
		}
	}
	task, err := matcher(t.Raw, info)
	if err != nil {
		return err
	}
	if task != nil {
		c.later.add(putOff{match: task})
	}
	if len(c.left.matched) == cap(c.left.matched) {
		c.left.matched = c.left.matched[:0]
	}
	c.left.matched = append(c.left.matched, matched{t.Type, t.Raw, info})
	return nil
}

// matched is a party with right audit information, or with information checked later. The owner of
// an output is its receiver too, and often the owner of other outputs.
type matched struct {
	kind      identity.Type
	raw, info []byte
}

// mostMatched bounds the parties of a request that are remembered.
const mostMatched = 16

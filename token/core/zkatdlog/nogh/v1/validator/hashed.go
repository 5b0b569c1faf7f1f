package validator

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

// hashAllowed reports whether tokens of v2 may have owners by hash. No version of the
// reference knows them.
func (c *check) hashAllowed() bool {
	return c.params.Protocols().HashedOwners && c.o.Follow == request.Strict
}

// showOwners replaces each owner by hash and its signature by the owner that the
// signature shows and the signature of that one, so that all later checks see these
// alone.
func (c *check) showOwners() error {
	if !c.hashAllowed() {
		return nil
	}
	digest, err := c.params.OwnerDigest()
	if err != nil {
		return err
	}
	return c.part(hashingPart, func() error {
		var shown hashed.Shown
		for i := range c.needed {
			n := &c.needed[i]
			typed, err := identity.Decode(n.signer)
			if err != nil || !n.hashed || typed.Type != identity.Hashed { // one that cannot be read as well
				continue // to the verifier of its type
			}
			n.signer, n.raw, err = shown.Open(digest, typed.Raw, n.raw)
			if err != nil {
				return refused("hashed owners", n.action, fmt.Errorf("%s: %w", n.role, err))
			}
		}
		return nil
	})
}

package v1

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// showing signs for the inner identity of an owner by hash.
type showing struct {
	identity.Signer
	owner hashed.Opening
}

// keep keeps the opening of an owner by hash.
func (p *Part) keep(owner []byte, o hashed.Opening) {
	if p.Owners == nil {
		p.Owners = map[string]hashed.Opening{}
	}
	p.Owners[string(owner)] = o
}

// hash replaces the owners of a draft's outputs, which are the tokens received with an
// owner, by their hashes, and keeps the openings. It refuses an owner that could not spend.
func (s Service) hash(p *Part, d *proof.Draft, receive []token.Receive, outputs []token.Token) error {
	digest, err := s.Params.OwnerDigest()
	if err != nil {
		return err
	}
	next := 0
	for i, r := range receive {
		if len(r.Owner) == 0 { // redeemed in the clear
			continue
		}
		if err := s.showable(r.Owner); err != nil {
			return fmt.Errorf("owner of output %d: %w", i, err)
		}
		o, err := hashed.New(d.Salt(next), r.Owner)
		if err != nil {
			return err
		}
		outputs[next].Owner = o.Owner(digest)
		p.keep(outputs[next].Owner, o)
		next++
	}
	return nil
}

// showable checks that an owner by hash can sign within the resource limits.
func (s Service) showable(inner []byte) error {
	r := s.Resources.WithDefaults()
	n, err := hashed.Longest(inner, r.MaxIdentityDepth, r.MaxIdentityComponents)
	if err != nil {
		return err
	}
	if most := r.MaxSignatureBytes; n > most {
		return fmt.Errorf("%w: maxSignatureBytes is %d, the signature of this owner has up to %d",
			request.ErrResources, most, n)
	}
	return nil
}

// owner returns an owner with its audit information. inner is the inner owner of an
// owner by hash, and otherwise the same.
func (s Service) owner(p *Part, id []byte) (owner, inner request.Party, err error) {
	o, byHash := p.Owners[string(id)]
	if !byHash {
		owner, err = s.party(id)
		return owner, owner, err
	}
	inner, err = s.party(o.Inner)
	if err != nil {
		return owner, inner, err
	}
	owner.Identity = id
	owner.AuditInfo, err = hashed.Info{Opening: o, Info: inner.AuditInfo}.Encode()
	return owner, inner, err
}

// Receive returns a token of the ledger with its openings, which it reads from the
// metadata of the output, or an error if the token could not be spent with them. The
// caller checks that the owner is its own: Owner.Inner of an owner by hash, otherwise
// Token.Owner.
func (s Service) Receive(raw []byte, md request.OutputMetadata) (h Held, err error) {
	if err := s.Params.Check(); err != nil {
		return Held{}, err
	}
	g := s.Params.Group()
	h.Token, err = token.Decode(g, raw)
	if err != nil {
		return Held{}, err
	}
	h.Opening, err = token.DecodeOpening(g, md.Opening)
	if err != nil {
		return Held{}, err
	}
	if err := h.Opening.Open(s.Params.Pedersen(), h.Token); err != nil {
		return Held{}, err
	}
	if v, err := h.Opening.Uint64(g); err != nil {
		return Held{}, err
	} else if v > s.Params.MaxValue() {
		return Held{}, token.ErrRange
	}
	h.Owner, err = s.ownerOpening(h.Token, md.AuditInfo)
	if err != nil {
		return Held{}, err
	}
	return h, nil
}

// ownerOpening returns the checked opening of an owner by hash from its audit
// information, and the zero value for other owners.
func (s Service) ownerOpening(t token.Token, info []byte) (hashed.Opening, error) {
	typed, err := identity.Decode(t.Owner)
	if err != nil || typed.Type != identity.Hashed {
		return hashed.Opening{}, err
	}
	if !t.V2 {
		return hashed.Opening{}, fmt.Errorf("token of v1: %s: %w", typed.Type, identity.ErrUnknownType)
	}
	digest, err := s.Params.OwnerDigest()
	if err != nil {
		return hashed.Opening{}, err
	}
	read, err := hashed.OpenInfo(digest, typed.Raw, info)
	if err != nil {
		return hashed.Opening{}, err
	}
	return read.Opening, s.showable(read.Inner)
}

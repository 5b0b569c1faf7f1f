package validator

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

// signature is a required signature. action is -1 for the signature of an
// auditor.
type signature struct {
	action int
	role   string // "owner of input 3"
	signer []byte
	raw    []byte
	hashed bool          // the signer may be an owner by hash
	proof  identity.Task // for the owner of a new token: a proof instead of a signature
}

// auditors verifies the signatures of auditors before any expensive decoding.
func (c *check) auditors() error {
	needed, others, err := c.ofAuditors()
	if err != nil {
		return err
	}
	c.own = others
	return c.verify(needed)
}

// assign assigns the other signatures of the list to the required signers. In
// the order of all versions these are the issuers of issues, then for each
// transfer the owners of its inputs and, if it redeems, its issuer.
func (c *check) assign() error {
	c.needed = make([]signature, 0, len(c.own))
	for _, kind := range []request.Kind{request.Issue, request.Transfer} {
		for _, a := range c.actions {
			if c.request.Actions[a.index].Kind == kind {
				a.requireSigners(c, a.index)
			}
		}
	}
	if !c.inOrder() && c.tolerates(AnyOrder) {
		return c.route(c.own)
	}
	return c.fill(c.own)
}

// inOrder reports whether the action ids of the list are the actions of the
// required signatures, in their order.
func (c *check) inOrder() bool {
	return slices.EqualFunc(c.needed, c.own, func(n signature, s request.Signature) bool {
		return int64(n.action) == int64(s.ActionID)
	})
}

// ofAuditors separates the signatures of auditors from the others.
func (c *check) ofAuditors() (needed []signature, others []request.Signature, err error) {
	listedAuditors := c.params.Auditors()
	others = make([]request.Signature, 0, len(c.request.Signatures))
	for _, s := range c.request.Signatures {
		switch {
		case s.Auditor == nil:
			others = append(others, s)
			continue
		case !listed(listedAuditors, s.Auditor):
			return nil, nil, ErrNotAuditor
		case slices.ContainsFunc(needed, func(n signature) bool {
			return bytes.Equal(n.signer, s.Auditor)
		}) && !c.tolerates(RepeatedAuditors):
			return nil, nil, ErrExtra
		}
		needed = append(needed, signature{action: noAction, role: "auditor", signer: s.Auditor, raw: s.Raw})
	}
	if len(listedAuditors) > 0 && len(needed) == 0 {
		return nil, nil, ErrNoAuditor
	}
	return needed, others, nil
}

// require requires a signature. byHash says that the signer may be an owner by hash.
func (c *check) require(action int, role string, signer []byte, byHash bool) {
	c.needed = append(c.needed, signature{action: action, role: role, signer: signer, hashed: byHash})
}

// fill assigns the signatures of actions in the order of the list. Their action
// ids must be the indices of their actions.
func (c *check) fill(list []request.Signature) error {
	for i := range c.needed {
		n := &c.needed[i]
		if len(list) == 0 {
			return n.missing()
		}
		if int64(list[0].ActionID) != int64(n.action) && !c.tolerates(AnyActionID) {
			return refused("signature list", n.action, fmt.Errorf("%s: %w", n.role, ErrActionID))
		}
		n.raw, list = list[0].Raw, list[1:]
	}
	if len(list) > 0 && !c.tolerates(ExtraSignatures) {
		return ErrExtra
	}
	return nil
}

// route assigns the signatures of actions by their action ids. The signatures of
// one action are in the order of its signers.
func (c *check) route(list []request.Signature) error {
	queues := make([][][]byte, len(c.request.Actions))
	for _, s := range list {
		if uint64(s.ActionID) >= uint64(len(queues)) {
			return ErrActionID
		}
		queues[s.ActionID] = append(queues[s.ActionID], s.Raw)
	}
	for i := range c.needed {
		n := &c.needed[i]
		queue := queues[n.action]
		if len(queue) == 0 {
			return n.missing()
		}
		n.raw, queues[n.action] = queue[0], queue[1:]
	}
	for i, queue := range queues {
		if len(queue) > 0 {
			return refused("signature list", i, ErrExtra)
		}
	}
	return nil
}

// missing returns the refusal of a request without the signature.
func (s signature) missing() error {
	return refused("signature list", s.action, fmt.Errorf("%s: %w", s.role, ErrMissing))
}

// signatures verifies the signatures of owners and issuers, and the proofs of new
// owners.
func (c *check) signatures() error { return c.verify(append(c.needed, c.opened...)) }

// verify verifies signatures together, after the cheap checks of all.
func (c *check) verify(list []signature) error {
	return c.part(signaturePart, func() error {
		named := func(i int, err error) error { return list[i].refused(err) }
		task, err := identity.BeginAll(len(list), named, func(i int) (identity.Task, error) {
			return c.begin(list[i])
		})
		if err != nil || task == nil {
			return err
		}
		return task.Do(c.round)
	})
}

// begin begins the verification of a signature.
func (c *check) begin(s signature) (identity.Task, error) {
	if s.proof != nil {
		return s.proof, nil
	}
	var v identity.Verifier
	err := c.part(certificatePart, func() (err error) {
		v, err = c.verifier(s.signer)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v.Begin(c.message, s.raw)
}

// verifier returns the verifier of a signer.
func (c *check) verifier(signer []byte) (identity.Verifier, error) {
	typed, err := identity.Decode(signer)
	switch typed.Type {
	case identity.HTLC, identity.Multisig, identity.Policy:
		if c.signers == nil {
			c.signers = composites{
				check: c, now: c.now, plain: c.left.limited(c.o.Identities), nested: c.nested,
				rule: c.distinct,
			}.registry(0)
		}
		return c.signers.Verifier(signer)
	}
	if open, ok := c.o.Identities[typed.Type]; ok && err == nil {
		return c.left.open(open, typed.Raw)
	}
	return c.o.Identities.Verifier(signer) // an error
}

// refused names the action and role of a rejected signature.
func (s signature) refused(err error) error {
	return refused("signatures", s.action, fmt.Errorf("%s: %w", s.role, err))
}

// budget is the rest of a limit on the total cost of identities.
type budget int

func (b *budget) spend(cost int) error {
	*b -= budget(cost)
	if *b < 0 {
		return ErrManySigners
	}
	return nil
}

// open opens an identity, which costs one unit, and the rest when it is verified.
func (b *budget) open(open opener, raw []byte) (identity.Verifier, error) {
	if err := b.spend(1); err != nil {
		return nil, err
	}
	v, err := open(raw)
	if c, ok := v.(identity.Costly); ok && err == nil && c.Cost() > 1 {
		v = charged{v, b, c.Cost() - 1}
	}
	return v, err
}

// limited returns r with a limit on the total cost of its identities. All
// identities of one validation share the limit.
func (b *budget) limited(r identity.Registry) identity.Registry {
	bounded := make(identity.Registry, len(r))
	for t, open := range r {
		bounded[t] = func(raw []byte) (identity.Verifier, error) { return b.open(open, raw) }
	}
	return bounded
}

// charged is a verifier that costs more when it verifies.
type charged struct {
	identity.Verifier
	b    *budget
	cost int
}

// Begin implements identity.Verifier.
func (v charged) Begin(message identity.Message, signature []byte) (identity.Task, error) {
	if err := v.b.spend(v.cost); err != nil {
		return nil, err
	}
	return v.Verifier.Begin(message, signature)
}

// BeginOpen implements identity.Openable.
func (v charged) BeginOpen() (identity.Task, error) {
	o, ok := v.Verifier.(identity.Openable)
	if !ok {
		return nil, nil
	}
	if err := v.b.spend(v.cost); err != nil {
		return nil, err
	}
	return o.BeginOpen()
}

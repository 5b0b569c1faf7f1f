package v1

import (
	"fmt"
	"io"
	"maps"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// Assembly is a request with the information for its auditor.
type Assembly struct {
	Anchor   string
	Request  *request.Request
	Metadata *request.Metadata
	Inputs   map[token.ID]token.Clear // of all transfers
	parts    []*Part
	message  []byte
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Assembly) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "request with metadata") }

// Assemble combines parts into one request under an anchor, the transaction id,
// and makes the proofs of v2 actions, which are valid in this place only.
// The error is of request.CheckAnchor, or request.ErrResources if the request is beyond the
// resource limits of its parts. It never panics.
func Assemble(anchor string, parts ...*Part) (a *Assembly, err error) {
	err = executor.Guard(func() (err error) {
		a, err = assemble(anchor, parts)
		return err
	})
	return a, err
}

// assemble proves the parts that are drafts, and joins all to a request with its metadata and
// the message to sign.
func assemble(anchor string, parts []*Part) (*Assembly, error) {
	a := &Assembly{
		Anchor: anchor, Request: &request.Request{}, Metadata: &request.Metadata{},
		Inputs: map[token.ID]token.Clear{}, parts: parts,
	}
	if err := request.CheckAnchor(anchor); err != nil {
		return nil, err
	}
	for i, p := range parts {
		action := p.Action
		if action.Raw == nil && p.draft != nil {
			if err := p.draft.Prove(proof.Place{Anchor: anchor, Index: i}); err != nil {
				return nil, err
			}
			action.Raw = p.draft.Encode()
		}
		md := p.Metadata
		md.ActionID = uint32(i)
		a.Request.Actions = append(a.Request.Actions, action)
		a.Metadata.Actions = append(a.Metadata.Actions, md)
		maps.Copy(a.Inputs, p.Inputs)
	}
	var err error
	a.message, err = a.Request.Message(anchor)
	if err != nil {
		return nil, err
	}
	return a, a.within()
}

// within checks the resource limits of the parts.
func (a *Assembly) within() error {
	size := len(a.Request.Encode())
	for _, p := range a.parts {
		if err := p.Resources.WithDefaults().CheckRequest(size, a.Request); err != nil {
			return err
		}
	}
	return nil
}

// Message returns the message that all parties sign. The caller must not change
// it.
func (a *Assembly) Message() []byte { return a.message }

// Sign signs for all owners and issuers, issues first, in the order that
// the validator checks the signatures. It never panics.
func (a *Assembly) Sign() error {
	return executor.Guard(func() error {
		var shown hashed.Shown
		for _, kind := range []request.Kind{request.Issue, request.Transfer} {
			for i, p := range a.parts {
				if p.Action.Kind != kind {
					continue
				}
				if err := a.signPart(&shown, uint32(i), p); err != nil {
					return err
				}
			}
		}
		return a.within()
	})
}

func (a *Assembly) signPart(shown *hashed.Shown, index uint32, p *Part) (err error) {
	for _, signer := range p.Signers {
		var raw []byte
		if byHash, ok := signer.(showing); ok {
			raw, err = shown.Sign(byHash.owner, byHash.Signer, a.message)
		} else {
			raw, err = signer.Sign(a.message)
		}
		if err != nil {
			return err
		}
		a.Request.Signatures = append(a.Request.Signatures, request.Signature{ActionID: index, Raw: raw})
	}
	return nil
}

// Endorse lets an auditor check the request, and inserts its signature before
// the signatures of the actions.
func (a *Assembly) Endorse(auditor *audit.Auditor, signer identity.Signer) error {
	s, err := auditor.Endorse(a.AuditRequest(), signer)
	if err != nil {
		return err
	}
	a.Request.Signatures = append([]request.Signature{s}, a.Request.Signatures...)
	return a.within()
}

// AuditRequest returns the request as presented to an auditor.
func (a *Assembly) AuditRequest() audit.Request {
	return audit.Request{Anchor: a.Anchor, Raw: a.Request.Encode(), Metadata: a.Metadata.Encode(),
		Inputs: a.Inputs}
}

package v1

import (
	"maps"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// Assembly is a request with what its auditor is shown.
type Assembly struct {
	Anchor   string
	Request  *request.Request
	Metadata *request.Metadata
	Inputs   map[token.ID]token.Clear // of all transfers
	parts    []*Part
	message  []byte
}

// Assemble puts parts into one request under an anchor, the transaction id.
// request.ErrAnchor if that is empty or too long.
func Assemble(anchor string, parts ...*Part) (*Assembly, error) {
	a := &Assembly{
		Anchor: anchor, Request: &request.Request{}, Metadata: &request.Metadata{},
		Inputs: map[token.ID]token.Clear{}, parts: parts,
	}
	for i, p := range parts {
		md := p.Metadata
		md.ActionID = uint32(i)
		a.Request.Actions = append(a.Request.Actions, p.Action)
		a.Metadata.Actions = append(a.Metadata.Actions, md)
		maps.Copy(a.Inputs, p.Inputs)
	}
	var err error
	a.message, err = a.Request.Message(anchor)
	return a, err
}

// Message is what everybody signs. The caller does not change it.
func (a *Assembly) Message() []byte { return a.message }

// Sign lets all owners and issuers sign, issues first, as the validator
// consumes the signatures. It never panics.
func (a *Assembly) Sign() error {
	return executor.Guard(func() error {
		for _, kind := range []request.Kind{request.Issue, request.Transfer} {
			for i, p := range a.parts {
				if p.Action.Kind != kind {
					continue
				}
				if err := a.signPart(uint32(i), p); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (a *Assembly) signPart(index uint32, p *Part) error {
	for _, signer := range p.Signers {
		raw, err := signer.Sign(a.message)
		if err != nil {
			return err
		}
		a.Request.Signatures = append(a.Request.Signatures, request.Signature{ActionID: index, Raw: raw})
	}
	return nil
}

// Endorse lets an auditor look at the request, and puts its signature before
// those of the actions.
func (a *Assembly) Endorse(auditor *audit.Auditor, signer identity.Signer) error {
	s, err := auditor.Endorse(a.AuditRequest(), signer)
	if err != nil {
		return err
	}
	a.Request.Signatures = append([]request.Signature{s}, a.Request.Signatures...)
	return nil
}

// AuditRequest is what an auditor is asked about.
func (a *Assembly) AuditRequest() audit.Request {
	return audit.Request{Anchor: a.Anchor, Raw: a.Request.Encode(), Metadata: a.Metadata.Encode(), Inputs: a.Inputs}
}

package v1

import (
	"bytes"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
)

func (s Service) transferMetadata(a *transfer.Action, p *Part) (md request.ActionMetadata, err error) {
	md = request.ActionMetadata{Kind: request.Transfer, Inputs: make([]request.InputMetadata, len(a.Inputs))}
	for i, in := range a.Inputs {
		sender, _, err := s.owner(p, in.Token.Owner)
		if err != nil {
			return md, fmt.Errorf("owner of input %d: %w", i, err)
		}
		md.Inputs[i] = request.InputMetadata{ID: in.ID, Senders: []request.Party{sender}}
	}
	if len(a.Issuer) > 0 { // without audit information, in the format of the reference
		md.Issuer = &request.Party{Identity: a.Issuer}
	}
	md.Outputs, err = s.outputs(a.Outputs, p)
	return md, err
}

func (s Service) issueMetadata(a *issue.Action, p *Part) (md request.ActionMetadata, err error) {
	issuer, err := s.party(a.Issuer)
	if err != nil {
		return md, err
	}
	md = request.ActionMetadata{Kind: request.Issue, Issuer: &issuer}
	md.Outputs, err = s.outputs(a.Outputs, p)
	return md, err
}

// outputs returns the opening and the receivers of each output; a redeemed
// output has a receiver without identity, in the format of the reference.
func (s Service) outputs(outputs []token.Token, p *Part) ([]request.OutputMetadata, error) {
	mds := make([]request.OutputMetadata, len(outputs))
	for j, out := range outputs {
		mds[j] = request.OutputMetadata{Opening: p.Openings[j].Encode(s.Params.Group()),
			Receivers: []request.Party{{}}}
		if out.IsRedeemed() {
			continue
		}
		owner, inner, err := s.owner(p, out.Owner)
		if err != nil {
			return nil, fmt.Errorf("owner of output %d: %w", j, err)
		}
		mds[j].AuditInfo = owner.AuditInfo
		mds[j].Receivers, err = s.receivers(inner)
		if err != nil {
			return nil, fmt.Errorf("owner of output %d: %w", j, err)
		}
	}
	return mds, nil
}

// receivers returns who receives a token: the owner, all members of an owner with
// several, the recipient of a script.
func (s Service) receivers(owner request.Party) ([]request.Party, error) {
	ids, err := audit.Receivers(owner.Identity)
	if err != nil {
		return nil, err
	}
	if len(ids) == 1 && bytes.Equal(ids[0], owner.Identity) {
		return []request.Party{owner}, nil
	}
	all := make([]request.Party, len(ids))
	for i, id := range ids {
		all[i], err = s.party(id)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// party returns an identity with its audit information, which is made of the information
// of its parties if it has several.
func (s Service) party(id []byte) (request.Party, error) {
	info, err := audit.Info(id, s.Party.AuditInfo)
	return request.Party{Identity: id, AuditInfo: info}, err
}

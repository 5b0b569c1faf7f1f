package v1

import (
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
)

func (s Service) transferMetadata(a *transfer.Action, openings []token.Opening) (md request.ActionMetadata, err error) {
	md = request.ActionMetadata{Kind: request.Transfer, Inputs: make([]request.InputMetadata, len(a.Inputs))}
	for i, in := range a.Inputs {
		sender, err := s.party(in.Token.Owner)
		if err != nil {
			return md, err
		}
		md.Inputs[i] = request.InputMetadata{ID: in.ID, Senders: []request.Party{sender}}
	}
	if len(a.Issuer) > 0 { // without audit information, in the format of the reference
		md.Issuer = &request.Party{Identity: a.Issuer}
	}
	md.Outputs, err = s.outputs(a.Outputs, openings)
	return md, err
}

func (s Service) issueMetadata(a *issue.Action, openings []token.Opening) (md request.ActionMetadata, err error) {
	issuer, err := s.party(a.Issuer)
	if err != nil {
		return md, err
	}
	md = request.ActionMetadata{Kind: request.Issue, Issuer: &issuer}
	md.Outputs, err = s.outputs(a.Outputs, openings)
	return md, err
}

// outputs returns the opening and the receivers of each output; a redeemed
// output has a receiver without identity, in the format of the reference.
func (s Service) outputs(outputs []token.Token, openings []token.Opening) ([]request.OutputMetadata, error) {
	mds := make([]request.OutputMetadata, len(outputs))
	for j, out := range outputs {
		receiver := request.Party{}
		if !out.IsRedeemed() {
			var err error
			if receiver, err = s.party(out.Owner); err != nil {
				return nil, err
			}
		}
		mds[j] = request.OutputMetadata{
			Opening: openings[j].Encode(s.Params.Group()), AuditInfo: receiver.AuditInfo, Receivers: []request.Party{receiver},
		}
	}
	return mds, nil
}

func (s Service) party(id []byte) (request.Party, error) {
	info, err := s.Party.AuditInfo(id)
	return request.Party{Identity: id, AuditInfo: info}, err
}

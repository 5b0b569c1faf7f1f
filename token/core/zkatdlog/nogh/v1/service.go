package v1

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// ErrRepeated reports a transfer that spends one token twice.
var ErrRepeated = errors.New("token is spent twice")

// Held is a token with its opening, as stored by its owner.
type Held struct {
	Token   token.Token
	Opening token.Opening
	Owner   hashed.Opening // of an owner by hash
}

// Tokens gives access to the tokens of a party.
type Tokens interface {
	Load(id token.ID) (Held, error)
}

// Party gives access to the keys of the party's identities, and to the audit
// information of all plain identities that it knows. For scripts, multisig
// and policy owners, the service makes it from their parties' information.
type Party interface {
	Signer(id []byte) (identity.Signer, error)
	AuditInfo(id []byte) ([]byte, error)
}

// Service makes issues and transfers for one party. It is safe for concurrent
// use if its fields are.
type Service struct {
	Params   *params.Params
	Tokens   Tokens
	Party    Party
	Executor executor.Executor // of the range proofs; nil means executor.Serial
	Random   io.Reader         // a seed of 32 bytes is read for each action
	// Resources are the resource limits of the network. The service makes no request
	// beyond them; the error is request.ErrResources. A non-positive field
	// means the default.
	Resources request.Resources
}

// Format implements fmt.Formatter for every verb and shows neither keys nor the random
// source.
func (Service) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "services of a party") }

// NewService returns s with all tables of its parameters built, so that its first
// operation takes no longer than the others. The error is params.ErrInvalid.
func NewService(s Service) (Service, error) {
	if err := s.Params.Check(); err != nil {
		return Service{}, err
	}
	s.Params.Precompute()
	return s, nil
}

// Part is one action of a request, with its metadata and signers. An action
// without bytes gets its proof from Assemble, if the proof depends on the
// place of the action in the request, as in v2. Assemble keeps an action with bytes
// unchanged.
type Part struct {
	Action   request.Action
	Metadata request.ActionMetadata
	Signers  []identity.Signer // in the order of their signatures
	Inputs   map[token.ID]token.Clear
	Openings []token.Opening // of the outputs, for their receivers
	// Owners are the openings of owners by hash, by typed identity: of the inputs, and
	// of the outputs, for their receivers.
	Owners map[string]hashed.Opening
	// Resources are the resource limits of the network, which Assemble and Sign keep.
	Resources request.Resources
	draft     *proof.Draft // the action, if its proof depends on its place
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Part) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "part of a request") }

// TransferOrder names the tokens to spend and the receivers. Outputs without
// owner are redeemed, which Issuer must approve: one of the issuers in the
// parameters, with a key of this party.
type TransferOrder struct {
	Spend    []token.ID
	Receive  []token.Receive
	Issuer   []byte
	Metadata map[string][]byte // public; keys start with "pub."
	Hashed   bool              // name the owners of outputs by hash
}

// Transfer loads the tokens, makes the transfer with its proof, and collects
// metadata and signers. It never panics.
func (s Service) Transfer(o TransferOrder) (part *Part, err error) {
	err = executor.Guard(func() (err error) {
		part, err = s.transfer(o)
		return err
	})
	return part, err
}

// transfer makes the part of a transfer: its action, its inputs in the clear, the signers that
// it needs, and its metadata.
func (s Service) transfer(o TransferOrder) (*Part, error) {
	p := &Part{
		Action: request.Action{Kind: request.Transfer}, Resources: s.Resources,
		Inputs: make(map[token.ID]token.Clear, len(o.Spend)),
	}
	spends, err := s.load(p, o.Spend)
	if err != nil {
		return nil, err
	}
	a, err := s.makeTransfer(p, spends, o)
	if err != nil {
		return nil, err
	}
	g := s.Params.Group()
	for _, in := range spends {
		p.Inputs[in.ID], err = token.NewClear(g, in.Token, in.Opening)
		if err != nil {
			return nil, err
		}
		if err := s.sign(p, in.Token.Owner); err != nil {
			return nil, err
		}
	}
	if len(o.Issuer) > 0 {
		if err := s.sign(p, o.Issuer); err != nil {
			return nil, err
		}
	}
	p.Metadata, err = s.transferMetadata(a, p)
	return p, err
}

// makeTransfer makes the action of p.
func (s Service) makeTransfer(p *Part, spends []transfer.Spend, o TransferOrder) (*transfer.Action, error) {
	sender := transfer.Sender{Params: s.Params, Executor: s.Executor, Random: s.Random}
	draft, err := sender.Draft(spends, o.Receive)
	if err != nil {
		return nil, err
	}
	a := draft.Action
	if o.Hashed {
		if err := s.hash(p, &draft.Draft, o.Receive, a.Outputs); err != nil {
			return nil, err
		}
	}
	a.Issuer, a.Metadata = o.Issuer, o.Metadata
	return a, s.finish(p, &draft.Draft, a)
}

// finish keeps the openings of a draft of action a. It makes the proof now if it does not
// depend on the place of the action, and otherwise leaves it to Assemble. The error is
// request.ErrResources if the action is beyond the resource limits, and request.ErrKey if a
// key of its metadata may not be a part of a ledger key.
func (s Service) finish(p *Part, d *proof.Draft, a interface {
	Protocol() proof.Protocol
	Sizes() token.Sizes
}) error {
	p.Openings = d.Openings
	made, err := a.Protocol().Early(d)
	switch {
	case err != nil:
		return err
	case made:
		p.Action.Raw = d.Encode()
	default:
		p.draft = d
	}
	return cmp.Or(
		s.Resources.WithDefaults().CheckAction(a.Sizes()),
		request.CheckMetadataKeys(a.Sizes().Metadata),
	)
}

// load loads the tokens to spend and rejects duplicates.
func (s Service) load(p *Part, ids []token.ID) ([]transfer.Spend, error) {
	seen := make(map[token.ID]bool, len(ids))
	spends := make([]transfer.Spend, len(ids))
	for i, id := range ids {
		if seen[id] {
			return nil, fmt.Errorf("input %d: %w", i, ErrRepeated)
		}
		seen[id] = true
		held, err := s.Tokens.Load(id)
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		spends[i] = transfer.Spend{ID: id, Token: held.Token, Opening: held.Opening}
		if held.Owner.Inner != nil {
			p.keep(held.Token.Owner, held.Owner)
		}
	}
	return spends, nil
}

// sign adds the signer of an identity. For an owner by hash it adds the signer of the inner
// identity.
func (s Service) sign(p *Part, id []byte) error {
	o, byHash := p.Owners[string(id)]
	if byHash {
		id = o.Inner
	}
	signer, err := s.Party.Signer(id)
	if err != nil {
		return err
	}
	if byHash {
		signer = showing{signer, o}
	}
	p.Signers = append(p.Signers, signer)
	return nil
}

// IssueOrder describes the tokens to issue.
type IssueOrder struct {
	Issuer   []byte // one of the issuers in the parameters, with a key of this party
	Type     string
	Receive  []token.Receive
	Metadata map[string][]byte // public; keys start with "pub."
	Hashed   bool              // name the owners of outputs by hash
}

// Issue makes an issue with its proof, and collects metadata and signer. It
// never panics.
func (s Service) Issue(o IssueOrder) (part *Part, err error) {
	err = executor.Guard(func() (err error) {
		part, err = s.issue(o)
		return err
	})
	return part, err
}

func (s Service) issue(o IssueOrder) (*Part, error) {
	p := &Part{Action: request.Action{Kind: request.Issue}, Resources: s.Resources}
	a, err := s.makeIssue(p, o)
	if err != nil {
		return nil, err
	}
	if err := s.sign(p, o.Issuer); err != nil {
		return nil, err
	}
	p.Metadata, err = s.issueMetadata(a, p)
	return p, err
}

// makeIssue makes the action of p.
func (s Service) makeIssue(p *Part, o IssueOrder) (*issue.Action, error) {
	issuer := issue.Issuer{Params: s.Params, Identity: o.Issuer, Executor: s.Executor, Random: s.Random}
	draft, err := issuer.Draft(o.Type, o.Receive)
	if err != nil {
		return nil, err
	}
	a := draft.Action
	if o.Hashed {
		if err := s.hash(p, &draft.Draft, o.Receive, a.Outputs); err != nil {
			return nil, err
		}
	}
	a.Metadata = o.Metadata
	return a, s.finish(p, &draft.Draft, a)
}

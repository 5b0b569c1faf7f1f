package audit

import (
	"bytes"
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"

	"github.com/zkatbench/zkatbench/token/core/identity"
	identityx509 "github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Why a request is not audited, besides the errors of decoders, openings and
// identities.
var (
	ErrNothing = errors.New("request has no actions")
	ErrActions = errors.New("metadata is about other actions")
	ErrInputs  = errors.New("metadata is about other inputs")
	ErrOutputs = errors.New("metadata is about other outputs")
	ErrIssuer  = errors.New("issuer is another one")
	ErrSigners = errors.New("extra signers are not supported")
	ErrParty   = errors.New("party is another one")
	ErrUnknown = errors.New("input is not known")
	ErrTypes   = errors.New("tokens have more than one type")
	ErrRange   = errors.New("value is outside the range of the public parameters")
	ErrSum     = errors.New("inputs and outputs do not add up to the same")
	ErrListed  = errors.New("issuer is not one of the public parameters")
	ErrMany    = errors.New("too many parties to look at")
)

// Matchers tell, for each type, whether audit information is about the inside
// of an identity: if neither they nor the task that they return has an error. The tasks
// of a request run together.
type Matchers map[identity.Type]func(raw, info []byte) (identity.Task, error)

// AtOnce returns a matcher without a task.
func AtOnce(match func(raw, info []byte) error) func(raw, info []byte) (identity.Task, error) {
	return func(raw, info []byte) (identity.Task, error) { return nil, match(raw, info) }
}

// Options configure an auditor.
type Options struct {
	// Matchers of plain identities; nil is X.509 alone.
	Matchers Matchers
	// X509Roots are the authorities of owners with certificates: names in other
	// certificates are refused. Nil takes the name that a certificate gives
	// itself. It replaces the matcher of identity.X509.
	X509Roots *x509.CertPool
	// Limits bound requests; a zero field has the value in request.DefaultLimits.
	Limits request.Limits
	// Follow names the version of the reference; its rules apply. All versions
	// leave it to the validator's proofs that the known inputs have the type of the
	// outputs and add up to the same. The issuer of an opening is not compared with
	// the issuer of the action. With request.V0_14 the issuer of an opening is not
	// read, members of owners may be equal, issuers need not be listed, and resource
	// limits do not apply.
	Follow request.Version
}

// Auditor audits requests under one set of parameters. It is immutable and
// safe for concurrent use.
type Auditor struct {
	params *params.Params
	o      Options
}

// New returns an Auditor.
func New(p *params.Params, o Options) *Auditor {
	if o.Matchers == nil {
		o.Matchers = Matchers{identity.X509: AtOnce(identityx509.Match)}
	}
	if o.X509Roots != nil {
		o.Matchers = maps.Clone(o.Matchers)
		o.Matchers[identity.X509] = AtOnce(identityx509.MatchUnder(o.X509Roots))
	}
	o.Limits = o.Limits.WithDefaults()
	return &Auditor{params: p, o: o}
}

// Request is a request with its metadata and the inputs that the auditor knows.
type Request struct {
	Anchor   string
	Raw      []byte                   // the request
	Metadata []byte                   // of the request
	Inputs   map[token.ID]token.Clear // known ones, of all transfers
}

// Format implements fmt.Formatter for every verb and writes no secrets.
func (Request) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "request for an auditor") }

// Audited is a request in the clear.
type Audited struct {
	Message []byte // to sign
	Actions []Action
}

// Action is one action in the clear.
type Action struct {
	Kind    request.Kind
	Issuer  []byte // of issues and redeems
	Type    string
	Inputs  []token.Clear // of transfers
	Outputs []token.Clear
	Redeem  uint64 // of v2 transfers: the value redeemed in the clear
	// Senders own Inputs, and Receivers own Outputs, nil a redeemed one. An owner by
	// hash is the inner one here, and the hash in Inputs and Outputs.
	Senders, Receivers [][]byte
}

// RefusedError says which action is refused and why; Action is -1 if it is the
// whole request.
type RefusedError struct {
	Action int
	Err    error
}

func (e *RefusedError) Error() string {
	if e.Action < 0 {
		return fmt.Sprintf("audit: %v", e.Err)
	}
	return fmt.Sprintf("audit: action %d: %v", e.Action, e.Err)
}

func (e *RefusedError) Unwrap() error { return e.Err }

// Check returns the request in the clear, or a *RefusedError. It never panics.
func (a *Auditor) Check(r Request) (audited *Audited, err error) {
	err = executor.Guard(func() (err error) {
		audited, err = a.check(r)
		return err
	})
	if err == nil {
		return audited, nil
	}
	if refused := new(RefusedError); errors.As(err, &refused) {
		return nil, refused
	}
	return nil, &RefusedError{Action: -1, Err: err}
}

// Endorse checks the request and returns signer's signature of it. It never
// panics.
func (a *Auditor) Endorse(r Request, signer identity.Signer) (request.Signature, error) {
	audited, err := a.Check(r)
	if err != nil {
		return request.Signature{}, err
	}
	s := request.Signature{}
	err = executor.Guard(func() (err error) {
		s.Auditor = signer.Identity()
		s.Raw, err = signer.Sign(audited.Message)
		return err
	})
	return s, err
}

// check decodes a request and its metadata and checks each action against its part. It stops
// at the first error, but errors of checks that were put off come before it.
func (a *Auditor) check(r Request) (*Audited, error) {
	req, err := request.Decode(r.Raw, a.o.Limits)
	if err != nil {
		return nil, err
	}
	md, err := request.DecodeMetadata(r.Metadata, a.o.Limits)
	if err != nil {
		return nil, err
	}
	audited := &Audited{Actions: make([]Action, len(req.Actions))}
	audited.Message, err = req.Message(r.Anchor)
	if err != nil {
		return nil, err
	}
	if a.o.Follow == request.Strict {
		if err := request.CheckAnchor(r.Anchor); err != nil {
			return nil, err
		}
		if err := request.DefaultResources.CheckRequest(len(r.Raw), req); err != nil {
			return nil, err
		}
	}
	switch {
	case len(req.Actions) == 0:
		return nil, ErrNothing
	case len(md.Actions) != len(req.Actions):
		return nil, ErrActions
	}
	left := budget{tokens: a.o.Limits.Tokens, parties: 2 * a.o.Limits.Verifications,
		matched: make([]matched, 0, mostMatched)}
	var rest later
	for i, act := range req.Actions {
		c := check{Auditor: a, md: md.Actions[i], known: r.Inputs, out: &audited.Actions[i], left: &left,
			later: &rest}
		rest.action = i
		err = c.action(i, act)
		if err != nil {
			err = &RefusedError{Action: i, Err: err}
			break
		}
	}
	// An error of a check that was put off comes before err.
	if err := cmp.Or(rest.finish(a.params.Pedersen()), err); err != nil {
		return nil, err
	}
	return audited, nil
}

// check is the audit of one action.
type check struct {
	*Auditor
	md    request.ActionMetadata
	known map[token.ID]token.Clear
	out   *Action
	left  *budget
	later *later
}

// budget is the rest for an action and all later ones: tokens, and parties to
// match, each as owner and as receiver.
type budget struct {
	tokens  token.Limits
	parties int
	matched []matched // the last ones
}

func (c *check) action(i int, act request.Action) error {
	if uint64(c.md.ActionID) != uint64(i) || c.md.Kind != act.Kind {
		return ErrActions
	}
	if len(c.md.ExtraSigners) > 0 {
		return ErrSigners
	}
	c.out.Kind = act.Kind
	if act.Kind == request.Issue {
		return decoded(c, issue.Decode, act.Raw, c.issue)
	}
	return decoded(c, transfer.Decode, act.Raw, c.transfer)
}

// decoded reads an action within the limits and checks it.
func decoded[A interface{ Sizes() token.Sizes }](
	c *check, decode func(group.Group, []byte, token.Limits) (A, error), raw []byte, check func(A) error,
) error {
	a, err := decode(c.params.Group(), raw, c.left.tokens)
	if err == nil {
		err = c.within(a.Sizes())
	}
	if err != nil {
		return err
	}
	return check(a)
}

// within takes the tokens of an action from the limits of the request, and checks its
// resource limits. Auditors of the reference apply
// the defaults, also if a network has others.
func (c *check) within(s token.Sizes) error {
	c.left.tokens = c.left.tokens.Less(s)
	if c.o.Follow == request.V0_14 {
		return nil
	}
	return request.DefaultResources.CheckAction(s)
}

// listed checks that an issuer is one of the public parameters.
func (c *check) listed(issuer []byte) error {
	for _, l := range c.params.Issuers() {
		if bytes.Equal(l, issuer) {
			return nil
		}
	}
	return ErrListed
}

func (c *check) issue(a *issue.Action) error {
	if len(c.md.Inputs) != len(a.Inputs) {
		return ErrInputs
	}
	for i, in := range a.Inputs {
		if c.md.Inputs[i].ID != in.ID {
			return fmt.Errorf("input %d: %w", i, ErrInputs)
		}
	}
	if err := c.issuer(a.Issuer); err != nil { // which is not empty
		return err
	}
	if err := c.match("issuer", a.Issuer, c.md.Issuer.AuditInfo); err != nil {
		return err
	}
	if len(c.params.Issuers()) > 0 && c.o.Follow != request.V0_14 {
		if err := c.listed(a.Issuer); err != nil {
			return err
		}
	}
	c.out.Receivers = make([][]byte, 0, len(a.Outputs))
	return c.outputs(a.Outputs, a.Issuer)
}

// issuer compares the issuer of the metadata with the issuer of the action.
func (c *check) issuer(want []byte) error {
	var got []byte
	if c.md.Issuer != nil {
		got = c.md.Issuer.Identity
	}
	if !bytes.Equal(got, want) {
		return ErrIssuer
	}
	c.out.Issuer = want
	return nil
}

// transfer checks a transfer: its issuer, its inputs, its outputs and their sums, in the order
// in which errors are reported.
func (c *check) transfer(a *transfer.Action) error {
	if len(c.md.Inputs) != len(a.Inputs) {
		return ErrInputs
	}
	if err := c.issuer(a.Issuer); err != nil {
		return err
	}
	if a.Redeems() && len(a.Issuer) > 0 && c.o.Follow != request.V0_14 {
		if err := c.listed(a.Issuer); err != nil {
			return err
		}
	}
	owners := make([][]byte, 0, len(a.Inputs)+len(a.Outputs))
	c.out.Senders, c.out.Receivers = owners[:0:len(a.Inputs)], owners[len(a.Inputs):len(a.Inputs)]
	for i, in := range a.Inputs {
		if err := c.item("input", i, func() error { return c.input(in, c.md.Inputs[i]) }); err != nil {
			return err
		}
	}
	if err := c.outputs(a.Outputs, nil); err != nil {
		return err
	}
	if a.RedeemType != "" && a.RedeemType != c.out.Type {
		return ErrTypes
	}
	c.out.Redeem = a.Redeem
	return c.conserved()
}

// input checks that the auditor knows an input and that it has exactly one
// sender, who owns the known token.
func (c *check) input(in transfer.Input, md request.InputMetadata) error {
	if md.ID != in.ID {
		return ErrInputs
	}
	if len(md.Senders) != 1 || !bytes.Equal(md.Senders[0].Identity, in.Token.Owner) {
		return fmt.Errorf("sender: %w", ErrParty)
	}
	owner, info, err := c.shown(in.Token, md.Senders[0].AuditInfo)
	if err != nil {
		return fmt.Errorf("sender: %w", err)
	}
	if err := c.match("sender", owner, info); err != nil {
		return err
	}
	known, ok := c.known[in.ID]
	switch {
	case !ok:
		return ErrUnknown
	case len(known.Owner) > 0 && !bytes.Equal(known.Owner, in.Token.Owner):
		return fmt.Errorf("owner: %w", ErrParty)
	}
	c.out.Inputs, c.out.Senders = append(c.out.Inputs, known), append(c.out.Senders, owner)
	return nil
}

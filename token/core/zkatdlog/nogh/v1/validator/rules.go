package validator

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Reasons to refuse a request, in addition to the errors of decoders,
// signatures and proofs.
var (
	ErrNoActions     = errors.New("request has no actions")
	ErrNotOnLedger   = errors.New("input is not an unspent token of the ledger")
	ErrKnownAnchor   = errors.New("anchor was used before")
	ErrForeignAnchor = errors.New("anchor does not start with the digest of the public parameters")
	ErrRepeatedInput = errors.New("input is spent twice")
	ErrOrigin        = errors.New("v2 transfer spends a v1 token, and v1 is not known to be sound here")
	ErrUnsound       = errors.New("v1 Bulletproofs are unsound and not allowed")
	ErrNoAuditor     = errors.New("no signature of an auditor")
	ErrNotAuditor    = errors.New("signer is not an auditor")
	ErrNotIssuer     = errors.New("issuer is not one of the public parameters")
	ErrNoIssuer      = errors.New("redeem has no issuer")
	ErrIdleIssuer    = errors.New("transfer has an issuer who need not approve it")
	ErrBurn          = errors.New("issue burns a hidden token, without its owner")
	ErrBurnNoIssuer  = errors.New("issue burns a token in a network without issuers")
	ErrUpgrade       = errors.New("upgrade witness does not open the input")
	ErrScript        = errors.New("transfer does not follow the script")
	ErrNestedScript  = errors.New("hash-time lock inside another owner")
	ErrMetadata      = errors.New("metadata has keys that no rule knows, or lacks one")
	ErrMissing       = errors.New("signature is missing")
	ErrExtra         = errors.New("signature is not needed")
	ErrActionID      = errors.New("signature names another action")
	ErrManySigners   = errors.New("too many signatures to verify, or too costly ones")
)

// check is the state of one validation.
type check struct {
	// Rules read the options of the Validator, which they never change, as fields of check.
	*Validator
	round   round.Round
	anchor  string
	raw     []byte
	now     time.Time
	request *request.Request
	message identity.Message
	left    budget            // of signers
	signers identity.Registry // of signers, with scripts, made when needed
	makers  identity.Registry // for owners of new tokens, made when needed
	at      int               // the index of the action that the rules check
	order   []int             // of actions, for the numbers of outputs
	actions []placed          // in this order
	spent   []Spent
	own     []request.Signature // of owners and issuers, in the order of the list
	needed  []signature         // of owners and issuers
	opened  []signature         // owners of new tokens with proofs
	// differences are the accepted ones from strict rules, also several times.
	differences []Difference
	// prove checks the proofs of all actions.
	prove func(*check) error
	// steps is a group that observes the steps (part). It is nil if tasks of other
	// requests run in between.
	steps group.Group
}

func newCheck(v *Validator, r round.Round, s Submission) *check {
	return &check{Validator: v, round: r, anchor: s.Anchor, raw: s.Raw}
}

// A rule accepts or refuses a request as a whole.
type rule struct {
	name  string
	check func(*check) error
}

var rules = []rule{
	{"request", (*check).decode},
	{"message", (*check).sign},
	{"anchor", (*check).newAnchor},
	{"auditors", (*check).auditors},
	{"actions", (*check).decodeActions},
	{"action rules", (*check).actionRules},
	{"inputs", (*check).inputs},
	{"signature list", (*check).assign},
	{"hashed owners", (*check).showOwners},
	{"signatures", (*check).signatures},
	{"proofs", (*check).proofs},
}

// run applies all rules and returns the effects of the request. A panic or invalid
// parameters are a refusal.
func (c *check) run() (accepted *Accepted, err error) {
	err = guarded(c.params, func() error {
		err := c.apply(rules)
		if err == nil {
			accepted = c.accepted()
		}
		return err
	})
	return accepted, err
}

func (c *check) apply(rules []rule) error {
	c.now = c.o.Now()
	for _, r := range rules {
		if err := r.check(c); err != nil {
			return refused(r.name, noAction, err)
		}
	}
	return nil
}

// cheap are the rules of Check.
var cheap = rules[:slices.IndexFunc(rules, func(r rule) bool { return r.name == "signature list" })]

// guarded runs f and turns a panic or invalid parameters into a refusal.
func guarded(p *params.Params, f func() error) error {
	err := executor.Guard(func() error {
		if err := p.Check(); err != nil {
			return refused("public parameters", noAction, err)
		}
		return f()
	})
	if panicked := new(executor.PanicError); errors.As(err, &panicked) {
		return &RefusedError{Rule: "internal", Action: noAction, Err: err}
	}
	return err
}

// refused returns an error that names the rule, unless err names a more
// specific one already.
func refused(name string, action int, err error) error {
	if r := new(RefusedError); errors.As(err, &r) {
		return r
	}
	return &RefusedError{Rule: name, Action: action, Err: err}
}

// The parts of a validation in the output of zkatbench inside -what=steps.
// Sums of proofs are in the phases of the proof.
const (
	decodingPart    = "decoding"
	hashingPart     = "hashing"
	certificatePart = "certificates"
	signaturePart   = "signatures"
	proofPart       = "proof"
)

// part runs a part of the validation.
func (c *check) part(name string, f func() error) error {
	defer group.Enter(c.steps, name)()
	return f()
}

func (c *check) decode() error {
	return c.part(decodingPart, c.decodeRequest)
}

func (c *check) decodeRequest() (err error) {
	c.request, err = request.Decode(c.raw, c.o.Limits)
	if err != nil {
		return err
	}
	if len(c.request.Actions) == 0 && !c.tolerates(NoActions) {
		return ErrNoActions
	}
	return c.within(c.o.Resources.CheckRequest(len(c.raw), c.request))
}

// within returns the error of a resource limit unless such requests are accepted.
func (c *check) within(err error) error {
	if err != nil && c.tolerates(LargeParts) {
		return nil
	}
	return err
}

// safe returns the error of a name that becomes a part of a key, unless such names are
// accepted.
func (c *check) safe(err error) error {
	if err != nil && c.tolerates(AnyKeys) {
		return nil
	}
	return err
}

func (c *check) sign() error {
	if err := c.safe(request.CheckAnchor(c.anchor)); err != nil {
		return err
	}
	c.left = budget(c.o.Limits.Verifications)
	return c.part(hashingPart, func() error {
		message, err := c.request.Message(c.anchor)
		c.message = identity.NewMessage(message)
		group.CountWork(group.Phase(c.params.Group(), hashingPart), group.HashedBlocks,
			transcript.Blocks(len(message)))
		return err
	})
}

func (c *check) newAnchor() error {
	if c.o.AnchorStartsWithDigest && !strings.HasPrefix(c.anchor, c.params.AnchorPrefix()) {
		return ErrForeignAnchor
	}
	if c.o.Ledger == nil {
		return nil
	}
	known, err := c.o.Ledger.Knows(c.anchor)
	if err == nil && known {
		err = ErrKnownAnchor
	}
	return err
}

// decodeActions reads all actions in the order that numbers their outputs.
func (c *check) decodeActions() error { return c.part(decodingPart, c.readActions) }

// readActions decodes the actions in the order of the version and checks their sizes. Points
// are decoded together at the end, also of the actions before an error.
func (c *check) readActions() (err error) {
	var points []*wire.Points // of each action
	g, left := group.Phase(c.params.Group(), decodingPart), c.o.Limits.Tokens
	c.order = c.o.Follow.InOrder(c.request.Actions)
	for _, i := range c.order {
		ps := wire.Later(g)
		points = append(points, ps)
		var read action
		read, err = c.readAction(ps, c.request.Actions[i], left)
		if err == nil {
			err = cmp.Or(
				c.within(c.o.Resources.CheckAction(read.Sizes())),
				c.safe(request.CheckMetadataKeys(read.Sizes().Metadata)),
			)
		}
		if err != nil {
			err = refused("actions", i, err)
			break
		}
		left = left.Less(read.Sizes())
		c.actions = append(c.actions, placed{read, i})
	}
	for k, wrong := range decoding.WaitAll(c.round, points) {
		if wrong != nil {
			return refused("actions", c.order[k], wrong)
		}
	}
	return err
}

// decoding decodes the points of actions, of all requests together.
var decoding = round.Work[*wire.Points]{Do: func(_ group.Group, _ executor.Executor,
	actions []*wire.Points) []error {
	errs := make([]error, len(actions))
	wire.DecodeAll(actions, errs)
	return errs
}}

// A reader reads an action of at most as many tokens as left, with points that ps decodes.
type reader func(ps *wire.Points, a request.Action, left token.Limits) (action, error)

// readAction reads an issue or a transfer.
func readAction(ps *wire.Points, a request.Action, left token.Limits) (action, error) {
	if a.Kind == request.Issue {
		read, err := issue.Read(ps, a.Raw, left)
		return issueAction{read}, err
	}
	read, err := transfer.Read(ps, a.Raw, left)
	return transferAction{read}, err
}

// inputs collects the spent tokens and checks that they are distinct and on the
// ledger.
func (c *check) inputs() error {
	seen := map[token.ID]bool{}
	spend := func(id token.ID, raw []byte) error {
		if seen[id] && !c.tolerates(RepeatedInputs) {
			return ErrRepeatedInput
		}
		seen[id] = true
		if err := c.safe(request.CheckInput(id, raw)); err != nil {
			return err
		}
		c.spent = append(c.spent, Spent{ID: id, Token: raw})
		return c.onLedger(id, raw)
	}
	for _, a := range c.actions {
		c.spent = slices.Grow(c.spent, a.Sizes().Inputs)
		if err := a.spend(c, spend); err != nil {
			return refused("inputs", a.index, err)
		}
	}
	return nil
}

func (c *check) onLedger(id token.ID, raw []byte) error {
	if c.o.Ledger == nil {
		return nil
	}
	has, err := c.o.Ledger.Has(id, raw)
	if err == nil && !has {
		err = ErrNotOnLedger
	}
	return err
}

func (c *check) proofs() error {
	return c.part(proofPart, func() error { return c.prove(c) })
}

// ownProofs checks the proofs of all actions, for each protocol together.
func (c *check) ownProofs() error {
	for _, protocol := range proof.Protocols {
		if err := c.proofsOf(protocol); err != nil {
			return err
		}
	}
	return nil
}

// proofsOf checks the proofs of a protocol, divided into as many parts as the executor
// runs concurrently, for each part in one equation. A part that the executor skips is
// refused.
func (c *check) proofsOf(protocol proof.Protocol) error {
	actions := c.of(protocol)
	n := len(actions)
	if n == 0 {
		return nil
	}
	parts := max(1, c.o.Executor.Width(n))
	right := make([]bool, parts)
	err := c.o.Executor.Run(parts, func(part int) error {
		own := actions[part*n/parts : (part+1)*n/parts]
		err := proof.VerifyBatch(c.params, own)
		right[part] = err == nil
		if wrong := new(proof.RejectedError); errors.As(err, &wrong) {
			if wrong.Index == proof.Unknown {
				return refused("proofs", noAction, wrong.Err)
			}
			return refused("proofs", own[wrong.Index].At.Index, wrong.Err)
		}
		return err
	})
	if err == nil && slices.Contains(right, false) {
		err = errNoVerdict
	}
	return err
}

// withoutType reports whether an issue commits to the identity as its type, and such
// issues are accepted.
func (c *check) withoutType(a action) bool {
	issued, ok := a.(issueAction)
	if !ok || !c.allows(NoType) || a.Protocol() != proof.Composed {
		return false
	}
	raw, _, err := issued.Proof.Split("issue proof")
	if err != nil {
		return false
	}
	same, err := sigma.DecodeSameType(wire.OneByOne(c.params.Group()), raw)
	return err == nil && group.IsIdentity(same.CT) && c.tolerates(NoType)
}

// of returns the actions of a protocol, at their places.
func (c *check) of(protocol proof.Protocol) (own []proof.Placed) {
	for _, a := range c.actions {
		if a.Protocol() == protocol {
			placed := proof.Placed{Action: a.action, At: proof.Place{Anchor: c.anchor, Index: a.index},
				AnyType: c.withoutType(a.action)}
			own = append(slices.Grow(own, len(c.actions)-len(own)), placed)
		}
	}
	return own
}

func listed(list [][]byte, id []byte) bool {
	return slices.ContainsFunc(list, func(l []byte) bool { return string(l) == string(id) })
}

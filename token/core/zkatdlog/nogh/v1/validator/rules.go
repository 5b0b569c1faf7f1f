package validator

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
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
	ErrExtra         = errors.New("signature is not needed or not in its place")
	ErrActionID      = errors.New("signature names another action")
	ErrManySigners   = errors.New("too many signatures to verify, or too costly ones")
)

// check is the state of one validation.
type check struct {
	*Validator
	anchor  string
	raw     []byte
	now     time.Time
	request *request.Request
	message []byte
	signers identity.Registry // with the limits of this request
	actions []action          // issues, then transfers
	spent   []Spent
	own     []request.Signature // of owners and issuers, in the order of the list
	needed  []signature         // of owners and issuers
	claims  []v2.Claim          // of v2 actions
	claimed []int               // the index of the action of each claim
	// together says that v2 proofs are checked with those of other requests.
	together bool
}

// action is a decoded action: an issue or a transfer.
type action struct {
	index    int // in the request
	issue    *issue.Action
	transfer *transfer.Action
}

// tokens returns the numbers of inputs and outputs of a.
func (a action) tokens() (inputs, outputs int) {
	if a.issue != nil {
		return len(a.issue.Inputs), len(a.issue.Outputs)
	}
	return len(a.transfer.Inputs), len(a.transfer.Outputs)
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
	{"signatures", (*check).signatures},
	{"proofs", (*check).proofs},
}

// Rules returns the names of all rules in order.
func Rules() (names []string) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	for _, r := range issueRules {
		names = append(names, r.name)
	}
	for _, r := range transferRules {
		names = append(names, r.name)
	}
	return names
}

func (c *check) run() error {
	for _, r := range rules {
		if err := r.check(c); err != nil {
			return refused(r.name, -1, err)
		}
	}
	return nil
}

// refused returns an error that names the rule, unless err names a more
// specific one already.
func refused(name string, action int, err error) error {
	if r := new(RefusedError); errors.As(err, &r) {
		return r
	}
	return &RefusedError{Rule: name, Action: action, Err: err}
}

func (c *check) decode() (err error) {
	if c.request, err = request.Decode(c.raw, c.o.Limits); err != nil {
		return err
	}
	if len(c.request.Actions) == 0 && !c.o.AsReference.NoActions {
		return ErrNoActions
	}
	return nil
}

func (c *check) sign() (err error) {
	c.message, err = c.request.Message(c.anchor)
	c.signers = c.identities(c.now, limited(c.o.Identities, c.o.Limits.Verifications))
	return err
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

// decodeActions reads all issues and then all transfers.
func (c *check) decodeActions() error {
	g, left := c.params.Group(), c.o.Limits.Tokens
	for _, kind := range []request.Kind{request.Issue, request.Transfer} {
		for i, a := range c.request.Actions {
			if a.Kind != kind {
				continue
			}
			decoded, err := action{index: i}, error(nil)
			if kind == request.Issue {
				decoded.issue, err = issue.Decode(g, a.Raw, issue.Limits(left))
			} else {
				decoded.transfer, err = transfer.Decode(g, a.Raw, left)
			}
			if err != nil {
				return refused("actions", i, err)
			}
			inputs, outputs := decoded.tokens()
			left = left.Less(inputs, outputs)
			c.actions = append(c.actions, decoded)
		}
	}
	return nil
}

// inputs collects the spent tokens and checks that they are distinct and on the
// ledger.
func (c *check) inputs() error {
	seen := map[token.ID]bool{}
	spend := func(i int, id token.ID, raw []byte) error {
		if seen[id] && !c.o.AsReference.RepeatedInputs {
			return refused("inputs", i, ErrRepeatedInput)
		}
		seen[id] = true
		c.spent = append(c.spent, Spent{ID: id, Token: raw})
		return c.onLedger(i, id, raw)
	}
	for _, a := range c.actions {
		if err := a.spend(c, spend); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) onLedger(i int, id token.ID, raw []byte) error {
	if c.o.Ledger == nil {
		return nil
	}
	has, err := c.o.Ledger.Has(id, raw)
	if err == nil && !has {
		err = ErrNotOnLedger
	}
	if err != nil {
		return refused("inputs", i, err)
	}
	return nil
}

// spend calls f for each input with its bytes on the ledger, which for an
// upgraded input are the clear token.
func (a action) spend(c *check, f func(i int, id token.ID, raw []byte) error) error {
	if a.issue != nil {
		for _, in := range a.issue.Inputs {
			if err := f(a.index, in.ID, in.Token); err != nil {
				return err
			}
		}
		return nil
	}
	for _, in := range a.transfer.Inputs {
		raw := in.Token.Encode(c.params.Group())
		if in.Upgrade != nil {
			var err error
			if raw, err = in.Upgrade.Clear.Encode(); err != nil {
				return refused("inputs", a.index, err)
			}
		}
		if err := f(a.index, in.ID, raw); err != nil {
			return err
		}
	}
	return nil
}

// proofs checks the proof of each action: those of v1, all range proofs in one
// equation, and then those of v2 in another, unless they are checked together
// with those of other requests.
func (c *check) proofs() error {
	if err := c.v1Proofs(); err != nil {
		return err
	}
	if err := c.v2Claims(); err != nil {
		return err
	}
	if c.together {
		return nil
	}
	return c.v2Proofs()
}

// v1Proofs checks the proof of each v1 action, and then all range proofs in one
// equation.
func (c *check) v1Proofs() error {
	actions := c.actions
	if slices.ContainsFunc(actions, action.isV2) {
		actions = slices.DeleteFunc(slices.Clone(actions), action.isV2)
	}
	claims := make([]proof.Claim, len(actions))
	err := c.o.Executor.Run(len(claims), func(i int) (err error) {
		a := actions[i]
		if a.issue != nil {
			claims[i], err = issue.NewClaim(c.params, a.issue)
		} else {
			claims[i], err = transfer.NewClaim(c.params, a.transfer)
		}
		if err != nil {
			return refused("proofs", a.index, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = proof.VerifyBounded(claims)
	if wrong := new(proof.RejectedError); errors.As(err, &wrong) {
		if wrong.Index == proof.Unknown {
			return refused("proofs", -1, wrong.Err)
		}
		return refused("proofs", actions[wrong.Index].index, wrong.Err)
	}
	return err
}

func listed(list [][]byte, id []byte) bool {
	return slices.ContainsFunc(list, func(l []byte) bool { return string(l) == string(id) })
}

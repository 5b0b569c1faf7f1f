package validator

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/ecdsap256"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Ledger is the view of a ledger that a validator needs.
type Ledger interface {
	// Has reports whether the token with this id is unspent and has exactly
	// these bytes.
	Has(id token.ID, token []byte) (bool, error)
	// Knows reports whether a transaction was applied.
	Knows(anchor string) (bool, error)
}

// Options configure a validator. The zero value is the strict validator.
type Options struct {
	// Identities verify signatures; nil means X.509 alone. Hash-time-locked,
	// multisig and policy owners over these are always supported.
	Identities identity.Registry
	// Limits bound the work on a request; a zero field means the field of
	// request.DefaultLimits.
	Limits request.Limits
	// Resources are the resource limits of the network, which apply unless Follow
	// is request.V0_14. Zero or a negative number means the default of v0.15.
	Resources request.Resources
	// Now is the clock for hash-time-locked tokens; nil means time.Now.
	Now func() time.Time
	// Ledger is used to check inputs and the anchor. If it is nil, the caller
	// must check them.
	Ledger Ledger
	// Executor runs the signatures, and the proofs of type and sum; nil means
	// executor.Serial.
	Executor executor.Executor
	// AllowUnsoundV1Bulletproofs accepts range proofs of kind Bulletproof. The
	// v1 challenges do not bind all required values, so a malicious prover can
	// create value. Use it only for measurement and interoperation.
	AllowUnsoundV1Bulletproofs bool
	// AnchorStartsWithDigest requires that anchors start with the digest of the
	// parameters (params.Params.AnchorPrefix), which binds requests to one
	// network.
	AnchorStartsWithDigest bool
	// Follow names a version of the reference. The validator agrees with it on every
	// request in canonical encoding, so it accepts the Differences of that version.
	// The default, request.Strict, accepts the requests that all versions accept and
	// that honest parties make.
	Follow request.Version
}

// Validator validates requests under one set of parameters. It is immutable
// and safe for concurrent use.
type Validator struct {
	params     *params.Params
	o          Options
	taken      []Difference // from o.Follow
	readAction reader
}

// knownKeys is the number of keys for which the default Identities keep a table of
// multiples. A table takes some 32 kB.
const knownKeys = 1024

// New returns a Validator. It builds the tables of p, so that the first request
// takes no longer than others.
func New(p *params.Params, o Options) *Validator {
	if o.Identities == nil {
		o.Identities = identity.Registry{identity.X509: x509.NewKeys(ecdsap256.New(knownKeys)).Verifier}
	}
	o.Limits, o.Resources = o.Limits.WithDefaults(), o.Resources.WithDefaults()
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Executor == nil {
		o.Executor = executor.Serial{}
	}
	if p.Check() == nil {
		p.Precompute()
	}
	return &Validator{params: p, o: o, taken: Differences(o.Follow), readAction: readAction}
}

// opener makes a verifier from the bytes inside a typed identity.
type opener = func(raw []byte) (identity.Verifier, error)

// composites opens identities of several parties: scripts, multisig and policy
// identities.
type composites struct {
	check  *check // of the request
	now    time.Time
	plain  identity.Registry   // of the identities without parties
	nested func(opener) opener // replaces the opener of scripts inside of others
	rule   identity.MemberRule // of multisig and policy identities
}

// registry returns the registry inside of depth composite identities. It counts each
// identity before its parties are read.
func (k composites) registry(depth int) identity.Registry {
	entered := func(open func(inner identity.Registry) opener) opener {
		return func(raw []byte) (identity.Verifier, error) {
			if err := k.check.levels(depth + 1); err != nil {
				return nil, err
			}
			return open(k.registry(depth + 1))(raw)
		}
	}
	members := func(all [][]byte) error {
		if err := k.check.components(len(all)); err != nil {
			return err
		}
		return k.rule(all)
	}
	r := maps.Clone(k.plain)
	r[identity.HTLC] = entered(func(inner identity.Registry) opener {
		const parties = 2
		if err := k.check.components(parties); err != nil {
			return func([]byte) (identity.Verifier, error) { return nil, err }
		}
		return htlc.New(inner, k.now)
	})
	if depth > 0 { // the rules of scripts do not reach it
		r[identity.HTLC] = k.nested(r[identity.HTLC])
	}
	r[identity.Multisig] = entered(func(inner identity.Registry) opener {
		return multisig.New(inner, members)
	})
	r[identity.Policy] = entered(func(inner identity.Registry) opener { return policy.New(inner, members) })
	return r
}

// levels checks how many composite identities lie one inside another.
func (c *check) levels(n int) error {
	if n > identity.MaxDepth {
		return identity.ErrDepth
	}
	return c.large(c.o.Resources.CheckDepth(n))
}

// components checks the number of parties of an identity.
func (c *check) components(n int) error { return c.large(c.o.Resources.CheckComponents(n)) }

// large returns the error of a limit on owners unless such owners are accepted.
func (c *check) large(err error) error {
	if err != nil && c.tolerates(LargeOwners) {
		return nil
	}
	return err
}

func refuseNested(opener) opener {
	return func([]byte) (identity.Verifier, error) { return nil, ErrNestedScript }
}

// nested opens a script inside another owner only as the reference does.
func (c *check) nested(open opener) opener {
	return func(raw []byte) (identity.Verifier, error) {
		if !c.tolerates(NestedScripts) {
			return nil, ErrNestedScript
		}
		return open(raw)
	}
}

// distinct is identity.Distinct unless equal members are accepted.
func (c *check) distinct(members [][]byte) error {
	if err := identity.Distinct(members); err != nil && !c.tolerates(RepeatedMembers) {
		return err
	}
	return nil
}

// Spent is a token that a request spends, with the required bytes on the
// ledger.
type Spent struct {
	ID    token.ID
	Token []byte
}

// Created is a token that a request creates. Without bytes it is redeemed.
type Created struct {
	ID    token.ID
	Token []byte
}

// Accepted is a validated request. It may be applied if all of Spent are on the
// ledger, unspent and distinct, and the anchor is new.
type Accepted struct {
	Anchor    string
	Message   []byte // the signed message
	Issues    []*issue.Action
	Transfers []*transfer.Action
	Spent     []Spent
	Created   []Created // in the order of their indices
	// Order lists the indices of the actions in the order that numbers their outputs.
	// It depends on Options.Follow if a transfer precedes an issue.
	Order []int
	// Differences of the request from the strict rules, with Options.Follow.
	Differences []Difference
}

// RefusedError names the rule that refused a request and the reason. Action is
// the index of the action, or -1 for the whole request.
type RefusedError struct {
	Rule   string
	Action int
	Err    error
}

// noAction is the Action of errors about the whole request.
const noAction = -1

func (e *RefusedError) Error() string {
	if e.Action < 0 {
		return fmt.Sprintf("%s: %v", e.Rule, e.Err)
	}
	return fmt.Sprintf("%s: action %d: %v", e.Rule, e.Action, e.Err)
}

func (e *RefusedError) Unwrap() error { return e.Err }

// Validate returns the effects of the request if every rule accepts it under
// the anchor, the transaction id, and otherwise a *RefusedError. It never
// panics. Byte slices of the result are views into raw.
func (v *Validator) Validate(anchor string, raw []byte) (*Accepted, error) {
	var accepted *Accepted
	err := guarded(v.params, func() error {
		g := v.params.Group()
		return round.RunOn(v.o.Executor, g, func(r round.Round) (err error) {
			c := newCheck(v, r, Submission{anchor, raw})
			c.prove, c.steps = (*check).ownProofs, g
			accepted, err = c.run()
			return err
		})
	})
	return accepted, err
}

// Check applies the rules before the signatures of owners and issuers, and the proofs: limits,
// encodings, the anchor, the auditor's signature, and the inputs, which it returns. Its error is the
// *RefusedError of Validate. A request that passes may still be refused by Validate.
func (v *Validator) Check(anchor string, raw []byte) (spent []Spent, err error) {
	err = guarded(v.params, func() error {
		return round.RunOn(v.o.Executor, v.params.Group(), func(r round.Round) error {
			c := newCheck(v, r, Submission{anchor, raw})
			if err := c.apply(cheap); err != nil {
				return err
			}
			spent = c.spent
			return nil
		})
	})
	return spent, err
}

// accepted lists the effects of the request in the order that the ledger
// numbers outputs (section 18).
func (c *check) accepted() *Accepted {
	a := &Accepted{Anchor: c.anchor, Message: c.message.Bytes(), Spent: c.spent, Order: c.order,
		Differences: c.listDifferences()}
	g := c.params.Group()
	for _, act := range c.actions {
		act.accept(a)
		outputs := act.Sizes().Outputs
		a.Created = slices.Grow(a.Created, outputs)
		for j := range outputs {
			created := Created{ID: token.ID{TxID: c.anchor, Index: uint64(len(a.Created))},
				Token: act.created(g, j)}
			a.Created = append(a.Created, created)
		}
	}
	return a
}

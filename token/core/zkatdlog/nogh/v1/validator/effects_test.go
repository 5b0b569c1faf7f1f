package validator_test

import (
	"crypto"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestRefusalsOfTheWholeRequest: the action of the error is -1.
func TestRefusalsOfTheWholeRequest(t *testing.T) {
	n := network(t, 16)
	honest := networktest.Signed(t, n, networktest.Mixed(t, n, "transfers", "issues", "redeems", "issues")...)
	known := failingLedger{}
	for _, c := range []struct {
		name, anchor, rule string
		edit               func(r *request.Request)
		o                  validator.Options
		want               error
	}{
		{"other version", "tx", "request", func(r *request.Request) {
			r.Actions[0].Raw = nil
		}, validator.Options{}, wire.ErrMissing},
		{"no anchor", "", "message", nil, validator.Options{}, request.ErrAnchor},
		{"known anchor", "tx", "anchor", nil, validator.Options{Ledger: knowing{known}},
			validator.ErrKnownAnchor},
		{"another anchor", "tx2", "signatures", nil, validator.Options{}, identity.ErrSignature},
		{"bytes", "tx", "request", nil,
			validator.Options{Resources: request.Resources{MaxRequestBytes: len(honest.Encode()) - 1}},
			request.ErrResources},
		{"actions", "tx", "request", nil, validator.Options{Resources: request.Resources{MaxActions: 3}},
			request.ErrResources},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &request.Request{Actions: slices.Clone(honest.Actions),
				Signatures: slices.Clone(honest.Signatures)}
			if c.edit != nil {
				c.edit(r)
			}
			v := n.Validator(c.o)
			for _, err := range networktest.Verdicts(v, c.anchor, r.Encode()) {
				require.Equal(t, -1, networktest.Refused(t, err, c.rule, c.want).Action)
			}
			_, err := v.Check(c.anchor, r.Encode())
			require.ErrorIs(t, err, c.want)
		})
	}
	spent, err := n.Validator(validator.Options{}).Check("tx", honest.Encode())
	require.NoError(t, err)
	require.Len(t, spent, 4)
	_, err = n.Validator(validator.Options{Resources: request.Resources{MaxRequestBytes: len(honest.Encode()),
		MaxActions: 4}}).
		Validate("tx", honest.Encode())
	require.NoError(t, err, "at the limits")
}

// knowing is a ledger that knows every anchor.
type knowing struct{ validator.Ledger }

func (knowing) Knows(string) (bool, error) { return true, nil }

// TestSignaturesByAction: v0.15 takes signatures with the indices of their actions in
// any order of the actions, and the difference is recorded only if they are not in the
// order of all versions.
func TestSignaturesByAction(t *testing.T) {
	n := network(t, 16)
	honest := networktest.Signed(t, n, networktest.Mixed(t, n, "transfers", "issues", "redeems", "issues")...)
	var ids []uint32
	for _, s := range honest.Signatures[1:] {
		ids = append(ids, s.ActionID)
	}
	require.Equal(t, []uint32{1, 3, 0, 0, 2, 2, 2}, ids)
	for _, c := range []struct {
		name  string
		order []int // of the signatures after the auditor's
		ids   map[int]uint32
		want  string // "" is accepted
		diffs []validator.Difference
	}{
		{"in order", []int{0, 1, 2, 3, 4, 5, 6}, nil, "", nil},
		{"by action", []int{2, 3, 0, 4, 5, 6, 1}, nil, "", []validator.Difference{validator.AnyOrder}},
		{"alternating", []int{4, 2, 5, 3, 6, 0, 1}, nil, "", []validator.Difference{validator.AnyOrder}},
		{"owners of one action exchanged", []int{3, 2, 0, 1, 4, 5, 6}, nil,
			"signatures: action 0: owner of input 0: ", nil},
		{"last one missing", []int{0, 1, 2, 3, 4, 5}, nil, "signature list: action 2: issuer: ", nil},
		{"first one missing", []int{1, 2, 3, 4, 5, 6}, nil, "signature list: action 1: issuer: ", nil},
		{"one too many", []int{0, 1, 2, 3, 4, 5, 6, 3}, nil, "signature list: action 0: ", nil},
		{"of an action too many", []int{0, 1, 2, 3, 4, 5, 6, 1}, nil, "signature list: action 3: ", nil},
		{"of no action", []int{0, 1, 2, 3, 4, 5, 6}, map[int]uint32{6: 4},
			"signature list: signature names another action", nil},
		{"of an action beyond 32 bits", []int{0, 1, 2, 3, 4, 5, 6}, map[int]uint32{6: 1<<32 - 1},
			"signature list: signature names another action", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &request.Request{Actions: honest.Actions, Signatures: honest.Signatures[:1:1]}
			for i, k := range c.order {
				s := honest.Signatures[1+k]
				if id, ok := c.ids[i]; ok {
					s.ActionID = id
				}
				r.Signatures = append(r.Signatures, s)
			}
			accepted, err := n.Validator(validator.Options{Follow: request.V0_15}).Validate("tx", r.Encode())
			if c.want != "" {
				require.ErrorAs(t, err, new(*validator.RefusedError))
				require.True(t, strings.HasPrefix(err.Error(), c.want), "%v", err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.diffs, accepted.Differences)
		})
	}
	// The strict validator names the first signer of another action.
	r := &request.Request{Actions: honest.Actions,
		Signatures: slices.Clone(honest.Signatures)}
	for i, want := range []int{1, 3, 0, 0, 2, 2, 2} {
		r.Signatures[1+i].ActionID += 7
		_, err := n.Validator(validator.Options{}).Validate("tx", r.Encode())
		require.Equal(t, want, networktest.Refused(t, err, "signature list", validator.ErrActionID).Action)
		accepted, err := n.Validator(validator.Options{Follow: request.V0_14}).Validate("tx", r.Encode())
		require.NoError(t, err)
		require.Equal(t, []validator.Difference{validator.AnyActionID}, accepted.Differences)
		r.Signatures[1+i].ActionID -= 7
	}
}

// TestTheClockIsThatOfTheOptions: a lock with a deadline at the time of the clock is
// made, one a nanosecond before is not.
func TestTheClockIsThatOfTheOptions(t *testing.T) {
	n := network(t, 16)
	deadline := time.Unix(100, 0).UTC()
	r := locking(t, n, deadline, htlc.NewLock([]byte("x")))
	for late, want := range map[time.Duration]error{0: nil, 1: validator.ErrScript} {
		_, err := n.Validator(validator.Options{Now: func() time.Time {
			return deadline.Add(late)
		}}).Validate("tx", r.Encode())
		require.ErrorIs(t, err, want)
	}
	_, err := n.Validator(validator.Options{}).Validate("tx", r.Encode())
	require.ErrorIs(t, err, validator.ErrScript, "the default is the present time")
}

// locking makes a request under the anchor tx with a lock.
func locking(t *testing.T, n *fixture.Network, deadline time.Time, lock htlc.Lock) *request.Request {
	t.Helper()
	script := htlc.Script{Sender: n.Issuer.Identity(), Recipient: n.Auditor.Identity(), Deadline: deadline,
		HashInfo: lock}
	owner, err := script.Encode()
	require.NoError(t, err)
	part := transferPart(t, n, 1, 1, 2)
	networktest.EditTransfer(t, n, part, func(a *transfer.Action) {
		a.Outputs[1].Owner = owner
		key, value := script.HashInfo.LockEntry()
		a.Metadata = map[string][]byte{key: value}
	})
	return networktest.Signed(t, n, part)
}

// TestLocksThatNothingOpens: no version makes a token with a lock of an unknown hash function or
// encoding, or of a digest of another length.
func TestLocksThatNothingOpens(t *testing.T) {
	n := network(t, 16)
	for name, edit := range map[string]func(*htlc.Lock){
		"":         func(*htlc.Lock) {},
		"function": func(l *htlc.Lock) { l.HashFunc = crypto.SHA1 },
		"encoding": func(l *htlc.Lock) { l.HashEncoding = 0 },
		"length":   func(l *htlc.Lock) { l.Hash = l.Hash[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			lock := htlc.NewLock([]byte("x"))
			edit(&lock)
			r := locking(t, n, time.Now().Add(time.Hour), lock)
			for _, follow := range append([]request.Version{request.Strict}, request.Versions...) {
				_, err := n.Validator(validator.Options{Follow: follow}).Validate("tx", r.Encode())
				require.Equal(t, name != "", errors.Is(err, htlc.ErrHash), "%s, %s: %v", name, follow, err)
			}
		})
	}
}

// TestTheDefaultClockRuns: a validator without a clock uses the time of each request.
func TestTheDefaultClockRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := network(t, 16)
		judge := n.Validator(validator.Options{})
		r := locking(t, n, time.Now().Add(time.Hour), htlc.NewLock([]byte("x")))
		require.Equal(t, [2]error{}, networktest.Verdicts(judge, "tx", r.Encode()))
		time.Sleep(2 * time.Hour)
		for _, err := range networktest.Verdicts(judge, "tx", r.Encode()) {
			require.ErrorIs(t, err, validator.ErrScript)
		}
	})
}

// TestTooManySignersAreNoDifference: followed versions accept a new owner if its members
// exceed the limit of strict rules. It can be opened, so the owner can spend.
func TestTooManySignersAreNoDifference(t *testing.T) {
	n := network(t, 16)
	part := transferPart(t, n, 1, 1, 2)
	networktest.EditTransfer(t, n, part, func(a *transfer.Action) {
		a.Outputs[1].Owner = multisig.Encode(n.Issuer.Identity(), n.Auditor.Identity(), a.Outputs[0].Owner)
	})
	r := networktest.Signed(t, n, part)
	limits := request.Limits{Verifications: 2} // one for the owner of the input, one for the auditor
	_, err := validator.New(n.Params, validator.Options{Limits: limits}).Validate("tx", r.Encode())
	require.ErrorIs(t, err, validator.ErrManySigners)
	accepted, err := validator.New(n.Params,
		validator.Options{Limits: limits, Follow: request.V0_15}).Validate("tx", r.Encode())
	require.NoError(t, err)
	require.NotContains(t, accepted.Differences, validator.UnspendableOwners)
}

// costly is an owner of some units with a wrong proof of all but one.
type costly struct {
	unproved
	units int
}

func (c costly) Cost() int { return c.units }

// TestCostsOfProofsOfOwners: the proof of a member of a new owner costs units before it
// is checked.
func TestCostsOfProofsOfOwners(t *testing.T) {
	n := network(t, 16)
	part := transferPart(t, n, 1, 2, 2)
	networktest.EditTransfer(t, n, part, func(a *transfer.Action) {
		a.Outputs[1].Owner = multisig.Encode(n.Issuer.Identity(),
			identity.Typed{Type: identity.Idemix, Raw: []byte("?")}.Encode())
	})
	r := networktest.Signed(t, n, part)
	for _, units := range []int{2, 5} {
		keys := identity.Registry{
			identity.X509: x509.NewVerifier, identity.Idemix: func([]byte) (identity.Verifier, error) {
				return costly{units: units}, nil
			},
		}
		for most, want := range map[int]error{
			1 + units: identity.ErrSignature, units: validator.ErrManySigners,
		} {
			_, err := validator.New(n.Params, validator.Options{
				Limits: request.Limits{Verifications: most}, Identities: keys,
			}).Validate("tx", r.Encode())
			require.ErrorIs(t, err, want, "%d units", most)
		}
	}
}

// TestPartsOfABatch: a part has 16 submissions at least, if so many parts run at a time, and 64 at
// most. Verdicts keep their places.
func TestPartsOfABatch(t *testing.T) {
	n := networktest.New(t, fixture.Config{SamePresentation: true})
	a := networktest.Request(t, n, "issues", 0, 1, 1)
	for _, c := range []struct{ submissions, most, parts int }{
		{0, 9, 0}, {1, 9, 1}, {16, 9, 1}, {17, 9, 2}, {33, 9, 3}, {64, 1, 1}, {65, 1, 2}, {129, 1, 3},
		{129, 2, 3}, {129, 4, 4},
	} {
		e := &counting{most: c.most}
		v := n.Validator(validator.Options{Executor: e})
		submissions := make([]validator.Submission, c.submissions)
		for i := range submissions {
			submissions[i] = validator.Submission{Anchor: "tx", Raw: a.Request.Encode()}
			if i%5 == 4 {
				submissions[i].Anchor = "other"
			}
		}
		verdicts := v.ValidateBatch(submissions)
		require.Equal(t, c.parts, e.runs[0], "%d submissions", c.submissions)
		require.Len(t, verdicts, c.submissions)
		for i, verdict := range verdicts {
			require.Equal(t, i%5 != 4, verdict.Err == nil, "submission %d", i)
			require.Equal(t, i%5 != 4, verdict.Accepted != nil, "submission %d", i)
		}
	}
}

// counting runs at most a number of calls at a time, and records how many it is asked for.
type counting struct {
	executor.Serial
	most int
	runs []int
}

func (e *counting) Width(n int) int { return min(n, e.most) }

func (e *counting) Run(n int, call func(int) error) error {
	e.runs = append(e.runs, n)
	return e.Serial.Run(n, call)
}

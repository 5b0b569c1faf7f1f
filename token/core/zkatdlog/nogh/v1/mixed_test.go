package v1_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// oldTransfer makes a v1 transfer in a network that also accepts v2. ids replaces the
// ids of the inputs.
func oldTransfer(t testing.TB, n *fixture.Network, seed uint64, ids ...token.ID) *v1.Part {
	t.Helper()
	made, err := n.NewTransfer(seed, max(1, len(ids)), 1)
	require.NoError(t, err)
	part := &v1.Part{Action: request.Action{Kind: request.Transfer}}
	for i := range made.Spends {
		made.Spends[i].Token.V2 = false
		if len(ids) > 0 {
			made.Spends[i].ID = ids[i]
		}
		part.Signers = append(part.Signers, made.Owners[i])
	}
	sender := transfer.Sender{Params: n.Params, Random: fixture.Random(seed)}
	a, _, err := sender.Transfer(made.Spends, made.Receives)
	require.NoError(t, err)
	part.Action.Raw = a.Encode(n.Params.Group())
	return part
}

// oldIssue makes a v1 issue.
func oldIssue(t testing.TB, n *fixture.Network, seed uint64) *v1.Part {
	t.Helper()
	issuer := issue.Issuer{Params: n.Params, Identity: n.Issuer.Identity(), Random: fixture.Random(seed)}
	a, _, err := issuer.Issue("EUR", []token.Receive{{Owner: n.Issuer.Identity(), Value: seed}})
	require.NoError(t, err)
	return &v1.Part{
		Action:  request.Action{Kind: request.Issue, Raw: a.Encode(n.Params.Group())},
		Signers: []identity.Signer{n.Issuer},
	}
}

// newPart makes the first v2 action of a kind.
func newPart(t testing.TB, n *fixture.Network, kind string, seed uint64) *v1.Part {
	t.Helper()
	return networktest.Parts(t, n, kind, 2, 2, seed)[0]
}

// otherProof returns the action with a changed response in its proof: only the equation fails.
func otherProof(t testing.TB, n *fixture.Network, a request.Action) request.Action {
	t.Helper()
	part := &v1.Part{Action: a}
	if a.Kind == request.Issue {
		networktest.EditIssue(t, n, part, func(a *issue.Action) { a.Proof.Raw = flipped(a.Proof.Raw) })
	} else {
		networktest.EditTransfer(t, n, part, func(a *transfer.Action) { a.Proof.Raw = flipped(a.Proof.Raw) })
	}
	return part.Action
}

// TestMixedBatches: requests with issues, transfers and redeems, of v1 and of v2, in
// one request and in several, are accepted in one batch. Next to them each request with
// one proof changed is refused, for the reason of Validate. TestEveryPlaceV1 and V2 change
// signatures.
func TestMixedBatches(t *testing.T) {
	n := network(t, soundV1)
	lists := [][]*v1.Part{
		{oldTransfer(t, n, 1)},
		{newPart(t, n, "redeems", 2)},
		{oldIssue(t, n, 3)},
		{newPart(t, n, "issues", 4), oldIssue(t, n, 5), oldTransfer(t, n, 6), newPart(t, n, "redeems", 7),
			newPart(t, n, "transfers", 8)},
	}
	var submissions []validator.Submission
	var wrong []bool
	add := func(r *request.Request, isWrong bool) {
		submissions = append(submissions, validator.Submission{Anchor: "tx", Raw: r.Encode()})
		wrong = append(wrong, isWrong)
	}
	for _, parts := range lists {
		r := networktest.Signed(t, n, parts...)
		add(r, false)
		for i := range r.Actions {
			actions := slices.Clone(r.Actions)
			actions[i] = otherProof(t, n, actions[i])
			changed, err := request.Decode(signedAgain(t, n, "tx", parts, actions), request.DefaultLimits)
			require.NoError(t, err)
			slices.SortStableFunc(changed.Signatures, func(a, b request.Signature) int { // issues first
				rank := func(s request.Signature) int {
					switch {
					case s.Auditor != nil:
						return 0
					case actions[s.ActionID].Kind == request.Issue:
						return 1
					}
					return 2
				}
				return rank(a) - rank(b)
			})
			add(changed, true)
		}
	}
	for _, e := range []executor.Executor{executor.Serial{}, executor.Pool{Workers: 3}} {
		judge := n.Validator(validator.Options{Executor: e})
		for i, got := range judge.ValidateBatch(submissions) {
			want, err := judge.Validate(submissions[i].Anchor, submissions[i].Raw)
			require.Equal(t, wrong[i], err != nil, "request %d: %v", i, err)
			require.Equal(t, want, got.Accepted, "request %d", i)
			require.Equal(t, fmt.Sprint(err), fmt.Sprint(got.Err), "request %d", i)
		}
	}
}

// TestNamesThatMakeNoSafeKey: a strict validator refuses requests with names that may not
// be parts of ledger keys, which package request lists. Validators that follow a version
// accept them, and name the difference.
func TestNamesThatMakeNoSafeKey(t *testing.T) {
	n := network(t, soundV1)
	noted := func(note string) *v1.Part {
		part := oldTransfer(t, n, 1)
		networktest.EditTransfer(t, n, part, func(a *transfer.Action) {
			a.Metadata = map[string][]byte{note: {1}}
		})
		return part
	}
	spending := func(id token.ID) *v1.Part { return oldTransfer(t, n, 1, id) }
	for name, c := range map[string]struct {
		anchor string
		part   *v1.Part
		rule   string
		want   error // nil if it is accepted
	}{
		"honest":            {"pay", noted("pub.note"), "", nil},
		"anchor with NUL":   {"pay\x000", oldTransfer(t, n, 1), "message", request.ErrKey},
		"metadata with NUL": {"pay", noted("pub.a\x00b"), "actions", request.ErrKey},
		"input of requests": {"pay", spending(token.ID{TxID: "tr"}), "inputs", request.ErrAnchor},
	} {
		t.Run(name, func(t *testing.T) {
			raw := signedAgain(t, n, c.anchor, []*v1.Part{c.part}, []request.Action{c.part.Action})
			_, err := n.Validator(validator.Options{}).Validate(c.anchor, raw)
			var differences []validator.Difference
			if c.want == nil {
				require.NoError(t, err)
			} else {
				refused(t, err, c.rule, c.want)
				differences = append(differences, validator.AnyKeys)
			}
			for _, version := range request.Versions {
				accepted, err := n.Validator(validator.Options{Follow: version}).Validate(c.anchor, raw)
				require.NoError(t, err, version)
				require.Equal(t, differences, accepted.Differences, version)
			}
		})
	}
	n, service, order := orders(t)
	part, err := service.Transfer(order)
	require.NoError(t, err)
	a, err := v1.Assemble("pay", part)
	require.NoError(t, err)
	unsafe := a.AuditRequest()
	unsafe.Anchor = "tr"
	_, err = n.Audit().Check(unsafe)
	require.ErrorIs(t, err, request.ErrAnchor)
	order.Metadata = map[string][]byte{"pub.a\x00b": {1}}
	_, err = service.Transfer(order)
	require.ErrorIs(t, err, request.ErrKey)
}

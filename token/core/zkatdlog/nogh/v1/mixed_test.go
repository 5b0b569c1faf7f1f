package v1_test

import (
	"bytes"
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
	parts, err := n.Parts(fixture.Shape{Kind: kind, Inputs: 2, Outputs: 2}, seed)
	require.NoError(t, err)
	return parts[0]
}

// otherProof returns the action with a changed response in its proof.
func otherProof(t testing.TB, n *fixture.Network, a request.Action) request.Action {
	t.Helper()
	g := n.Params.Group()
	if a.Kind == request.Issue {
		decoded, err := issue.Decode(g, a.Raw, token.DefaultLimits)
		require.NoError(t, err)
		decoded.Proof.Raw = bytes.Clone(decoded.Proof.Raw)
		decoded.Proof.Raw[len(decoded.Proof.Raw)-1] ^= 1
		return request.Action{Kind: a.Kind, Raw: decoded.Encode(g)}
	}
	decoded, err := transfer.Decode(g, a.Raw, token.DefaultLimits)
	require.NoError(t, err)
	decoded.Proof.Raw = bytes.Clone(decoded.Proof.Raw)
	decoded.Proof.Raw[len(decoded.Proof.Raw)-1] ^= 1
	return request.Action{Kind: a.Kind, Raw: decoded.Encode(g)}
}

// TestMixedBatches: requests with issues, transfers and redeems, of v1 and of v2, in
// one request and in several, are accepted in one batch. Next to them each request with
// one signature, action id or proof changed is refused, for the reason of Validate.
func TestMixedBatches(t *testing.T) {
	n := network(t, "BN254", soundV1)
	lists := [][]*v1.Part{
		{oldTransfer(t, n, 1)},
		{newPart(t, n, "redeems", 2)},
		{oldIssue(t, n, 3)},
		{newPart(t, n, "issues", 4), oldIssue(t, n, 5), oldTransfer(t, n, 6), newPart(t, n, "redeems", 7), newPart(t, n, "transfers", 8)},
	}
	var submissions []validator.Submission
	var wrong []bool
	add := func(r *request.Request, isWrong bool) {
		submissions = append(submissions, validator.Submission{Anchor: "tx", Raw: r.Encode()})
		wrong = append(wrong, isWrong)
	}
	for _, parts := range lists {
		r, err := n.SignedUnseen("tx", parts...)
		require.NoError(t, err)
		add(r, false)
		for i := range r.Signatures {
			spoiled := func(change func(s *request.Signature)) {
				signatures := slices.Clone(r.Signatures)
				change(&signatures[i])
				add(&request.Request{Actions: r.Actions, Signatures: signatures}, true)
			}
			others := r.Signatures[0].Raw // of the auditor, who signs first
			if i == 0 {
				others = r.Signatures[1].Raw
			}
			spoiled(func(s *request.Signature) { s.Raw = others })
			if r.Signatures[i].Auditor == nil {
				spoiled(func(s *request.Signature) { s.ActionID += 1 << 16 })
				spoiled(func(s *request.Signature) { s.ActionID += 1 << 8 })
			}
			less := slices.Delete(slices.Clone(r.Signatures), i, i+1)
			add(&request.Request{Actions: r.Actions, Signatures: less}, true)
			more := slices.Insert(slices.Clone(r.Signatures), i, r.Signatures[i])
			add(&request.Request{Actions: r.Actions, Signatures: more}, true)
		}
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

// TestOutputsOfOneTransaction: a request spends outputs of one transaction with
// different indices, also with equal low bits, and no output twice, in one action or
// in two.
func TestOutputsOfOneTransaction(t *testing.T) {
	n := network(t, "BN254", soundV1)
	judge := n.Validator(validator.Options{})
	at := func(index uint64) token.ID { return token.ID{TxID: "made", Index: index} }
	other := token.ID{TxID: "mad", Index: 1}
	validate := func(parts ...*v1.Part) error {
		r, err := n.SignedUnseen("tx", parts...)
		require.NoError(t, err)
		_, alone := judge.Validate("tx", r.Encode())
		verdict := judge.ValidateBatch([]validator.Submission{{Anchor: "tx", Raw: r.Encode()}})[0]
		require.Equal(t, fmt.Sprint(alone), fmt.Sprint(verdict.Err))
		return alone
	}
	same := []uint64{1, 1 + 1<<8, 1 + 1<<16, 1 + 1<<32, 1 << 63}
	var ids []token.ID
	for _, index := range same {
		ids = append(ids, at(index))
	}
	require.NoError(t, validate(oldTransfer(t, n, 1, append(ids, other)...)))
	require.NoError(t, validate(oldTransfer(t, n, 1, ids[:3]...), oldTransfer(t, n, 2, ids[3:]...)))
	for _, index := range []uint64{0, 1, 7, 1 << 16, 1 << 32} {
		refused(t, validate(oldTransfer(t, n, 1, at(index), at(index))), "inputs", validator.ErrRepeatedInput)
		refused(t, validate(oldTransfer(t, n, 1, at(2), at(index)), oldTransfer(t, n, 2, at(3), at(index))), "inputs", validator.ErrRepeatedInput)
	}
}

// TestManyInputs: a transfer of 33 inputs and more is accepted, in v1 and v2. It is
// refused if its last input occurs before, or is another token.
func TestManyInputs(t *testing.T) {
	n := network(t, "BN254", soundV1)
	g := n.Params.Group()
	judge := n.Validator(validator.Options{})
	for _, inputs := range []int{32, 33, 64} {
		made := func(last token.ID) *v1.Part {
			ids := make([]token.ID, inputs)
			for i := range ids {
				ids[i] = token.ID{TxID: "made", Index: uint64(i)}
			}
			ids[inputs-1] = last
			return oldTransfer(t, n, 5, ids...)
		}
		fresh, err := n.Parts(fixture.Shape{Kind: "transfers", Inputs: inputs, Outputs: 1}, 6)
		require.NoError(t, err)
		for _, parts := range [][]*v1.Part{{made(token.ID{TxID: "made", Index: 99})}, fresh} {
			r, err := n.SignedUnseen("tx", parts...)
			require.NoError(t, err)
			accepted, err := judge.Validate("tx", r.Encode())
			require.NoError(t, err, "%d inputs", inputs)
			require.Len(t, accepted.Spent, inputs)

			a, err := transfer.Decode(g, r.Actions[0].Raw, token.DefaultLimits)
			require.NoError(t, err)
			a.Inputs[inputs-1].Token.Data = a.Inputs[0].Token.Data
			actions := []request.Action{{Kind: request.Transfer, Raw: a.Encode(g)}}
			_, err = judge.Validate("tx", signedAgain(t, n, "tx", parts, actions))
			r2 := new(validator.RefusedError)
			require.ErrorAs(t, err, &r2)
			require.Equal(t, "proofs", r2.Rule)
		}
		r, err := n.SignedUnseen("tx", made(token.ID{TxID: "made", Index: uint64(inputs - 2)}))
		require.NoError(t, err)
		_, err = judge.Validate("tx", r.Encode())
		refused(t, err, "inputs", validator.ErrRepeatedInput)
	}
}

package v1_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// TestEffectsOfAWideRequest: its effects are all of its tokens, in the order of its
// actions that the version gives.
func TestEffectsOfAWideRequest(t *testing.T) {
	for _, protocols := range []params.Protocols{{V1: true}, both} {
		w := newWorldOf(t, protocols, 10)
		r := w.wider(1, 10, 10)
		var given, issuesFirst []int
		for _, kind := range []request.Kind{request.Issue, request.Transfer} {
			for at, a := range r.actions {
				if a.kind == kind {
					issuesFirst = append(issuesFirst, at)
				}
			}
		}
		for at := range r.actions {
			given = append(given, at)
		}
		g, req := w.params.Group(), r.signed(change{})
		message, err := req.Message(r.anchor)
		require.NoError(t, err)
		for follow, order := range map[request.Version][]int{
			request.Strict: given, request.V0_15: given, request.V0_14: issuesFirst,
		} {
			t.Run(string(follow), func(t *testing.T) {
				want := &validator.Accepted{Anchor: r.anchor, Message: message, Order: order}
				for _, at := range order {
					if r.actions[at].kind == request.Issue {
						want.Issues = append(want.Issues, r.issueAt(at))
					} else {
						want.Transfers = append(want.Transfers, r.transferAt(at))
					}
					spent, outputs := r.listed(at)
					for _, id := range spent {
						want.Spent = append(want.Spent, validator.Spent{ID: id, Token: []byte(r.ledger[id])})
					}
					for _, out := range outputs {
						created := validator.Created{ID: token.ID{TxID: r.anchor,
							Index: uint64(len(want.Created))}}
						if len(out.Owner) > 0 {
							created.Token = out.Encode(g)
						}
						want.Created = append(want.Created, created)
					}
				}
				judge := r.validator(validator.Options{Ledger: r, Follow: follow})
				got, err := judge.Validate(r.anchor, req.Encode())
				require.NoError(t, err, follow)
				require.Equal(t, want, got, follow)
				batch := judge.ValidateBatch([]validator.Submission{{Anchor: r.anchor, Raw: req.Encode()}})
				require.Equal(t, []validator.Verdict{{Accepted: want}}, batch, follow)
			})
		}
	}
}

// TestBudgetsAreOfRequests: limits count the tokens, the signers, and the members of new
// owners of all actions, wherever they stand. One less than there are refuses the
// request at the last one.
func TestBudgetsAreOfRequests(t *testing.T) {
	w := newWorld(t, params.Protocols{V1: true})
	some := func(n int) (list []several) {
		for i := range n {
			list = append(list, w.owners[3*(i%2)]) // each of two members, of one type or of two
		}
		return list
	}
	require.Equal(t, multisig.Encode(w.members...), w.owners[0].id)
	plain := several{w.alice.Identity(), w.alice.Sign}
	for _, c := range []struct {
		name string
		make func(r *wide)
		// The cost of the request, and the refusal beyond it.
		verifications int
		want          string
	}{
		{"signers of one action", func(r *wide) { r.addTransfer(-1, some(5), r.owners[2:3], nil, nil) },
			3 + 5*2, "signatures: action 0: owner of input 4: member 1: "},
		{"signers of three actions", func(r *wide) {
			r.addTransfer(-1, some(2), r.owners[2:3], nil, nil)
			r.addTransfer(-1, some(1), r.owners[2:3], nil, nil)
			r.addTransfer(-1, some(2), r.owners[2:3], nil, nil)
		}, 3 + 5*2, "signatures: action 2: owner of input 1: member 1: "},
		{"signers of plain owners after several", func(r *wide) {
			r.addTransfer(-1, append(some(3), plain, plain), r.owners[2:3], nil, nil)
		}, 3 + 3*2 + 2, "signatures: action 0: owner of input 4: "},
		{"signers of several after plain owners", func(r *wide) {
			r.addTransfer(-1, append([]several{plain, plain}, some(3)...), r.owners[2:3], nil, nil)
		}, 3 + 2 + 3*2, "signatures: action 0: owner of input 4: member 1: "},
		{"members of new owners of one action", func(r *wide) { r.addIssue(0, some(6), r.issuers[0]) },
			6 * 2, "issue: owners: action 0: output 5: "},
		{"members of new owners of three actions", func(r *wide) {
			r.addIssue(0, some(3), r.issuers[0])
			r.addTransfer(-1, r.owners[2:3], some(3), nil, nil)
			r.addIssue(0, some(3), r.issuers[2])
		}, 9 * 2, "issue: owners: action 2: output 2: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &wide{world: w, anchor: "tx", ledger: map[token.ID]string{}}
			c.make(r)
			raw := r.signed(change{}).Encode()
			validate := func(verifications int) error {
				limits := request.Limits{Verifications: verifications}
				_, err := r.validator(validator.Options{Limits: limits}).Validate(r.anchor, raw)
				return err
			}
			require.NoError(t, validate(c.verifications))
			err := validate(c.verifications - 1)
			require.ErrorIs(t, err, validator.ErrManySigners)
			require.ErrorContains(t, err, c.want)
		})
	}
	r := w.wide(0)
	inputs, outputs := 0, 0
	for at := range r.actions {
		spent, made := r.listed(at)
		inputs, outputs = inputs+len(spent), outputs+len(made)
	}
	for _, less := range []token.Limits{{}, {Inputs: 1}, {Outputs: 1}} {
		limits := request.Limits{Tokens: token.Limits{Inputs: inputs - less.Inputs,
			Outputs: outputs - less.Outputs}}
		_, err := r.validator(validator.Options{Limits: limits}).Validate(r.anchor,
			r.signed(change{}).Encode())
		if less == (token.Limits{}) {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, wire.ErrTooLarge)
		require.ErrorContains(t, err, "actions: action 5: ")
	}
}

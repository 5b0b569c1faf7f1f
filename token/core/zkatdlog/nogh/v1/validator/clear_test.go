package validator_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/clear"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestClear: validators of the baseline apply the rules of requests to clear actions,
// and no other validator reads these.
func TestClear(t *testing.T) {
	n := networktest.New(t, fixture.Config{})
	ready, err := n.NewTransfer(1, 1, 1)
	require.NoError(t, err)
	owner := ready.Owners[0]
	coin := func(v uint64) token.Clear {
		return token.Clear{Owner: owner.Identity(), Type: "EUR", Quantity: token.FormatQuantity(v)}
	}
	burned := func(v uint64) token.Clear { c := coin(v); c.Owner = nil; return c }
	in := clear.Input{ID: token.ID{TxID: "before"}, Token: coin(7)}
	state := &ledger.Memory{}
	raw, err := in.Token.Encode()
	require.NoError(t, err)
	state.Put(in.ID, raw)
	v := n.ClearValidator(validator.Options{Ledger: state})
	sign := func(kind request.Kind, raw []byte, signers ...fixture.Wallet) []byte {
		p := &v1.Part{Action: request.Action{Kind: kind, Raw: raw}}
		for _, s := range signers {
			p.Signers = append(p.Signers, s)
		}
		return networktest.Signed(t, n, p).Encode()
	}
	validate := func(v *validator.Validator, kind request.Kind, a clear.Action,
		signers ...fixture.Wallet) (*validator.Accepted, error) {
		return v.Validate("tx", sign(kind, a.Encode(), signers...))
	}
	issuer, other := n.Issuer.Identity(), []token.Clear{coin(3), coin(4)}
	pay := func(to ...token.Clear) clear.Action {
		return clear.Action{Inputs: []clear.Input{in}, Outputs: to}
	}
	for name, c := range map[string]struct {
		kind    request.Kind
		action  clear.Action
		signers []fixture.Wallet
		want    error
	}{
		"transfer": {request.Transfer, pay(other...), []fixture.Wallet{owner}, nil},
		"redeem": {request.Transfer,
			clear.Action{Inputs: []clear.Input{in}, Outputs: []token.Clear{burned(3), coin(4)},
				Issuer: issuer}, []fixture.Wallet{owner, n.Issuer}, nil},
		"issue": {request.Issue, clear.Action{Outputs: other, Issuer: issuer},
			[]fixture.Wallet{n.Issuer}, nil},
		"unsigned": {request.Transfer, pay(other...), nil, validator.ErrMissing},
		"not on ledger": {request.Transfer,
			clear.Action{Inputs: []clear.Input{{ID: in.ID, Token: coin(8)}}, Outputs: []token.Clear{coin(8)}},
			[]fixture.Wallet{owner}, validator.ErrNotOnLedger},
		"spent twice": {request.Transfer,
			clear.Action{Inputs: []clear.Input{in, in}, Outputs: []token.Clear{coin(14)}},
			[]fixture.Wallet{owner, owner}, validator.ErrRepeatedInput},
		"redeem by owner": {request.Transfer, pay(burned(7)), []fixture.Wallet{owner}, validator.ErrNoIssuer},
		"unknown metadata": {request.Issue,
			clear.Action{Outputs: other, Issuer: issuer, Metadata: map[string][]byte{"a": nil}},
			[]fixture.Wallet{n.Issuer}, validator.ErrMetadata},
	} {
		t.Run(name, func(t *testing.T) {
			accepted, err := validate(v, c.kind, c.action, c.signers...)
			require.ErrorIs(t, err, c.want)
			if c.want != nil {
				return
			}
			require.Len(t, accepted.Created, len(c.action.Outputs))
			for j, out := range c.action.Outputs {
				if len(out.Owner) == 0 {
					require.Nil(t, accepted.Created[j].Token)
					continue
				}
				got, err := token.DecodeClear(accepted.Created[j].Token)
				require.NoError(t, err)
				require.Equal(t, out, got)
			}
			_, err = validate(n.Validator(validator.Options{}), c.kind, c.action, c.signers...)
			require.Error(t, err, "%s: by a validator for networks", name)
		})
	}
	a := pay(other...)
	_, err = v.Validate("tx", sign(request.Transfer, a.Encode()[1:], owner))
	require.ErrorAs(t, err, new(*wire.DecodeError))
	accepted, err := validate(v, request.Transfer, a, owner)
	require.NoError(t, err)
	require.NoError(t, state.Apply(accepted))
	_, err = validate(v, request.Transfer, a, owner)
	require.ErrorIs(t, err, validator.ErrKnownAnchor)
}

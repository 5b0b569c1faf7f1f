package identity_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// lot is a batch that takes the state "right".
type lot struct {
	name  string
	calls *[]string
}

func (l lot) Finish(sets [][]any, _ executor.Executor) []error {
	*l.calls = append(*l.calls, fmt.Sprint(l.name, sets))
	errs := make([]error, len(sets))
	for k, states := range sets {
		if i := slices.IndexFunc(states, func(s any) bool { return s != "right" }); i >= 0 {
			errs[k] = &identity.RestError{Index: i, Err: identity.ErrSignature}
		}
	}
	return errs
}

// later puts off all of its verification.
type later struct{ of lot }

func (l later) Verify(m identity.Message, signature []byte) error {
	return identity.Complete(l, m, signature)
}

func (l later) Begin(_ identity.Message, signature []byte) ([]identity.Rest, error) {
	if len(signature) == 0 {
		return nil, identity.ErrSignature
	}
	return []identity.Rest{{Batch: l.of, State: string(signature)}}, nil
}

// TestRestsAreFinishedByBatch: one call for each batch, and the first wrong rest of
// a batch is named.
func TestRestsAreFinishedByBatch(t *testing.T) {
	var calls []string
	a, b := lot{"a", &calls}, lot{"b", &calls}
	rest := func(l lot, state string) identity.Rest { return identity.Rest{Batch: l, State: state} }
	serial := executor.Serial{}
	require.NoError(t, identity.Finish(nil, serial))
	require.NoError(t, identity.Finish([]identity.Rest{rest(a, "right"), rest(b, "right"), rest(a, "right")}, serial))
	require.Equal(t, []string{"a[[right right]]", "b[[right]]"}, calls)
	for want, rests := range [][]identity.Rest{
		{rest(a, "wrong"), rest(b, "right")},
		{rest(a, "right"), rest(b, "wrong"), rest(b, "wrong")},
		{rest(b, "right"), rest(a, "right"), rest(a, "wrong"), rest(b, "right")},
		{rest(b, "right"), rest(a, "right"), rest(a, "right"), rest(b, "wrong")},
	} {
		wrong := new(identity.RestError)
		require.ErrorAs(t, identity.Finish(rests, serial), &wrong)
		require.Equal(t, want, wrong.Index)
		require.ErrorIs(t, wrong, identity.ErrSignature)
	}
}

// TestSetsAreFinishedTogether: one call for each batch over all sets. The error of
// a set names its own wrong rest, and a set with an error is left out of the
// batches that follow.
func TestSetsAreFinishedTogether(t *testing.T) {
	var calls []string
	a, b := lot{"a", &calls}, lot{"b", &calls}
	rest := func(l lot, state string) identity.Rest { return identity.Rest{Batch: l, State: state} }
	errs := identity.FinishAll([][]identity.Rest{
		{rest(b, "right"), rest(a, "right")},
		nil,
		{rest(b, "right"), rest(a, "right"), rest(b, "wrong"), rest(a, "right")},
		{rest(a, "right"), rest(a, "wrong")},
	}, executor.Serial{})
	require.Equal(t, []string{"b[[right] [] [right wrong] []]", "a[[right] [] [] [right wrong]]"}, calls)
	require.Equal(t, []error{
		nil, nil, &identity.RestError{Index: 2, Err: identity.ErrSignature}, &identity.RestError{Index: 1, Err: identity.ErrSignature},
	}, errs)
}

// broken is a batch that fails for all sets.
type broken struct{}

func (broken) Finish(sets [][]any, e executor.Executor) []error {
	return slices.Repeat([]error{e.Run(1, func(int) error { panic("broken") })}, len(sets))
}

// TestPanicsAreOfTheirSets: a panic in a batch is an error of the sets with rests in
// it, and of no other.
func TestPanicsAreOfTheirSets(t *testing.T) {
	var calls []string
	errs := identity.FinishAll([][]identity.Rest{
		{{Batch: lot{"a", &calls}, State: "right"}}, {{Batch: broken{}}}, nil,
	}, executor.Serial{})
	require.ErrorAs(t, errs[1], new(*executor.PanicError))
	require.Equal(t, []error{nil, errs[1], nil}, errs)
}

// TestMembersArePutOff: owners of several parties put off the work of their members.
func TestMembersArePutOff(t *testing.T) {
	var calls []string
	r := identity.Registry{99: func([]byte) (identity.Verifier, error) { return later{lot{"a", &calls}}, nil }}
	r[identity.Multisig], r[identity.Policy] = multisig.New(r, nil), policy.New(r, nil)
	member := identity.Typed{Type: 99, Raw: []byte{1}}.Encode()
	either, err := policy.Policy{Text: "$0 OR $1", Members: [][]byte{member, member}}.Encode()
	require.NoError(t, err)
	owner := multisig.Encode(member, either)
	right, wrong := []byte("right"), []byte("wrong")
	for _, c := range []struct {
		signature []byte
		calls     []string
		err       string
	}{
		{multisig.Join(right, policy.Join(nil, right)), []string{"a[[right right]]"}, ""},
		{multisig.Join(right, policy.Join(right, right)), []string{"a[[right right right]]"}, ""},
		{multisig.Join(right, policy.Join(wrong, nil)), []string{"a[[right wrong]]"}, "member 1: member 0: signature is rejected"},
		{multisig.Join(nil, policy.Join(right, nil)), nil, "multisig signature: member 0 is missing"},
	} {
		calls = nil
		err := r.Verify(owner, nil, c.signature)
		if c.err == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.err)
		}
		require.False(t, errors.As(err, new(*identity.RestError)), "the error is that of the member")
		require.Equal(t, c.calls, calls)
	}
}

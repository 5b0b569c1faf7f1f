package identity_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// lot is work that takes the state "right".
type lot struct {
	round.Work[string]
	calls []string
}

func newLot() *lot {
	l := new(lot)
	l.Do = func(_ group.Group, _ executor.Executor, states []string) []error {
		l.calls = append(l.calls, fmt.Sprint(states))
		errs := make([]error, len(states))
		for i, s := range states {
			if s != "right" {
				errs[i] = identity.ErrSignature
			}
		}
		return errs
	}
	return l
}

// later verifies signatures together.
type later struct{ of *lot }

func (l later) Begin(_ identity.Message, signature []byte) (identity.Task, error) {
	if len(signature) == 0 {
		return nil, identity.ErrSignature
	}
	return round.TaskOf(func(r round.Round) error { return l.of.Wait(r, string(signature)) }), nil
}

// TestMembersAreVerifiedTogether: owners of several parties verify their members in one
// call, and name the first wrong one.
func TestMembersAreVerifiedTogether(t *testing.T) {
	a := newLot()
	r := identity.Registry{99: func([]byte) (identity.Verifier, error) { return later{a}, nil }}
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
		{multisig.Join(right, policy.Join(nil, right)), []string{"[right right]"}, ""},
		{multisig.Join(right, policy.Join(right, right)), []string{"[right right right]"}, ""},
		{multisig.Join(right, policy.Join(wrong, nil)), []string{"[right wrong]"},
			"member 1: member 0: signature is rejected"},
		{multisig.Join(nil, policy.Join(right, nil)), nil, "multisig signature: member 0 is missing"},
	} {
		a.calls = nil
		err := r.Verify(owner, nil, c.signature)
		if c.err == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.err)
		}
		require.Equal(t, c.calls, a.calls)
	}
}

// TestOwnersAreVerifiedTogether: one call for the signatures of several requests. Each
// names the first wrong signature that its search finds.
func TestOwnersAreVerifiedTogether(t *testing.T) {
	a, b := newLot(), newLot()
	sets := [][]struct {
		of    *lot
		state string
	}{
		{{b, "right"}, {a, "right"}},
		nil,
		{{b, "right"}, {a, "right"}, {b, "wrong"}, {a, "right"}},
		{{a, "right"}, {a, "wrong"}},
		{{b, "wrong"}, {a, "wrong"}},
		{{b, "wrong"}, {a, ""}, {a, "right"}}, // wrong without a call
	}
	want, got := []int{-1, -1, 2, 1, 0, 1}, make([]int, len(sets))
	require.NoError(t, round.Run(nil, func(r round.Round) error {
		return r.Each(len(sets), func(r round.Round, i int) error {
			named := func(k int, err error) error { return fmt.Errorf("%w%w", at(k), err) }
			task, err := identity.BeginAll(len(sets[i]), named, func(k int) (identity.Task, error) {
				return (later{sets[i][k].of}).Begin(identity.Message{}, []byte(sets[i][k].state))
			})
			if task != nil {
				err = task.Do(r)
			}
			index := at(-1)
			require.Equal(t, err != nil, errors.As(err, &index))
			got[i] = int(index)
			return nil
		})
	}))
	require.Equal(t, want, got)
	require.Equal(t, []string{"[right right right right wrong wrong]"}, a.calls)
	require.Equal(t, []string{"[right right wrong wrong]"}, b.calls)
}

// at is the index of a wrong signature.
type at int

func (at) Error() string { return "" }

package audit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// TestRememberedPartiesAreBounded: however many parties a request has, the last ones are
// remembered in the memory that was made for them. Each other one is looked at with its
// task, also a remembered one with other information.
func TestRememberedPartiesAreBounded(t *testing.T) {
	left := budget{parties: 10 * mostMatched, matched: make([]matched, 0, mostMatched)}
	looked, put := 0, new(later)
	match := func(_, _ []byte) (identity.Task, error) {
		looked++
		return round.TaskOf(func(round.Round) error { return nil }), nil
	}
	c := &check{Auditor: &Auditor{o: Options{Matchers: Matchers{identity.X509: match}}}, left: &left,
		later: put}
	for i := range 3*mostMatched + 1 {
		party := identity.Typed{Type: identity.X509, Raw: fmt.Append(nil, i/2)}
		for range 2 {
			require.NoError(t, c.matchPlain(party, fmt.Append(nil, i%2)))
		}
		require.Equal(t, i+1, looked, "the last party is remembered")
		require.Len(t, put.checks, looked)
		require.Len(t, left.matched, i%mostMatched+1)
		require.Equal(t, mostMatched, cap(left.matched))
	}
}

// TestUntypedPartiesAreRefused: alone, and at every place among the members of an owner.
func TestUntypedPartiesAreRefused(t *testing.T) {
	const members = 10
	typed := func(i int) []byte {
		return identity.Typed{Type: identity.X509, Raw: fmt.Append(nil, i)}.Encode()
	}
	info, err := Info(multisig.Encode(typed(0), typed(1)), func([]byte) ([]byte, error) {
		return []byte("info"), nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, info)
	for wrong := range members + 2 {
		left := budget{parties: 100, matched: make([]matched, 0, mostMatched)}
		c := &check{Auditor: &Auditor{o: Options{Matchers: Matchers{identity.X509: AtOnce(func(_,
			_ []byte) error {
			return nil
		})}}}, left: &left, later: new(later)}
		var all [][]byte
		for i := range members {
			all = append(all, typed(i))
		}
		encoded, err := Info(multisig.Encode(all...), func([]byte) ([]byte, error) {
			return []byte("info"), nil
		})
		require.NoError(t, err)
		switch {
		case wrong < members:
			all[wrong] = []byte("?")
			require.ErrorContains(t, c.match("owner", multisig.Encode(all...), encoded),
				fmt.Sprintf("party %d: ", wrong))
		case wrong == members:
			require.NoError(t, c.match("owner", multisig.Encode(all...), encoded))
		default:
			require.Error(t, c.match("owner", []byte("?"), []byte("info")))
		}
	}
}

package audit // budget and matched are private: remembered parties change no verdict

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
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

package audit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
)

// TestRememberedPartiesAreBounded: however many parties a request has, the last ones are
// remembered in the memory that was made for them.
func TestRememberedPartiesAreBounded(t *testing.T) {
	left := budget{parties: 10 * mostMatched, matched: make([]matched, 0, mostMatched)}
	looked := 0
	c := &check{Auditor: &Auditor{o: Options{Matchers: Matchers{identity.X509: AtOnce(func(_, _ []byte) error {
		looked++
		return nil
	})}}}, left: &left, later: new(later)}
	for i := range 3*mostMatched + 1 {
		party := identity.Typed{Type: identity.X509, Raw: fmt.Append(nil, i)}
		for range 2 {
			require.NoError(t, c.matchPlain(party, []byte("info")))
		}
		require.Equal(t, i+1, looked, "the last party is remembered")
		require.Len(t, left.matched, i%mostMatched+1)
		require.Equal(t, mostMatched, cap(left.matched))
	}
}

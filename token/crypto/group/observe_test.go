package group_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

// told is a group that records the calls to it.
type told struct {
	group.Group
	calls *[]any
}

var _ group.Observer = told{}

func (o told) note(call ...any)              { *o.calls = append(*o.calls, call...) }
func (o told) Phase(name string) group.Group { o.note("phase", name); return o }
func (o told) CountWork(w group.Work, n int) { o.note([]string{"pairing", "decode", "hash"}[w], n) }
func (o told) CountSignatures(n int, of func(i int) group.Signature) {
	o.note("signatures", n, of(n-1).Known)
}
func (o told) Enter(name string) func() {
	o.note("enter", name)
	return func() { o.note("leave", name) }
}

// TestObserversAreTold, and other groups stay as they are.
func TestObserversAreTold(t *testing.T) {
	plain := grouptest.Toy(199)
	o := told{plain, new([]any)}
	require.Equal(t, o, group.Phase(o, "a"))
	group.CountWork(o, group.Pairings, 2)
	group.CountWork(o, group.Decodings, 3)
	group.CountSignatures(o, 4, func(i int) group.Signature { return group.Signature{Known: i == 3} })
	group.Enter(o, "b")()
	require.Equal(t,
		[]any{"phase", "a", "pairing", 2, "decode", 3, "signatures", 4, true, "enter", "b", "leave", "b"},
		*o.calls)
	require.Equal(t, plain, group.Phase(plain, "a"))
	group.CountWork(plain, group.Pairings, 2)
	group.CountWork(plain, group.Decodings, 3)
	group.CountSignatures(plain, 4, nil)
	group.Enter(plain, "b")()
}

// TestRowsNameTheirPoints: by index, or consecutive ones.
func TestRowsNameTheirPoints(t *testing.T) {
	require.Equal(t, 5, group.Row{First: 3}.At(2))
	require.Equal(t, 9, group.Row{First: 3, Index: []int32{7, 8, 9}}.At(2))
}

// TestSelectionOfScalars returns the entry of each digit.
func TestSelectionOfScalars(t *testing.T) {
	g := grouptest.Toy(199)
	var table [group.DigitBase]group.Scalar
	for i := range table {
		table[i] = g.Uint64(uint64(100 + i))
	}
	for i := range table {
		require.Equal(t, table[i], group.SelectScalar(&table, uint8(i)))
		for j := range table {
			require.Equal(t, i == j, group.EqualMask(uint8(i), uint8(j)) == ^uint64(0))
			require.Equal(t, i != j, group.EqualMask(uint8(i), uint8(j)) == 0)
		}
	}
}

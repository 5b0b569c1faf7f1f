package opcount_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// trace is a Step that records the place of each call.
type trace struct {
	path  string
	calls *[]string
}

func (s trace) Step(name string) count.Steps { return trace{s.path + "/" + name, s.calls} }
func (s trace) Begin()                       { *s.calls = append(*s.calls, s.path) }
func (s trace) Leave()                       { *s.calls = append(*s.calls, "") }

func TestCallsBelongToTheirPhase(t *testing.T) {
	plain := vectors.Curve(t, "BN254")
	var calls []string
	g := opcount.Steps(plain, trace{"op", &calls})
	p := g.Generator() // not observed
	commit := group.Phase(group.Phase(g, "proof"), "commit")
	q := group.MulPoint(commit, p, g.Uint64(3))
	g.AddPoints(p, q)
	require.Equal(t, []string{"op/proof/commit", "", "op", ""}, calls)
	require.True(t, plain.Equal(q, group.MulPoint(plain, p, plain.Uint64(3))))
}

// TestPartsOutsideTheGroup: work that calls no group is entered by name, calls inside
// belong to their phase, and other groups are not disturbed.
func TestPartsOutsideTheGroup(t *testing.T) {
	plain := vectors.Curve(t, "BN254")
	group.Enter(plain, "signatures")()
	var calls []string
	g := opcount.Steps(plain, trace{"op", &calls})
	leave := group.Enter(g, "decoding")
	_, err := group.Phase(g, "decoding").DecodePoint(plain.AppendPoint(nil, plain.Generator()))
	require.NoError(t, err)
	leave()
	require.Equal(t, []string{"op/decoding", "op/decoding", "", ""}, calls)
}

// TestEveryMethodIsObservedOrFree calls each method with zero values on a Group
// without steps: an observed one enters its step first.
func TestEveryMethodIsObservedOrFree(t *testing.T) {
	of := reflect.TypeFor[group.Group]()
	for i := range of.NumMethod() {
		method := of.Method(i)
		var calls []string
		g := reflect.ValueOf(opcount.Steps(nil, trace{"op", &calls})).MethodByName(method.Name)
		args := make([]reflect.Value, g.Type().NumIn())
		for j := range args {
			args[j] = reflect.Zero(g.Type().In(j))
		}
		require.Panics(t, func() { g.Call(args) })
		require.Equal(t, slices.Contains(free, method.Name), len(calls) == 0, method.Name)
	}
}

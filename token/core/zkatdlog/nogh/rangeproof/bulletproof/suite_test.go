package bulletproof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

func maker(t testing.TB, g group.Group, bits int) rangeproof.System { return system(t, g, bits) }

func TestSuite(t *testing.T) { rangetest.Run(t, maker, []int{1, 2, 4, 8, 16, 32, 64}) }

func FuzzDecode(f *testing.F) { rangetest.FuzzDecode(f, rangeproof.Bulletproof, maker) }

// withTables makes the System with tables of the default size.
func withTables(t testing.TB, g group.Group, bits int) rangeproof.System {
	s, err := bulletproof.New(config(g, bits))
	require.NoError(t, err)
	return s
}

func BenchmarkProve(b *testing.B)  { rangetest.BenchProve(b, withTables, 16, 32, 64) }
func BenchmarkVerify(b *testing.B) { rangetest.BenchVerify(b, withTables, 16, 32, 64) }
func BenchmarkValues(b *testing.B) { rangetest.BenchValues(b, withTables, 64) }

func TestOpposedErrorsDoNotCancel(t *testing.T) {
	rangetest.Cancelling(t, maker, func(g group.Group, p rangeproof.Proof, d group.Scalar) {
		bp := p.(*bulletproof.Proof)
		bp.Tau = g.Add(bp.Tau, d)
	})
}

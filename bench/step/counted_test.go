package step_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/count"
)

func TestColumns(t *testing.T) {
	row := step.Counted(count.Counts{
		count.One(count.Double): 2, count.Of(count.Sum, 4): 1, count.Of(count.FixedMSM, 7): 3,
		{Group: "G2", Op: count.ScalarMul, Size: 1}: 5, {Group: "G2", Op: count.MSM, Size: 2}: 1,
		{Group: "GT", Op: count.Pairing, Size: 2}: 1, {Group: "GT", Op: count.FinalExp, Size: 1}: 1,
		count.Of(count.FieldMul, 10): 2, {Layer: count.Inside, Op: count.Add, Size: 1}: 1000,
	})
	require.Equal(t, step.Row{
		step.Add: 3, step.Double: 2, step.FixedMSM: 3, step.FixedMSMTerms: 21, step.G2ScalarMul: 5, step.G2MSMTerms: 2,
		step.PairingTerms: 2, step.FinalExp: 1, step.FieldMul: 20,
	}, row)
}

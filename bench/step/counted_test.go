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
	got := map[string]uint64{}
	for _, c := range step.Columns() {
		if row[c] != 0 {
			got[c.String()] = row[c]
		}
	}
	require.Equal(t, map[string]uint64{
		"Add": 3, "Double": 2, "FixedMSM": 3, "FixedMSM_terms": 21, "G2_ScalarMul": 5, "G2_MSM_terms": 2,
		"Pairing_terms": 2, "FinalExp": 1, "Field_mul": 20,
	}, got)
}

// TestColumnsFollowTheOperations: each counted figure has a column, and no two of them
// share one.
func TestColumnsFollowTheOperations(t *testing.T) {
	columns := map[string]int{}
	for _, c := range step.Columns() {
		columns[c.String()]++
	}
	for _, c := range count.Columns() {
		require.Equal(t, 1, columns[c.Name], c.Name)
	}
	require.Len(t, columns, len(step.Columns()))
	require.LessOrEqual(t, len(step.Columns()), len(step.Row{}))
}

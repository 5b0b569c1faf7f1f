package pin // setOf is private: a machine may have few processors

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSetsOfManyProcessors(t *testing.T) {
	var cpus []int
	for i := range 12 {
		cpus = append(cpus, 3*i)
	}
	set := setOf(cpus)
	require.Equal(t, 12, set.Count())
	for _, cpu := range cpus {
		require.True(t, set.IsSet(cpu))
	}
}

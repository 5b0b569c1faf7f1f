package main

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/testflags"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// TestTestFlagsAreTheFlagsOfAllSubjects checks that test binaries without
// benchmarks accept the flags of all subjects.
func TestTestFlagsAreTheFlagsOfAllSubjects(t *testing.T) {
	values, switches := map[string]bool{}, map[string]bool{}
	for _, s := range subjects {
		var set flags.Set
		s.RegisterLoad(&set)
		for _, f := range set.All() {
			if f.Switch {
				switches[f.Name] = true
			} else {
				values[f.Name] = true
			}
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys(values)), testflags.Values)
	require.Equal(t, slices.Sorted(maps.Keys(switches)), testflags.Switches)
}

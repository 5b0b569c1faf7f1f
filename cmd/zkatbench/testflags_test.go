package main

import (
	"flag"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/testflags"
)

// TestTestFlagsAreTheFlagsOfAllSubjects checks that test binaries without
// benchmarks accept the flags of all subjects.
func TestTestFlagsAreTheFlagsOfAllSubjects(t *testing.T) {
	values, switches := map[string]bool{}, map[string]bool{}
	for _, s := range subjects {
		fs := flag.NewFlagSet(s.Name, flag.ContinueOnError)
		options := s.Options()
		options.RegisterLoad(fs)
		fs.VisitAll(func(f *flag.Flag) {
			if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
				switches[f.Name] = true
			} else {
				values[f.Name] = true
			}
		})
	}
	require.Equal(t, slices.Sorted(maps.Keys(values)), testflags.Values)
	require.Equal(t, slices.Sorted(maps.Keys(switches)), testflags.Switches)
}

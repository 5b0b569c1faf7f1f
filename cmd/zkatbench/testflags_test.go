package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/golden"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// TestTestFlagsAreTheFlagsOfAllSubjects checks that test binaries without
// benchmarks accept the flags of all subjects.
func TestTestFlagsAreTheFlagsOfAllSubjects(t *testing.T) {
	var lines []string
	for _, s := range subjects {
		var set flags.Set
		s.RegisterLoad(&set)
		for _, f := range set.All() {
			line := f.Name
			if f.Switch {
				line += " switch"
			}
			lines = append(lines, line)
		}
	}
	slices.SortFunc(lines, strings.Compare)
	want := strings.Join(slices.Compact(lines), "\n") + "\n"
	const file = "../../internal/testflags/names.txt"
	if golden.Updating() {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, want, string(text), "go generate ./cmd/zkatbench")
}

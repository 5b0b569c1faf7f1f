package testflags_test

import (
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/testflags"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func TestAccept(t *testing.T) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	bits := fs.Int("bits", 0, "defined before")
	testflags.Accept(fs)
	require.NoError(t, fs.Parse([]string{"-bits=16", "-curves=anything", "-profile", "-workers", "1,2"}))
	require.Equal(t, 16, *bits)
	require.Empty(t, fs.Args())
}

func TestNamesAreSorted(t *testing.T) {
	require.True(t, slices.IsSorted(testflags.Values))
	require.True(t, slices.IsSorted(testflags.Switches))
}

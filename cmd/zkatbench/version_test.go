package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVersion says the newest release of the change log.
func TestVersion(t *testing.T) {
	changes, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	newest := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+) \(`).FindSubmatch(changes)
	require.NotNil(t, newest, "CHANGELOG.md has no release")
	out, _, status := try("version")
	require.Zero(t, status)
	require.Regexp(t, "^zkatbench "+regexp.QuoteMeta(string(newest[1]))+", module .*, revision .*, go1", out)
}

package nightly_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

func TestPick(t *testing.T) {
	want := map[bool]string{true: "night", false: "usual"}
	for on, value := range map[bool]string{true: "1", false: ""} {
		t.Setenv(nightly.Env, value)
		if testing.Short() {
			require.Equal(t, "short", nightly.Pick("short", "usual", "night"))
			require.False(t, nightly.On())
			continue
		}
		require.Equal(t, want[on], nightly.Pick("short", "usual", "night"))
		require.Equal(t, on, nightly.On())
	}
}

// Package nightly tells tests how long they may take. There are three sizes: short
// (go test -short: make check and the race detector), usual (go test ./...:
// .ci/run) and nightly (.ci/nightly sets ZKAT_NIGHTLY). docs/ci.md lists the
// checks that each runs.
package nightly

import (
	"os"
	"runtime/debug"
	"slices"
	"testing"
)

// env is the environment variable that .ci/nightly sets.
const env = "ZKAT_NIGHTLY"

// On reports whether tests run in their nightly size.
func On() bool { return os.Getenv(env) != "" && !testing.Short() }

// Pick returns the value for the size of the tests.
func Pick[T any](short, usual, night T) T {
	switch {
	case testing.Short():
		return short
	case On():
		return night
	}
	return usual
}

// Racing reports whether the race detector runs. Code allocates more memory then, and
// pools drop items at random.
func Racing() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

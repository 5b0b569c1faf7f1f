package host // revision, version and collector are private: a test binary has one build and no revision

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRevisionsAndVersions finds them at any place of the information that the linker
// wrote.
func TestRevisionsAndVersions(t *testing.T) {
	require.Equal(t, Unknown, revision(nil))
	require.Equal(t, Unknown, version(nil))
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "a", Value: "true"},
		{Key: "vcs.modified", Value: "true"}, {Key: "b"}, {Key: "c"}, {Key: "d"}, {Key: "e"}, {Key: "f"},
		{Key: "g"}, {Key: "vcs.time"}}}
	require.Equal(t, Unknown, revision(info))
	info.Settings = append(info.Settings, debug.BuildSetting{Key: "vcs.revision", Value: "abc"})
	require.Equal(t, "abc+changes", revision(info))
	info.Settings[1].Value = "false"
	require.Equal(t, "abc", revision(info))

	const ours = "github.com/zkatbench/zkatbench"
	require.Equal(t, Unknown, version(info))
	info.Main = debug.Module{Path: ours, Version: "v1"}
	require.Equal(t, "v1", version(info))
	for range 9 {
		info.Deps = append(info.Deps, &debug.Module{Path: "other", Version: "v9"})
	}
	info.Main.Version = ""
	require.Equal(t, Unknown, version(info))
	info.Main.Path = "other"
	info.Deps = append(info.Deps, &debug.Module{Path: ours, Version: "v2"})
	require.Equal(t, "v2", version(info))
	s := Read()
	own, _ := debug.ReadBuildInfo()
	require.Equal(t, []string{revision(own), version(own)}, []string{s.Revision, s.Version})
	require.Equal(t, "word", setting(5, 5, "word", "text"))
	require.Equal(t, "text", setting(4, 5, "word", "text"))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64 - 1))
	_, limit := collector()
	require.Equal(t, "8.796e+12 MiB", limit)
}

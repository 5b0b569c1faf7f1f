package host // revision, version and collector are private: a test binary has one build and no revision

import (
	"fmt"
	"math"
	"runtime/debug"
	"testing"
	"testing/fstest"

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

// TestFilesOfLinux are read at each place, and refused if they are cut.
func TestFilesOfLinux(t *testing.T) {
	read := func(files map[string]string) State {
		f := fstest.MapFS{}
		for name, text := range files {
			f[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return readFrom(f)
	}
	for _, c := range []struct{ file, text, want string }{
		{"sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", "on"},
		{"sys/devices/system/cpu/intel_pstate/no_turbo", "1", "off"},
		{"sys/devices/system/cpu/intel_pstate/no_turbo", "2", Unknown},
		{"sys/devices/system/cpu/cpufreq/boost", "0", "off"},
		{"sys/devices/system/cpu/cpufreq/boost", "1", "on"},
		{"sys/devices/system/cpu/cpufreq/boost", "", Unknown},
	} {
		t.Run(c.file+" "+c.text, func(t *testing.T) {
			require.Equal(t, c.want, read(map[string]string{c.file: c.text}).Turbo)
		})
	}
	for _, c := range []struct {
		group, outer, inner, want string
	}{
		{"0::/a/b", "max 100000", "max 100000", "none"}, {"0::/a/b", "", "max 100000", "none"},
		{"0::/a/b", "", "", Unknown}, {"0::/a/b", "150000 100000", "200000 100000", "1.5"},
		{"0::/a/b", "250000 100000", "200000 100000", "2"},
		{"0::/a/b", "200000 0", "", Unknown}, {"0::/a/b", "200000", "", Unknown},
		{"", "50000 100000", "", "0.5"}, {"1:cpu:/a\n0::/a/b", "", "33333 100000", "0.333"},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			files := map[string]string{"proc/self/cgroup": c.group, "sys/fs/cgroup/cpu.max": c.outer,
				"sys/fs/cgroup/a/b/cpu.max": c.inner}
			require.Equal(t, c.want, read(files).Quota)
		})
	}
	s := read(map[string]string{"proc/cpuinfo": "x\ny\nmodel name : A: B\nmodel name : C\n",
		"proc/stat":              "cpu0 1 1 1 1 1 1 1 1\ncpu  0 0 0 0 0 0 0 150 9\n",
		"sys/fs/cgroup/cpu.stat": "a 1\nthrottled_usec 500000\n"})
	require.Equal(t, "A: B", s.CPU)
	require.InDelta(t, 1.5, *s.Steal, 1e-12)
	require.InDelta(t, 0.5, *s.Throttled, 1e-12)
	require.Equal(t, []string{Unknown, Unknown}, []string{s.Revision, s.Version})
	s = read(map[string]string{"proc/stat": "cpu  0 0 0 0 0 0 0\n",
		"proc/pressure/cpu": "full avg10=0 avg60=0 avg300=0 total=7\n"})
	require.Nil(t, s.Steal)
	require.Nil(t, s.Pressure)
}

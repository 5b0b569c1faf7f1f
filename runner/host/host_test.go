package host_test

import (
	"fmt"
	"math"
	"runtime/debug"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/host"
)

func files(m map[string]string) fstest.MapFS {
	f := fstest.MapFS{}
	for name, text := range m {
		f[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return f
}

// TestStateIsReadFromFiles has one file of each kind, as Linux writes them.
func TestStateIsReadFromFiles(t *testing.T) {
	s := host.ReadFrom(files(map[string]string{
		"proc/cpuinfo": "processor\t: 0\nmodel name\t: Example CPU\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":            "powersave\n",
		"sys/devices/system/cpu/intel_pstate/no_turbo":                    "1\n",
		"sys/devices/system/cpu/smt/control":                              "on\n",
		"sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
		"proc/loadavg": "0.52 0.58 0.59 1/467 12345\n",
		"proc/stat":    "cpu  1 2 3 4 5 6 7 250 0 0\ncpu0 1 2 3 4 5 6 7 250 0 0\n",
		"proc/pressure/cpu": "some avg10=0.00 avg60=0.01 avg300=0.02 total=1500000\nfull " +
			"avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
		"proc/self/cgroup":           "0::/a/b\n",
		"sys/fs/cgroup/a/cpu.max":    "150000 100000\n",
		"sys/fs/cgroup/a/b/cpu.max":  "max 100000\n",
		"sys/fs/cgroup/a/b/cpu.stat": "usage_usec 1\nnr_throttled 3\nthrottled_usec 2500000\n",
	}))
	require.Equal(t, "Example CPU", s.CPU)
	require.Equal(t, "powersave", s.Governor)
	require.Equal(t, "off", s.Turbo)
	require.Equal(t, "on", s.SMT)
	require.Equal(t, "tsc", s.ClockSource)
	require.Equal(t, "1.5", s.Quota, "the limit of the parent group is tighter")
	require.InDelta(t, 0.52, *s.Load, 1e-9)
	require.InDelta(t, 2.5, *s.Steal, 1e-9)
	require.InDelta(t, 1.5, *s.Pressure, 1e-9)
	require.InDelta(t, 2.5, *s.Throttled, 1e-9)
}

func TestMissingFilesAreUnknown(t *testing.T) {
	for _, f := range []fstest.MapFS{nil, files(map[string]string{
		"proc/loadavg": "", "proc/stat": "cpu 1 2\n", "proc/pressure/cpu": "some\n",
		"proc/cpuinfo": "processor: 0\n",
		"sys/devices/system/cpu/intel_pstate/no_turbo": "2\n", "sys/fs/cgroup/cpu.max": "nonsense",
		"sys/fs/cgroup/cpu.stat": "throttled_usec many\n",
	})} {
		s := host.ReadFrom(f)
		for _, text := range []string{s.CPU, s.Governor, s.Turbo, s.SMT, s.ClockSource, s.Quota, s.Revision} {
			require.Equal(t, host.Unknown, text)
		}
		for _, v := range []*float64{s.Load, s.Steal, s.Pressure, s.Throttled} {
			require.Nil(t, v)
		}
	}
}

func TestThisMachineHasAState(t *testing.T) {
	s := host.Read()
	require.NotEmpty(t, s.Go)
	require.Positive(t, s.GOMAXPROCS)
	require.NotEmpty(t, s.Command)
}

// TestCollectorIsReadAsItIsSet changes the setting by environment and by
// program.
func TestCollectorIsReadAsItIsSet(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(512 << 20))
	s := host.Read()
	require.Equal(t, "50", s.GOGC)
	require.Equal(t, "512 MiB", s.GOMEMLIMIT)
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(math.MaxInt64)
	s = host.Read()
	require.Equal(t, "off", s.GOGC)
	require.Equal(t, "none", s.GOMEMLIMIT)
}

// TestFilesOfLinux are read at each place, and refused if they are cut.
func TestFilesOfLinux(t *testing.T) {
	read := func(m map[string]string) host.State { return host.ReadFrom(files(m)) }
	for _, c := range []struct{ file, text, want string }{
		{"sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", "on"},
		{"sys/devices/system/cpu/intel_pstate/no_turbo", "1", "off"},
		{"sys/devices/system/cpu/intel_pstate/no_turbo", "2", host.Unknown},
		{"sys/devices/system/cpu/cpufreq/boost", "0", "off"},
		{"sys/devices/system/cpu/cpufreq/boost", "1", "on"},
		{"sys/devices/system/cpu/cpufreq/boost", "", host.Unknown},
	} {
		t.Run(c.file+" "+c.text, func(t *testing.T) {
			require.Equal(t, c.want, read(map[string]string{c.file: c.text}).Turbo)
		})
	}
	for _, c := range []struct {
		group, outer, inner, want string
	}{
		{"0::/a/b", "max 100000", "max 100000", "none"}, {"0::/a/b", "", "max 100000", "none"},
		{"0::/a/b", "", "", host.Unknown}, {"0::/a/b", "150000 100000", "200000 100000", "1.5"},
		{"0::/a/b", "250000 100000", "200000 100000", "2"}, {"0::/a/b", "", "3 1", "3"},
		{"0::/a/b", "200000 0", "", host.Unknown}, {"0::/a/b", "200000", "", host.Unknown},
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
	require.Equal(t, []string{host.Unknown, host.Unknown}, []string{s.Revision, s.Version})
	s = read(map[string]string{"proc/stat": "cpu  0 0 0 0 0 0 0\n",
		"proc/pressure/cpu": "full avg10=0 avg60=0 avg300=0 total=7\n"})
	require.Nil(t, s.Steal)
	require.Nil(t, s.Pressure)
}

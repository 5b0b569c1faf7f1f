package host

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// ticksPerSecond is USER_HZ, 100 on every Linux platform that Go supports.
const ticksPerSecond = 100

// readFrom reads the State from a file system with the layout of Linux. On
// other systems every value is Unknown.
func readFrom(f fs.FS) State {
	group := cgroup(f)
	s := State{
		CPU:         model(f),
		Governor:    text(f, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		Turbo:       turbo(f),
		SMT:         text(f, "sys/devices/system/cpu/smt/control"),
		Quota:       quota(f, group),
		ClockSource: text(f, "sys/devices/system/clocksource/clocksource0/current_clocksource"),
		Revision:    Unknown,
		Version:     Unknown,
	}
	var v float64
	if scan(f, "proc/loadavg", "", "%g", &v) {
		s.Load = new(v)
	}
	var skip [7]float64 // user nice system idle iowait irq softirq
	if scan(f, "proc/stat", "cpu ", "%g %g %g %g %g %g %g %g",
		&skip[0], &skip[1], &skip[2], &skip[3], &skip[4], &skip[5], &skip[6], &v) {
		s.Steal = new(v / ticksPerSecond)
	}
	if scan(f, "proc/pressure/cpu", "some ", "avg10=%g avg60=%g avg300=%g total=%g", &skip[0], &skip[1],
		&skip[2], &v) {
		s.Pressure = new(v / 1e6)
	}
	if scan(f, path.Join(group, "cpu.stat"), "throttled_usec ", "%g", &v) {
		s.Throttled = new(v / 1e6)
	}
	return s
}

func model(f fs.FS) string {
	name, _ := line(f, "proc/cpuinfo", "model name")
	return cmp.Or(strings.TrimLeft(name, ": "), Unknown)
}

// turbo reads the turbo switch of the intel_pstate or the acpi-cpufreq driver.
func turbo(f fs.FS) string {
	names := map[string]map[string]string{
		"sys/devices/system/cpu/intel_pstate/no_turbo": {"0": "on", "1": "off"},
		"sys/devices/system/cpu/cpufreq/boost":         {"0": "off", "1": "on"},
	}
	for name, means := range names {
		if v, ok := means[text(f, name)]; ok {
			return v
		}
	}
	return Unknown
}

// cgroup returns the directory of the control group (version 2) of this
// process.
func cgroup(f fs.FS) string {
	group, _ := line(f, "proc/self/cgroup", "0::")
	return path.Join("sys/fs/cgroup", group)
}

// quota returns the tightest limit of the group and its ancestors.
func quota(f fs.FS, group string) string {
	least, found := 0.0, false
	for dir := group; strings.HasPrefix(dir, "sys/fs/cgroup"); dir = path.Dir(dir) {
		line := text(f, path.Join(dir, "cpu.max"))
		var limit, period float64
		switch n, _ := fmt.Sscanf(line, "%g %g", &limit, &period); {
		case n == 2 && period > 0:
			if q := limit / period; least == 0 || q < least {
				least = q
			}
			found = true
		case strings.HasPrefix(line, "max "):
			found = true
		}
	}
	switch {
	case !found:
		return Unknown
	case least == 0:
		return "none"
	}
	return fmt.Sprintf("%.3g", least)
}

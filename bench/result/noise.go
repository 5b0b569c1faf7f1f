package result

import (
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/host"
)

// Limits from which the machine is reported as noisy.
const (
	maxLoad  = 0.5  // running tasks for each processor, before the measurement
	maxSteal = 0.01 // share of the time of all processors
)

// NoiseBefore returns reasons to doubt the figures of a measurement that starts
// now. files is the root file system.
func NoiseBefore(s host.State, files fs.FS) (warnings []string) {
	if s.Load != nil && *s.Load > maxLoad*float64(s.CPUs) {
		warnings = append(warnings, fmt.Sprintf("load is %.1f on %d processors: other programs compete; stop them", *s.Load, s.CPUs))
	}
	if s.Governor != host.Unknown && s.Governor != "performance" {
		warnings = append(warnings, fmt.Sprintf("governor is %s: the clock follows the load (cpupower frequency-set -g performance)", s.Governor))
	}
	if s.Turbo == "on" {
		warnings = append(warnings, "turbo is on: the clock follows the temperature")
	}
	if onBattery(files) {
		warnings = append(warnings, "on battery: the clock is lowered to save it")
	}
	return warnings
}

// NoiseAfter returns the disturbances during a measurement.
func NoiseAfter(before, after host.State, took time.Duration) (warnings []string) {
	all := took.Seconds() * float64(after.CPUs)
	if d, ok := increase(before.Steal, after.Steal); ok && all > 0 && d/all > maxSteal {
		warnings = append(warnings, fmt.Sprintf("the hypervisor took %.1f %% of the processors", 100*d/all))
	}
	if d, ok := increase(before.Throttled, after.Throttled); ok && d > 0 {
		warnings = append(warnings, fmt.Sprintf("the quota stopped the process for %.1f s", d))
	}
	return warnings
}

func increase(before, after *float64) (float64, bool) {
	if before == nil || after == nil {
		return 0, false
	}
	return *after - *before, true
}

func onBattery(files fs.FS) bool {
	names, err := fs.Glob(files, "sys/class/power_supply/*/status")
	if err != nil {
		return false
	}
	for _, name := range names {
		if b, err := fs.ReadFile(files, name); err == nil && strings.TrimSpace(string(b)) == "Discharging" {
			return true
		}
	}
	return false
}

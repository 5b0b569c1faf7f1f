package result

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/pin"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Environment describes the circumstances of the measurements in a file.
type Environment struct {
	Host     string
	State    host.State
	Revision string // revision of the source, with +changes if it is dirty
	Command  string
	Seed     uint64
	Shard    Shard
	Started  time.Time
	Pin      pin.Plan
	Memory   string   // the time of a random read
	Noise    []string // reasons to doubt the figures, of the machine, before the start
}

// Observe reads the environment of a measurement of the source in dir, with processes
// bound as p says.
func Observe(ctx context.Context, dir, command string, p pin.Plan) Environment {
	e := Environment{Host: host.Unknown, State: host.Read(), Command: command, Pin: p,
		Started: time.Now().UTC()}
	if len(p.Measured) > 0 {
		e.State.Governor, e.State.GOMAXPROCS = p.Governor, len(p.Measured)
	}
	if name, err := os.Hostname(); err == nil {
		e.Host = name
	}
	e.Revision, e.Memory = Revision(ctx, dir), metric.Access()
	e.Noise = noiseBefore(e.State, os.DirFS("/"))
	return e
}

// CommandLine quotes args for a shell.
func CommandLine(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n\"'`$&|;<>()[]{}*?!#~\\") {
			quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// Lines returns the configuration lines of e. The binary itself adds goos,
// goarch, cpu and pkg.
func (e Environment) Lines() []string {
	s := e.State
	lines := []string{
		"host: " + e.Host,
		"cpus: " + strconv.Itoa(s.CPUs),
		"gomaxprocs: " + strconv.Itoa(s.GOMAXPROCS),
		"governor: " + s.Governor,
		"turbo: " + s.Turbo,
		"smt: " + s.SMT,
		"pinned: " + e.Pin.String(),
		"quota: " + s.Quota,
		"gogc: " + s.GOGC,
		"go: " + s.Go,
		"zkatbench: " + s.Version,
		"revision: " + e.Revision,
		"command: " + strings.ReplaceAll(e.Command, "\n", " "),
		"seed: " + strconv.FormatUint(e.Seed, 10),
		"started: " + e.Started.Format(time.RFC3339),
		"memory: " + e.Memory,
	}
	if s.CPU != host.Unknown {
		lines = append(lines, "cpu: "+s.CPU)
	}
	if len(e.Noise) > 0 {
		lines = append(lines, "noise: "+strings.Join(e.Noise, "; "))
	}
	if e.Shard.Of > 1 {
		lines = append(lines, "shard: "+e.Shard.String())
	}
	return lines
}

// maxLoad is the number of running tasks for each processor before a measurement from
// which the machine is reported as noisy.
const maxLoad = 0.5

// noiseBefore returns reasons to doubt the figures of a measurement that starts
// now. files is the root file system.
func noiseBefore(s host.State, files fs.FS) (warnings []string) {
	if s.Load != nil && *s.Load > maxLoad*float64(s.CPUs) {
		warnings = append(warnings,
			fmt.Sprintf("load is %.1f on %s: other programs compete; stop them", *s.Load,
				text.Plural(s.CPUs, "processor")))
	}
	warnings = append(warnings, doubts(s, s, 0)...)
	if s.Turbo == "on" {
		warnings = append(warnings, "turbo is on: the clock follows the temperature")
	}
	if onBattery(files) {
		warnings = append(warnings, "on battery: the clock is lowered to save it")
	}
	return warnings
}

// NoiseAfter returns the disturbances during a measurement, without the governor, which
// Observe reports.
func NoiseAfter(before, after host.State, took time.Duration) []string {
	before.Governor = host.Unknown
	return doubts(before, after, took)
}

// doubts are the findings of package runner about the machine between two states, with advice.
func doubts(before, after host.State, apart time.Duration) (sentences []string) {
	machine := result.Result{Before: before, After: after, Apart: apart, Done: 1}
	for _, f := range judge.Findings(&machine) {
		if f.Machine {
			sentences = append(sentences, f.Observed+" ("+f.Advice+")")
		}
	}
	return sentences
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

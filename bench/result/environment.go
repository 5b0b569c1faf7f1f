package result

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/pin"
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
	Noise    []string // reasons to doubt the figures, see NoiseBefore
}

// Observe reads the environment of a measurement of the source in dir, whose
// processes are bound as p says.
func Observe(ctx context.Context, dir, command string, p pin.Plan) Environment {
	e := Environment{Host: host.Unknown, State: host.Read(), Command: command, Pin: p, Started: time.Now().UTC()}
	if len(p.Measured) > 0 {
		e.State.Governor, e.State.GOMAXPROCS = p.Governor, len(p.Measured)
	}
	if name, err := os.Hostname(); err == nil {
		e.Host = name
	}
	e.Revision, e.Memory = Revision(ctx, dir), metric.Access()
	e.Noise = NoiseBefore(e.State, os.DirFS("/"))
	return e
}

// CommandLine quotes args for a shell.
func CommandLine(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		if quoted[i] = a; a == "" || strings.ContainsAny(a, " \t\n\"'`$&|;<>()[]{}*?!#~\\") {
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

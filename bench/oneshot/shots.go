package oneshot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// Shots times operations once in each of many environments, in several processes.
type Shots struct {
	Targets []Target
	// Forks is the number of processes of each target.
	Forks int
	// Warmup and Count are the shots of a process: the first ones do not count.
	Warmup, Count int
	// Seed is the seed of all shots.
	Seed uint64
	// Profile has each process write a profile of its processor time to Target.Profile.
	Profile bool
}

// Target is an operation in a case.
type Target struct {
	Op   bench.Op
	Case bench.Case
}

// Name is the name of the operation and its case, as benchmarks have it.
func (t Target) Name() string { return strings.TrimSuffix(t.Op.Name+"/"+t.Case.Name(), "/") }

// Label is the name of the target in results. The input mode is always a parameter.
func (t Target) Label() string {
	label := t.Op.Name
	for _, p := range t.Case.Params() {
		if p[0] != bench.InputUse.Name {
			label += "/" + p[0] + "=" + p[1]
		}
	}
	return label + "/" + bench.InputUse.Flag + "=" + bench.InputUse.Of(t.Case)
}

// Profile is the file of the profile of a fork.
func (t Target) Profile(fork int) string {
	return strings.ReplaceAll(t.Name(), "/", "_") + "_fork=" + strconv.Itoa(fork+1) + ".cpu.pprof"
}

// Measure starts a process for each fork of each target, all targets of one fork after
// each other, so that a slow minute of the machine does not meet one target alone. start
// returns a process that calls Fork for that target. Measure returns a line of Go
// benchmark format for each counted shot. Its error is the error of a process that fails.
func (s Shots) Measure(ctx context.Context, start func(target, fork int) (*exec.Cmd, error),
	progress func(done, total int)) ([]string, error) {
	lines := make([][]string, len(s.Targets))
	for fork := range s.Forks {
		for i, target := range s.Targets {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			progress(fork*len(s.Targets)+i, s.Forks*len(s.Targets))
			cmd, err := start(i, fork)
			if err != nil {
				return nil, err
			}
			times, err := s.timesOf(cmd)
			if err != nil {
				return nil, err
			}
			for _, t := range times {
				lines[i] = append(lines[i], resultLine(target.Label(), t))
			}
		}
	}
	return slices.Concat(lines...), nil
}

// timesOf runs a process and reads its times.
func (s Shots) timesOf(cmd *exec.Cmd) (times []bench.ShotTime, err error) {
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, &times); err != nil || len(times) != s.Count {
		return nil, fmt.Errorf("a process returned %d samples instead of %d", len(times), s.Count)
	}
	return times, nil
}

// resultLine is a shot in Go benchmark format.
func resultLine(label string, t bench.ShotTime) string {
	line := fmt.Sprintf("Benchmark%s 1 %d ns/op", label, t.Wall.Nanoseconds())
	if t.CPU > 0 { // 0 is not known
		line += fmt.Sprintf(" %d cpu-ns/op", t.CPU.Nanoseconds())
	}
	if t.CPU > 0 && t.Threads > 0 {
		line += fmt.Sprintf(" %d cpu-threads", t.Threads)
	}
	return line
}

// Fork is one process of one target: it writes the times of the counted shots.
func (s Shots) Fork(t Target, fork int, out io.Writer) error {
	var profile bytes.Buffer
	if s.Profile {
		if err := pprof.StartCPUProfile(&profile); err != nil {
			return err
		}
	}
	times := make([]bench.ShotTime, 0, s.Count)
	for shot := range s.Warmup + s.Count {
		took, err := t.Op.Shot(t.Case, bench.ShotSeed(s.Seed, fork, shot))
		if err != nil {
			return err
		}
		if shot >= s.Warmup {
			times = append(times, took)
		}
	}
	if s.Profile {
		pprof.StopCPUProfile()
		if err := outfile.WriteBytes(t.Profile(fork), profile.Bytes()); err != nil {
			return err
		}
	}
	return json.NewEncoder(out).Encode(times)
}

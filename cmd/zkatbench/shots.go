package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime/pprof"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/score"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// The flags of shots.
var (
	forksFlag = &bench.Axis[int]{
		Name: "forks", Flag: "forks", Default: "5", Values: bench.Numbers(1, 1000), Show: bench.Never, One: true,
		Usage: "processes for each case, one after the other",
	}
	warmupFlag = &bench.Axis[int]{
		Name: "warmup", Flag: "warmup", Default: "3", Values: bench.Numbers(0, 1000), Show: bench.Never, One: true,
		Usage: "shots of each process that are not counted",
	}
	shotsFlag = &bench.Axis[int]{
		Name: "shots", Flag: "shots", Default: "10", Values: bench.Numbers(1, 100_000), Show: bench.Never, One: true,
		Usage: "shots of each process that are counted",
	}
	scoreFormat = &bench.Axis[string]{
		Name: "format", Flag: "format", Default: asText, Show: bench.Never, One: true, Values: bench.Names(asText, asJSON, asBench),
		Usage: "text; json, as the Java harness writes it; or bench, a line of Go benchmark format for each shot",
	}
	outputFlag = fileFlag("o", "file of the results, the standard output if not given")
	skipFlag   = &bench.Axis[string]{
		Name: "skip", Flag: "skip", Show: bench.Never, One: true, Usage: "regular expression of cases to leave out",
		Values: bench.Values[string]{
			Allowed: "a regular expression",
			Parse: func(item string) ([]string, bool) {
				_, err := regexp.Compile(item)
				return []string{item}, err == nil
			},
			Text: func(s string) string { return s },
		},
	}
	shotProfile = toggle("profile", "write a CPU profile of each process: OPERATION_fork=1.cpu.pprof")
)

const asJSON = "json"

// forkVariable tells a process that shots starts which case and fork it is:
// "3 1" is the fourth case and the second fork.
const forkVariable = "ZKAT_SHOTS_FORK"

// shotPlan is the cases and the numbers of a command line of shots.
type shotPlan struct {
	targets              []shotTarget
	forks, warmup, shots int
	seed                 uint64
}

type shotTarget struct {
	op bench.Op
	c  bench.Case
}

func (t shotTarget) name() string { return strings.TrimSuffix(t.op.Name+"/"+t.c.Name(), "/") }

// row is the target as a row without samples. The input mode is always a
// parameter.
func (t shotTarget) row(warmup int) score.Row {
	r := score.Row{Benchmark: t.op.Name, Mode: score.SingleShot, Warmup: warmup}
	for _, p := range t.c.Params() {
		if p[0] != bench.InputUse.Name {
			r.Params = append(r.Params, score.Param{Name: p[0], Value: p[1]})
		}
	}
	r.Params = append(r.Params, score.Param{Name: bench.InputUse.Flag, Value: bench.InputUse.Of(t.c)})
	return r
}

// shots times operations once in each of many environments, in several processes.
func shots(ctx context.Context, args []string, s streams) error {
	own := bench.Axes(forksFlag, warmupFlag, shotsFlag, seedFlag, scoreFormat, outputFlag, skipFlag, shotProfile, noLock)
	axes := func(subject bench.Subject) []bench.Param { return append(matrix(subject), bench.InputUse) }
	req, err := parseRequest("shots", own, axes, args, s.out)
	if req == nil {
		return err
	}
	plan, err := planShots(req)
	if err != nil {
		return err
	}
	if child := os.Getenv(forkVariable); child != "" {
		return plan.child(child, shotProfile.All(req.sel)[0], s.out)
	}
	unlock, err := waitForMachine(ctx, req.sel, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	rows, err := plan.run(ctx, args, s)
	if err != nil {
		return err
	}
	return writeScores(outputFlag.All(req.sel)[0], scoreFormat.All(req.sel)[0], rows, s.out)
}

func planShots(req *request) (p shotPlan, err error) {
	sel := req.sel
	p.forks, p.warmup, p.shots = forksFlag.All(sel)[0], warmupFlag.All(sel)[0], shotsFlag.All(sel)[0]
	if p.seed, err = seedOf(seedFlag.All(sel)[0]); err != nil {
		return p, err
	}
	skip := regexp.MustCompile(skipFlag.All(sel)[0])
	for _, op := range req.ops {
		for _, c := range sel.Cases(bench.Serial, append(bench.Axes(chosen), op.Without...)...) {
			t := shotTarget{op, c}
			if skip.String() == "" || !skip.MatchString(t.name()) {
				p.targets = append(p.targets, t)
			}
		}
	}
	if len(p.targets) == 0 {
		return p, usageError("shots: -skip leaves no case")
	}
	return p, nil
}

// run starts a process for each fork of each case, all cases of one fork after
// each other, so that a slow minute of the machine does not meet one case alone.
func (p shotPlan) run(ctx context.Context, args []string, s streams) ([]score.Row, error) {
	rows := make([]score.Row, len(p.targets))
	for i, t := range p.targets {
		rows[i] = t.row(p.warmup)
	}
	show, wipe := percent(s.err, "shots")
	defer wipe()
	for fork := range p.forks {
		for i := range p.targets {
			if ctx.Err() != nil {
				return nil, errInterrupted
			}
			if show != nil {
				show(fork*len(p.targets)+i, p.forks*len(p.targets))
			}
			samples, err := p.fork(ctx, i, fork, args, s.err)
			if err != nil {
				return nil, err
			}
			rows[i].Samples = append(rows[i].Samples, samples)
		}
	}
	return rows, nil
}

// fork runs this program again for one fork of one case.
func (p shotPlan) fork(ctx context.Context, target, fork int, args []string, complaints io.Writer) (samples []float64, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{"shots", "-seed=" + strconv.FormatUint(p.seed, 10)}, args...)...)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d", forkVariable, target, fork))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, complaints
	if err := cmd.Run(); err != nil {
		if exit := new(exec.ExitError); errors.As(err, &exit) && ctx.Err() == nil {
			return nil, exitError{status: exit.ExitCode()} // it has said why
		}
		return nil, errInterrupted
	}
	if err := json.Unmarshal(out.Bytes(), &samples); err != nil || len(samples) != p.shots {
		return nil, fmt.Errorf("zkatbench: shots: a process returned %d samples instead of %d", len(samples), p.shots)
	}
	return samples, nil
}

// child is one fork of one case: it prints the times of the counted shots in
// milliseconds.
func (p shotPlan) child(which string, profiled bool, out io.Writer) error {
	var target, fork int
	if _, err := fmt.Sscanf(which, "%d %d", &target, &fork); err != nil || target >= len(p.targets) || target < 0 {
		return usageError("%s: %q is not a case and a fork of shots", forkVariable, which)
	}
	t := p.targets[target]
	stop := func() error { return nil }
	if profiled {
		var err error
		name := strings.ReplaceAll(t.name(), "/", "_") + "_fork=" + strconv.Itoa(fork+1) + ".cpu.pprof"
		if stop, err = startCPUProfile(name); err != nil {
			return fmt.Errorf("zkatbench: shots: %w", err)
		}
	}
	samples := make([]float64, 0, p.shots)
	for shot := range p.warmup + p.shots {
		took, err := t.op.Shot(t.c, bench.ShotSeed(p.seed, fork, shot))
		if err != nil {
			return fmt.Errorf("zkatbench: shots: %w", err)
		}
		if shot >= p.warmup {
			samples = append(samples, float64(took.Nanoseconds())/1e6)
		}
	}
	return errors.Join(stop(), json.NewEncoder(out).Encode(samples))
}

func startCPUProfile(name string) (stop func() error, err error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error { pprof.StopCPUProfile(); return f.Close() }, nil
}

// writeScores writes rows to a file, or to out if name is empty.
func writeScores(name, format string, rows []score.Row, out io.Writer) error {
	write := map[string]func(io.Writer, []score.Row) error{asText: score.WriteText, asJSON: score.WriteJSON, asBench: score.WriteBench}[format]
	if name == "" {
		return write(out, rows)
	}
	return outfile.Write(name, func(w io.Writer) error { return write(w, rows) })
}

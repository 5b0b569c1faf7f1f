package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// shotPlan is a command line of shots.
type shotPlan struct {
	forks, warmup, shots int
	seed                 seedChoice
	format, out, clock   string
	skip                 *regexp.Regexp
	profile, nolock      bool

	*commandLine
	targets []shotTarget
	first   uint64 // seed of the first record
}

type shotTarget struct {
	op bench.Op
	c  bench.Case
}

func (t shotTarget) name() string { return strings.TrimSuffix(t.op.Name+"/"+t.c.Name(), "/") }

// label is the name of the target in results. The input mode is always a parameter.
func (t shotTarget) label() string {
	label := t.op.Name
	for _, p := range t.c.Params() {
		if p[0] != bench.InputUse.Name {
			label += "/" + p[0] + "=" + p[1]
		}
	}
	return label + "/" + bench.InputUse.Flag + "=" + bench.InputUse.Of(t.c)
}

// profile is the file of the profile of a fork.
func (t shotTarget) profile(fork int) string {
	return strings.ReplaceAll(t.name(), "/", "_") + "_fork=" + strconv.Itoa(fork+1) + ".cpu.pprof"
}

// checkProfiles refuses profiles that exist, without -f.
func (p *shotPlan) checkProfiles() error {
	for _, t := range p.targets {
		for fork := range p.forks {
			if err := result.Vacant(t.profile(fork)); p.profile && !p.overwrite && err != nil {
				return ofFlag("profile", err)
			}
		}
	}
	return nil
}

// shotsLine times operations once in each of many environments, in several
// processes.
func shotsLine(s streams) *commandLine {
	l := newLine("shots", takesOperations, "time operations once in each of many environments and processes")
	set := &l.flags
	p := &shotPlan{commandLine: l}
	flags.Into(set, &p.forks, "forks", "5", "", flags.Numbers(1, 1000))
	flags.Into(set, &p.warmup, "warmup-shots", "3", "",
		flags.Numbers(0, 1000))
	flags.Into(set, &p.shots, "count", "10", ": counted shots of each process",
		flags.Numbers(1, 100_000))
	flags.Into(set, &p.seed, "seed", "", ": of the first record; drawn at random and printed if not given",
		seedChoices)
	flags.Into(set, &p.format, "format", asText,
		": text; json, as the Java harness writes it; or bench, a line of Go benchmark format for each shot",
		flags.Names(asText, asJSON, asBench))
	clockFlag(set, &p.clock)
	outputFlag(l, &p.out, "o", "", ": the results; standard output if not given")
	flags.Into(set, &p.skip, "skip", "", "", flags.Patterns())
	flags.Into(set, &p.profile, "profile", "false",
		": of processor time of each process: OPERATION_fork=1.cpu.pprof", flags.Switch())
	noLockFlag(set, &p.nolock)
	req := l.operations(func(subject bench.Subject) []bench.Param {
		return append(matrix(subject), bench.InputUse)
	})
	l.exec = func(ctx context.Context, _ []string) error { return p.measureShots(ctx, req, s) }
	return l
}

// measureShots runs a command line of shots, or one of its forks.
func (p *shotPlan) measureShots(ctx context.Context, req *request, s streams) error {
	if err := p.choose(req); err != nil {
		return err
	}
	if part, isChild, err := partOf("shots"); err != nil {
		return err
	} else if isChild {
		return p.child(part, s.out)
	}
	if err := p.checkProfiles(); err != nil {
		return err
	}
	unlock, err := lockMachine(ctx, p.nolock, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	lines, err := p.measure(ctx, s)
	if err != nil {
		return err
	}
	return writeFile(p.out, s.out, func(w io.Writer) error { return p.write(ctx, w, lines) })
}

// write writes results in Go benchmark format, or their scores. A file in Go benchmark
// format begins with the environment, as the files of run.
func (p *shotPlan) write(ctx context.Context, w io.Writer, lines []string) error {
	if p.format == asBench {
		if p.out != "" {
			lines = append(result.Observe(ctx, ".", result.CommandLine(os.Args), pin.Plan{}).Lines(),
				lines...)
		}
		return result.Stream{Writer: w}.Append(lines...)
	}
	scores := result.Scores{Data: result.NewData(), Mode: result.SingleShot, Clock: p.clock, Forks: p.forks,
		Warmup: p.warmup}
	if err := scores.Read(strings.NewReader(strings.Join(lines, "\n")+"\n"), "shots"); err != nil {
		return err
	}
	if p.format == asJSON {
		return scores.WriteJSON(w)
	}
	return scores.Write(w)
}

// choose chooses the cases and the seed.
func (p *shotPlan) choose(req *request) (err error) {
	p.first, err = p.seed.seed()
	if err != nil {
		return err
	}
	for _, op := range req.ops {
		for _, c := range req.sel.Cases(bench.Serial, op.Without...) {
			t := shotTarget{op, c}
			if skip := p.skip; skip == nil || !skip.MatchString(t.name()) {
				p.targets = append(p.targets, t)
			}
		}
	}
	if len(p.targets) == 0 {
		return errors.New("-skip leaves no case")
	}
	return nil
}

// measure starts a process for each fork of each case, all cases of one fork after
// each other, so that a slow minute of the machine does not meet one case alone. It
// returns a line of Go benchmark format for each shot.
func (p *shotPlan) measure(ctx context.Context, s streams) ([]string, error) {
	lines := make([][]string, len(p.targets))
	show, wipe := percent(s.err, "shots")
	defer wipe()
	for fork := range p.forks {
		for i, target := range p.targets {
			if ctx.Err() != nil {
				return nil, errInterrupted
			}
			show(fork*len(p.targets)+i, p.forks*len(p.targets))
			times, err := p.fork(ctx, i, fork, s.err)
			if err != nil {
				return nil, err
			}
			for _, t := range times {
				line := fmt.Sprintf("Benchmark%s 1 %d ns/op", target.label(), t.Wall.Nanoseconds())
				if t.CPU > 0 { // 0 is not known
					line += fmt.Sprintf(" %d cpu-ns/op", t.CPU.Nanoseconds())
				}
				if t.CPU > 0 && t.Threads > 0 {
					line += fmt.Sprintf(" %d cpu-threads", t.Threads)
				}
				lines[i] = append(lines[i], line)
			}
		}
	}
	return slices.Concat(lines...), nil
}

// fork runs this program again for one fork of one case.
func (p *shotPlan) fork(ctx context.Context, target, fork int, complaints io.Writer) (times []bench.ShotTime,
	err error) {
	cmd, err := child(ctx, p.typed, p.first, [2]int{target, fork})
	if err != nil {
		return nil, err
	}
	cmd.Stderr = complaints
	out, err := cmd.Output()
	if err != nil {
		return nil, childEnded(ctx, err)
	}
	if err := json.Unmarshal(out, &times); err != nil || len(times) != p.shots {
		return nil, fmt.Errorf("a process returned %d samples instead of %d", len(times), p.shots)
	}
	return times, nil
}

// child is one fork of one case: it prints the times of the counted shots.
func (p *shotPlan) child(part [2]int, out io.Writer) error {
	target, fork := part[0], part[1]
	if target >= len(p.targets) {
		return fmt.Errorf("%s: there are %d cases, not %d", childPart, len(p.targets), target+1)
	}
	t := p.targets[target]
	var profile bytes.Buffer
	if p.profile {
		if err := pprof.StartCPUProfile(&profile); err != nil {
			return err
		}
	}
	times := make([]bench.ShotTime, 0, p.shots)
	for shot := range p.warmup + p.shots {
		took, err := t.op.Shot(t.c, bench.ShotSeed(p.first, fork, shot))
		if err != nil {
			return err
		}
		if shot >= p.warmup {
			times = append(times, took)
		}
	}
	if p.profile {
		pprof.StopCPUProfile()
		if err := outfile.WriteBytes(t.profile(fork), profile.Bytes()); err != nil {
			return err
		}
	}
	return json.NewEncoder(out).Encode(times)
}

// clockFlag declares -clock.
func clockFlag(set *flags.Set, to *string) {
	flags.Into(set, to, "clock", result.Wall,
		"",
		flags.Names(result.Wall, result.CPU))
}

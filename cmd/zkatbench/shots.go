package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// shotPlan is a command line of shots.
type shotPlan struct {
	oneshot.Shots
	seed               seedChoice
	format, out, clock string
	skip               *regexp.Regexp
	nolock             bool

	*commandLine
}

// checkProfiles refuses profiles that exist, without -f.
func (p *shotPlan) checkProfiles() error {
	for _, t := range p.Targets {
		for fork := range p.Forks {
			if err := result.Vacant(t.Profile(fork)); p.Profile && !p.overwrite && err != nil {
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
	flags.Into(set, &p.Forks, "forks", "5", "", flags.Numbers(1, 1000))
	flags.Into(set, &p.Warmup, "warmup-shots", "3", "",
		flags.Numbers(0, 1000))
	flags.Into(set, &p.Count, "count", "10", ": counted shots of each process",
		flags.Numbers(1, 100_000))
	flags.Into(set, &p.seed, "seed", "", ": of the first record; drawn at random and printed if not given",
		seedChoices)
	flags.Into(set, &p.format, "format", asText,
		": text; json, as the Java harness writes it; or bench, a line of Go benchmark format for each shot",
		flags.Names(asText, asJSON, asBench))
	clockFlag(set, &p.clock)
	outputFlag(l, &p.out, "o", "", ": the results; standard output if not given")
	flags.Into(set, &p.skip, "skip", "", "", flags.Patterns())
	flags.Into(set, &p.Profile, "profile", "false",
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
		if part[0] >= len(p.Targets) {
			return fmt.Errorf("%s: there are %d cases, not %d", childPart, len(p.Targets), part[0]+1)
		}
		return p.Fork(p.Targets[part[0]], part[1], s.out)
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
	scores := result.Scores{Data: result.NewData(), Mode: result.SingleShot, Clock: p.clock, Forks: p.Forks,
		Warmup: p.Warmup}
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
	p.Seed, err = p.seed.seed()
	if err != nil {
		return err
	}
	for _, op := range req.ops {
		for _, c := range req.sel.Cases(bench.Serial, op.Without...) {
			t := oneshot.Target{Op: op, Case: c}
			if skip := p.skip; skip == nil || !skip.MatchString(t.Name()) {
				p.Targets = append(p.Targets, t)
			}
		}
	}
	if len(p.Targets) == 0 {
		return errors.New("-skip leaves no case")
	}
	return nil
}

// measure runs this program again for each fork of each case, and returns the results.
func (p *shotPlan) measure(ctx context.Context, s streams) ([]string, error) {
	show, wipe := percent(s.err, "shots")
	defer wipe()
	lines, err := p.Measure(ctx, func(target, fork int) (*exec.Cmd, error) {
		cmd, err := child(ctx, p.typed, p.Seed, [2]int{target, fork})
		if err == nil {
			cmd.Stderr = s.err
		}
		return cmd, err
	}, show)
	return lines, childEnded(ctx, err)
}

// clockFlag declares -clock.
func clockFlag(set *flags.Set, to *string) {
	flags.Into(set, to, "clock", result.Wall,
		"",
		flags.Names(result.Wall, result.CPU))
}

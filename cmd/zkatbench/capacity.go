package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/capacity"
	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/pin"
	"github.com/zkatbench/zkatbench/text"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

const capacityHelp = `Computes the cores of endorsers and auditors, waiting times and the growth of the ledger, for each choice of
protocol, curve and owners. It measures the costs on this machine, or reads them from a results file of
zkatbench run or of -keep. docs/capacity.md explains every figure.`

// planning is the command line of capacity.
type planning struct {
	*commandLine
	s         streams
	selection *bench.Selection
	settings  *capacity.Settings
	operating []string // names of the flags that are not settings of a network
	bad       error    // of the file of -network

	network, keep, out   *string
	asJSON, verify, free *bool
	time                 *time.Duration
}

// capacityLine plans a network.
func capacityLine(s streams) *commandLine { return newPlanning(s).commandLine }

func newPlanning(s streams) *planning {
	l := newLine("capacity", "[flags] [results.txt]", "plan a network: cores, waiting times and bytes for a number of requests a second")
	p, set := &planning{commandLine: l, s: s}, &l.flags
	p.network = flags.One(set, "network", "", "YAML `file` of settings, which flags override", flags.Text("a file"))
	p.asJSON = flags.One(set, "json", "false", "print the plan as JSON", flags.Switch())
	p.out = outputFlag(set, "o", "", "`file` of the plan as an HTML page")
	p.keep = newFileFlag(set, "keep", "`file` of the measured costs, which the command reads again")
	p.time = flags.One(set, "time", "30s", "time of the measurement", flags.Durations())
	p.verify = flags.One(set, "verify", "false", "put the planned load of one node on a real validator, and compare", flags.Switch())
	p.free = noLockFlag(set)
	p.operating = set.Names()
	p.settings = suite.Capacity.Settings(set)
	p.selection = suite.Capacity.Register(set)
	suite.ForNetworks(set)
	l.help, l.prepare = capacityHelp, p.withNetwork
	l.exec, l.most = p.exec, 1
	return p
}

// subject is the planned network with the shapes of the mix.
func (p *planning) subject() capacity.Subject { return suite.Capacity.With(p.settings.Mix) }

// settingNames are the flags that a file of settings can have.
func (p *planning) settingNames() []string {
	return slices.DeleteFunc(p.flags.Names(), func(name string) bool { return slices.Contains(p.operating, name) })
}

// withNetwork puts the settings of the file of -network before args, which
// override them.
func (p *planning) withNetwork(args []string) []string {
	name := ""
	for i, a := range args {
		a = strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-")
		if value, found := strings.CutPrefix(a, "network="); found {
			name = value
		} else if a == "network" && i+1 < len(args) {
			name = args[i+1]
		}
	}
	if name == "" {
		return args
	}
	b, err := outfile.ReadFile(name)
	if err != nil {
		p.bad = fmt.Errorf("-network: %w", err)
		return args
	}
	settings, err := readYAML(bytes.NewReader(b), p.settingNames())
	if err != nil {
		p.bad = fmt.Errorf("-network: %s: %w", name, err)
	}
	return append(settings, args...)
}

// exec prints the settings, or the plan for them.
func (p *planning) exec(ctx context.Context, files []string) error {
	choices := suite.Capacity.Choices(p.selection)
	switch {
	case p.bad != nil:
		return p.bad
	case !p.flags.Lookup("rate").Given():
		return errors.New("-rate is needed: requests a second, such as zkatbench capacity -rate=800")
	case len(choices) == 0:
		return errors.New("-owner: owners by hash need -protocol=v2")
	case len(files) == 1 && *p.keep != "":
		return fmt.Errorf("-keep: %s was measured before", files[0])
	case *p.verify && p.settings.Batch > 1:
		return fmt.Errorf("-verify: %q is not possible with -batch=%d; a real validator is loaded request by request", "true", p.settings.Batch)
	}
	unlock, err := lockMachine(ctx, *p.free || len(files) > 0 && !*p.verify, p.s.err)
	if err != nil {
		return err
	}
	defer unlock()
	return p.plan(ctx, choices, files)
}

// plan prints the plan, writes its page, and verifies it.
func (p *planning) plan(ctx context.Context, choices []capacity.Choice, files []string) (err error) {
	var d *result.Data
	name := strings.Join(files, "")
	if name == "" {
		d, err = p.measure(ctx, choices)
	} else if d, err = result.ReadFiles(name); err == nil {
		warn(p.s, d.Partial)
	}
	if err != nil {
		return err
	}
	costs, err := p.subject().FromResults(d, choices)
	if err != nil {
		return fmt.Errorf("%s: %w; zkatbench capacity -keep=FILE measures all of them", name, err)
	}
	show, wipe := percent(p.s.err, "simulating")
	plan := p.subject().NewPlan(*p.settings, capacity.SourceOf(d, name), capacity.SpeedUpOf(d), costs, show)
	wipe()
	if err := p.write(plan, p.s.out); err != nil || !*p.verify {
		return err
	}
	v, err := p.subject().Verify(ctx, plan)
	if err != nil {
		return err
	}
	if err := v.Text(p.s.out, text.Width(p.s.out)); err != nil {
		return err
	}
	if holds, decided := v.Verdict(); decided && !holds {
		return exitError{negative, errors.New("the prediction failed")}
	}
	return nil
}

// measure measures the costs, and keeps them in the file of -keep.
func (p *planning) measure(ctx context.Context, choices []capacity.Choice) (d *result.Data, err error) {
	e := result.Observe(ctx, ".", result.CommandLine(os.Args), pin.Plan{})
	warn(p.s, e.Noise)
	keep := func(...string) error { return nil }
	if *p.keep != "" {
		f, err := result.Create(*p.keep, e.Lines())
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		keep = f.Append
	}
	show, wipe := percent(p.s.err, "measuring")
	defer wipe()
	lines, err := p.subject().Measure(ctx, choices, *p.time, show)
	if err != nil {
		return nil, err
	}
	wipe()
	results := fmt.Sprintf("results: %d", len(lines))
	if after := result.NoiseAfter(e.State, host.Read(), time.Since(e.Started)); len(after) > 0 {
		warn(p.s, after)
		lines = append(lines, "noise-after: "+strings.Join(after, "; "))
	}
	lines = append(lines, results)
	d = result.NewData()
	return d, errors.Join(keep(lines...), d.Read(strings.NewReader(strings.Join(slices.Concat(e.Lines(), lines), "\n")+"\n"), "measurement"))
}

// write prints the plan, and writes the page.
func (p *planning) write(plan *capacity.Plan, out io.Writer) error {
	if *p.asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", " ")
		if err := e.Encode(plan); err != nil {
			return err
		}
	} else if err := plan.Text(out, text.Width(out)); err != nil {
		return err
	}
	if *p.out == "" {
		return nil
	}
	lines := plan.Lines()
	groups := slices.Concat([]chart.Group{{Title: lines[0], Notes: lines[1:]}}, plan.Groups(), []chart.Group{plan.Charts()})
	if *p.asJSON { // out is the plan alone
		out = io.Discard
	}
	return writePage(*p.out, report.Input{Title: "What a network needs", Charts: groups}, out)
}

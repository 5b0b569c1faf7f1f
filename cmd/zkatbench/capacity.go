package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/capacity"
	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

const capacityHelp = `Computes the cores of endorsers and auditors, waiting times and the growth of the
ledger, for each choice of protocol, curve and owners. It measures the costs on this machine, or reads
them from a results file of zkatbench run or of -o. docs/capacity.md explains every figure.`

// planning is the command line of capacity.
type planning struct {
	*commandLine
	s         streams
	selection *bench.Selection
	settings  *capacity.Settings
	operating []string // names of the flags that are not settings of a network
	bad       error    // of the file of -network

	network, format string
	files           []string // of -o
	prove, nolock   bool
	duration        time.Duration
}

// capacityLine plans a network.
func capacityLine(s streams) *commandLine { return newPlanning(s).commandLine }

func newPlanning(s streams) *planning {
	l := newLine("capacity", "[flags] [results.txt]",
		"plan a network: cores, waiting times and bytes for a number of requests a second")
	p, set := &planning{commandLine: l, s: s}, &l.flags
	flags.Into(set, &p.network, "network", "", "", flags.Text("a file"))
	flags.Into(set, &p.format, "format", asText, ": text or json", flags.Names(asText, asJSON))
	flags.IntoList(set, &p.files, "o", "",
		": .html for the plan as a page, .txt for the measured costs, which the command reads again",
		flags.Text("").Where("a file that ends in .html or .txt", func(name string) bool {
			return name == "" || filepath.Ext(name) == asPage || filepath.Ext(name) == asCosts
		}))
	l.writes("o", func() []string { return p.files })
	flags.Into(set, &p.duration, "duration", "30s", ": of all costs", flags.Durations())
	flags.Into(set, &p.prove, "prove", "false",
		": put the planned load of one node on a real validator, and compare", flags.Switch())
	noLockFlag(set, &p.nolock)
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
	return slices.DeleteFunc(p.flags.Names(), func(name string) bool {
		return slices.Contains(p.operating, name)
	})
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

// The endings of the files of -o.
const (
	asPage  = ".html"
	asCosts = ".txt"
)

// file returns the file of -o with an ending, or the empty string.
func (p *planning) file(ending string) string {
	at := slices.IndexFunc(p.files, func(name string) bool { return filepath.Ext(name) == ending })
	if at < 0 {
		return ""
	}
	return p.files[at]
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
	case len(files) == 1 && p.file(asCosts) != "":
		return fmt.Errorf("-o: %s was measured before", files[0])
	case p.prove && p.settings.Batch > 1:
		return fmt.Errorf("-prove: %q is not possible with -batch=%d; a real validator is loaded request "+
			"by request", "true", p.settings.Batch)
	}
	unlock, err := lockMachine(ctx, p.nolock || len(files) > 0 && !p.prove, p.s.err)
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
	} else {
		d, err = result.ReadFiles(name)
		if err == nil {
			warn(p.s, d.Partial)
		}
	}
	if err != nil {
		return err
	}
	costs, err := p.subject().FromResults(d, choices)
	if err != nil {
		return fmt.Errorf("%s: %w; zkatbench capacity -o=FILE.txt measures all of them", name, err)
	}
	show, wipe := percent(p.s.err, "simulating")
	plan := p.subject().NewPlan(*p.settings, capacity.SourceOf(d, name), capacity.SpeedUpOf(d), costs, show)
	wipe()
	if err := p.write(plan, p.s.out); err != nil || !p.prove {
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

// measure measures the costs, and keeps them in the .txt file of -o.
func (p *planning) measure(ctx context.Context, choices []capacity.Choice) (*result.Data, error) {
	show, wipe := percent(p.s.err, "measuring")
	defer wipe()
	return p.subject().Record(ctx, choices, p.duration, result.CommandLine(os.Args), p.file(asCosts),
		func(reasons []string) {
			wipe()
			warn(p.s, reasons)
		}, show)
}

// write prints the plan, and writes the page.
func (p *planning) write(plan *capacity.Plan, out io.Writer) error {
	if p.format == asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", " ")
		if err := e.Encode(plan); err != nil {
			return err
		}
	} else if err := plan.Text(out, text.Width(out)); err != nil {
		return err
	}
	page := p.file(asPage)
	if page == "" {
		return nil
	}
	lines := plan.Lines()
	groups := slices.Concat([]chart.Group{{Title: lines[0], Notes: lines[1:]}}, plan.Groups(),
		[]chart.Group{plan.Charts()})
	if p.format == asJSON { // out is the plan alone
		out = io.Discard
	}
	return writePage(page, report.Input{Title: "What a network needs", Charts: groups}, out)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/capacity"
	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/pin"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/suite"
)

const capacityHelp = `Computes what a network needs for a number of requests a second: cores of endorsers and auditors, what
clients wait, how the ledger grows, for each choice of protocol, curve and owners. It measures the costs on
this machine in about 30 s, or reads them from a results file of zkatbench run or of -keep. docs/capacity.md
explains every figure. -verify puts the planned load of one node on a real validator.`

// plannedNetwork is the subject of plans.
var plannedNetwork = suite.Capacity

// planning is the command line of capacity.
type planning struct {
	*commandLine
	s         streams
	selection *bench.Selection
	typed     map[string]string // values of the flags, by name
	bad       error             // of the file of -network

	rate, peak, utilisation                        *float64
	mix, retention, network, keep, out             *string
	endorsers, of, cores, batch                    *int
	audited, show, asJSON, verify, free, overwrite *bool
	p99, linger, time                              *time.Duration
}

// operatingFlags are the flags that are not settings of a network.
var operatingFlags = []string{"network", "print-network", "json", "o", "keep", "f", "time", "verify", "nolock"}

// capacityLine plans a network.
func capacityLine(s streams) *commandLine { return newPlanning(s).commandLine }

func newPlanning(s streams) *planning {
	l := newLine("capacity", "[flags] [results.txt]", "plan a network: cores, waiting times and bytes for a number of requests a second")
	p, set := &planning{commandLine: l, s: s, typed: map[string]string{}}, &l.flags
	p.rate = flags.One(set, "rate", "", "requests a second, on average; required", rates)
	p.peak = flags.One(set, "peak", "", "requests a second in the busiest minute; -rate if not given", rates)
	p.mix = flags.One(set, "mix", plannedNetwork.Mix, "shares of actions", flags.Text("shares of actions"))
	p.endorsers = flags.One(set, "endorsers", "2", "endorsers that validate each request", flags.AtLeast(0))
	p.of = flags.One(set, "of", "3", "endorsers of the network", flags.AtLeast(0))
	p.audited = flags.One(set, "audited", "true", "an auditor opens and signs each request", flags.Switch())
	p.utilisation = flags.One(set, "utilisation", "0.6", "highest share of a core's time at peak", plainNumbers("a share between 0 and 1, without 0 and 1"))
	p.p99 = flags.One(set, "p99", "250ms", "time that a client may wait for validation at peak", flags.Durations())
	p.cores = flags.One(set, "cores", thisMachine, "cores of one node; NumCPU are those of this machine", nodeCores)
	p.retention = flags.One(set, "retention", "365d", "time for which the ledger is kept", flags.Text("a positive number of days such as 365d, or a duration"))
	p.batch = flags.One(set, "batch", "1", "requests that a validator collects and checks together", flags.AtLeast(0))
	p.linger = flags.One(set, "linger", "5ms", "time for which a validator collects a batch at most", flags.Durations())
	p.network = flags.One(set, "network", "", "YAML `file` of settings, which flags override", flags.Text("a file"))
	p.show = flags.One(set, "print-network", "false", "print all settings as such a file, and do nothing else", flags.Switch())
	p.asJSON = flags.One(set, "json", "false", "print the plan as JSON", flags.Switch())
	p.out = flags.One(set, "o", "", "`file` of the plan as an HTML page whose settings can be changed", flags.Text("a file"))
	p.keep = flags.One(set, "keep", "", "`file` of the measured costs, which the command reads again", flags.Text("a file"))
	p.overwrite = flags.One(set, "f", "false", "overwrite the file of -keep", flags.Switch())
	p.time = flags.One(set, "time", "30s", "time of the measurement", flags.Durations())
	p.verify = flags.One(set, "verify", "false", "put the planned load of one node on a real validator on this machine, and compare", flags.Switch())
	p.free = flags.One(set, "nolock", "false", "do not wait for other measurements on this machine", flags.Switch())
	p.selection = plannedNetwork.Register(set)
	suite.ForNetworks(set)
	for _, f := range set.All() {
		read := f.Read
		f.Read = func(typed string) (bad string, ok bool) {
			p.typed[f.Name] = typed
			return read(typed)
		}
	}
	l.help, l.prepare = capacityHelp, p.withNetwork
	l.exec = func(ctx context.Context, files []string) error { return p.exec(ctx, files, s) }
	return p
}

// thisMachine stands for the number of processors of this machine.
const thisMachine = "NumCPU"

var nodeCores = flags.Func("a number from 1 to 1000, or NumCPU", func(item string) (int, error) {
	if item == thisMachine {
		return runtime.NumCPU(), nil
	}
	return strconv.Atoi(item)
}, strconv.Itoa)

const allowedRates = "a number of requests a second above 0, at most 1e7"

// rates are numbers of requests a second. The empty text is 0.
var rates = flags.Values[float64]{
	Allowed: allowedRates,
	Parse: func(item string) ([]float64, bool) {
		if item == "" {
			return []float64{0}, true
		}
		return plainNumbers("").Parse(item)
	},
	Text: plainNumbers("").Text,
}

// plainNumbers are numbers.
func plainNumbers(allowed string) flags.Values[float64] {
	return flags.Func(allowed, func(item string) (float64, error) { return strconv.ParseFloat(item, 64) },
		func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) })
}

// settingNames are the flags that a file of settings can have.
func (p *planning) settingNames() (names []string) {
	for _, name := range p.flags.Names() {
		if !slices.Contains(operatingFlags, name) {
			names = append(names, name)
		}
	}
	return names
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
	f, err := outfile.Open(name)
	if err != nil {
		p.bad = usageError("capacity: -network: %w", err)
		return args
	}
	defer f.Close()
	settings, err := capacity.ReadFlags(f, p.settingNames())
	if err != nil {
		p.bad = usageError("capacity: -network: %s: %w", name, err)
		return args
	}
	var all []string
	for _, s := range settings {
		all = append(all, "-"+s.Name+"="+s.Value)
	}
	return append(all, args...)
}

// settings returns the values of the flags.
func (p *planning) settings() (c capacity.Settings, err error) {
	if p.bad != nil {
		return c, p.bad
	}
	if !p.flags.Lookup("rate").Given() {
		return c, usageError("capacity: -rate is needed: requests a second, such as zkatbench capacity -rate=800")
	}
	if !p.flags.Lookup("peak").Given() {
		*p.peak, p.typed["peak"] = *p.rate, p.typed["rate"]
	}
	p.typed["cores"] = strconv.Itoa(*p.cores)
	c = capacity.Settings{
		Rate: *p.rate, Peak: *p.peak, Endorsers: *p.endorsers, Of: *p.of, Audited: *p.audited, Utilisation: *p.utilisation, P99: *p.p99,
		Cores: *p.cores, Batch: *p.batch, Linger: *p.linger,
	}
	if c.Mix, err = capacity.ParseMix(*p.mix, plannedNetwork.Actions); err == nil {
		c.Retention, err = capacity.ParseRetention(*p.retention)
	}
	if err == nil {
		err = c.Check()
	}
	if bad := new(capacity.SettingError); errors.As(err, &bad) {
		err = usageError("capacity: %w", p.flags.Bad(bad.Flag, bad.Value, bad.Allowed))
	}
	return c, err
}

// exec prints the settings, or the plan for them.
func (p *planning) exec(ctx context.Context, files []string, s streams) error {
	settings, err := p.settings()
	if err != nil {
		return err
	}
	choices := plannedNetwork.Choices(p.selection)
	switch {
	case *p.show:
		return capacity.WriteFlags(s.out, p.flagValues())
	case len(choices) == 0:
		return usageError("capacity: -owner: owners by hash need -protocol=v2")
	case len(files) > 1:
		return usageError("capacity takes one results file, not %d; zkatbench merge joins several", len(files))
	case len(files) == 1 && *p.keep != "":
		return usageError("capacity: -keep: %s was measured before", files[0])
	case *p.verify && settings.Batch > 1:
		return usageError("capacity: -verify: %q is not possible with -batch=%d; a real validator is loaded request by request", "true", settings.Batch)
	}
	if !*p.overwrite && *p.keep != "" {
		if err := result.Vacant(*p.keep); err != nil {
			return usageError("capacity: -keep: %w", err)
		}
	}
	if len(files) == 0 || *p.verify {
		if !*p.free {
			unlock, err := lockMachine(ctx, s.err)
			if err != nil {
				return err
			}
			defer unlock()
		}
	}
	m, err := p.costs(ctx, choices, files, s)
	if err != nil {
		return capacityError(ctx, err)
	}
	show, wipe := percent(s.err, "simulating")
	plan, err := plannedNetwork.NewPlan(settings, m.source, m.speedUp, m.costs, m.extra, show)
	wipe()
	if err != nil {
		return capacityError(ctx, err)
	}
	if err := p.write(plan, s.out); err != nil {
		return capacityError(ctx, err)
	}
	if *p.verify {
		return p.verifyPlan(ctx, plan, m.costs, s)
	}
	return nil
}

// capacityError makes an interrupt of err, or a line.
func capacityError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	if errors.Is(err, errUsage) {
		return err
	}
	return fmt.Errorf("zkatbench: capacity: %w", err)
}

// flagValues are all settings by the names of their flags.
func (p *planning) flagValues() (values []capacity.Flag) {
	for _, name := range p.settingNames() {
		values = append(values, capacity.Flag{Name: name, Value: p.typed[name]})
	}
	return values
}

// measuredCosts are the measured part of a plan.
type measuredCosts struct {
	costs, extra []capacity.Costs
	speedUp      capacity.SpeedUp
	source       capacity.Source
}

// costs reads the costs of the choices from a file, or measures them.
func (p *planning) costs(ctx context.Context, choices []capacity.Choice, files []string, s streams) (m measuredCosts, err error) {
	extra, err := plannedNetwork.Extra(choices)
	if err != nil {
		return m, err
	}
	if len(files) == 1 {
		return readCosts(files[0], choices, extra, s)
	}
	return p.measure(ctx, choices, extra, s)
}

// readCosts reads a results file.
func readCosts(name string, choices, extra []capacity.Choice, s streams) (m measuredCosts, err error) {
	d, err := result.ReadFiles(name)
	if err != nil {
		return m, usageError("capacity: %w", err)
	}
	if m.costs, err = plannedNetwork.FromResults(d, choices); err != nil {
		return m, usageError("capacity: %s: %w; zkatbench capacity -keep=FILE measures all of them", name, err)
	}
	for _, c := range extra {
		if costs, err := plannedNetwork.FromResults(d, []capacity.Choice{c}); err == nil {
			m.extra = append(m.extra, costs...)
		}
	}
	m.source, m.speedUp = capacity.SourceOf(d, name), capacity.SpeedUpOf(d)
	warn(s, d.Partial)
	return m, nil
}

// measure measures the costs, and keeps them in the file of -keep.
func (p *planning) measure(ctx context.Context, choices, extra []capacity.Choice, s streams) (m measuredCosts, err error) {
	e := result.Observe(ctx, ".", result.CommandLine(os.Args), pin.Plan{})
	warn(s, e.Noise)
	results := 0
	keep := func(...string) error { return nil }
	if *p.keep != "" {
		f, err := result.Create(*p.keep, e.Lines())
		if err != nil {
			return m, err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		keep = func(lines ...string) error { results += len(lines); return f.Append(lines...) }
	}
	show, wipe := percent(s.err, "measuring")
	defer wipe()
	all, err := plannedNetwork.Measure(ctx, slices.Concat(choices, extra), capacity.Options{
		Time: *p.time, Progress: show, Keep: func(lines ...string) error { return keep(lines...) },
	})
	if err != nil {
		return m, err
	}
	m.costs, m.extra = all[:len(choices)], all[len(choices):]
	if m.speedUp, err = plannedNetwork.MeasureSpeedUp(ctx, choices[0]); err != nil {
		return m, err
	}
	wipe()
	after := result.NoiseAfter(e.State, host.Read(), time.Since(e.Started))
	warn(s, after)
	noise := slices.Concat(e.Noise, after)
	m.source = capacity.Source{
		CPU: e.State.CPU, CPUs: strconv.Itoa(e.State.CPUs), Go: e.State.Go, Revision: e.Revision, Started: e.Started.Format(time.RFC3339), Noise: noise,
	}
	if err := keep(m.speedUp.Lines()...); err != nil || *p.keep == "" {
		return m, err
	}
	ending := []string{fmt.Sprintf("results: %d", results)}
	if len(after) > 0 {
		ending = append([]string{"noise-after: " + strings.Join(after, "; ")}, ending...)
	}
	return m, keep(ending...)
}

// write prints the plan, and writes the page.
func (p *planning) write(plan *capacity.Plan, out io.Writer) error {
	write := plan.Text
	if *p.asJSON {
		write = func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", " ")
			return e.Encode(plan)
		}
	}
	if err := write(out); err != nil {
		return err
	}
	if *p.out == "" {
		return nil
	}
	page := func(w io.Writer) error { return plan.Page(w, report.Style()) }
	if err := outfile.Write(*p.out, page); err != nil {
		return err
	}
	if *p.asJSON {
		return nil
	}
	_, err := fmt.Fprintln(out, "wrote "+*p.out)
	return err
}

// verifyPlan puts the planned load of a node on a real validator.
func (p *planning) verifyPlan(ctx context.Context, plan *capacity.Plan, costs []capacity.Costs, s streams) error {
	v, err := plannedNetwork.Verify(ctx, plan, costs)
	if err != nil {
		return capacityError(ctx, err)
	}
	if err := v.Text(s.out); err != nil {
		return err
	}
	if holds, decided := v.Verdict(); decided && !holds {
		return exitError{1, errors.New("zkatbench: capacity: the prediction failed")}
	}
	return nil
}

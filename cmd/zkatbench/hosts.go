package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/hosts"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/text"
)

// hostsFlag declares -hosts.
func hostsFlag(set *flags.Set) *string {
	return flags.One(set, "hosts", "", "`file` of machines to measure on, over ssh (docs/comparing.md)", flags.Text("a file"))
}

// away is the command line of a command that runs on hosts.
type away struct {
	file          string
	set           *flags.Set
	refused, here []string          // flags that do not apply, and flags that are not for the hosts
	files         map[string]string // flags with a name of a file, after this prefix
}

// open makes the hosts ready and returns the flags for them.
func (a away) open(ctx context.Context, s streams, build func(p hosts.Platform, into string) ([]result.Binary, error)) (fleet *hosts.Fleet, args []string, err error) {
	all, err := hosts.Read(a.file)
	if err != nil {
		return nil, nil, fmt.Errorf("-hosts: %w", err)
	}
	var local []hosts.Local
	for _, f := range a.set.All() {
		value := f.Text()
		switch prefix, names := a.files[f.Name]; {
		case !f.Given() || slices.Contains(append(a.here, "hosts"), f.Name):
			continue
		case slices.Contains(a.refused, f.Name):
			return nil, nil, fmt.Errorf("-%s does not apply with -hosts", f.Name)
		case names && strings.HasPrefix(value, prefix):
			local = append(local, hosts.Local{Here: value[len(prefix):], There: "file-" + f.Name})
			value = prefix + "file-" + f.Name
		}
		values := []string{value}
		if f.Repeated {
			values = strings.Split(value, "\n")
		}
		for _, v := range values {
			args = append(args, "-"+f.Name+"="+v)
		}
	}
	fleet, err = hosts.Open(ctx, all, s.err, local, build)
	return fleet, args, err
}

// away measures a shard on each host and joins the results in the file of -o.
func (f runFlags) away(ctx context.Context, set *flags.Set, packages []string, suite result.Suite, s streams) error {
	if *f.out == "" {
		return errors.New("-hosts needs a file for the results, -o")
	}
	from := result.Source{Dir: ".", Packages: packages, Flags: suite.Flags.Build}
	if err := from.Check(ctx); err != nil {
		return err
	}
	a := away{file: *f.hosts, set: set, refused: []string{"shard", "pin"}, here: []string{"o", "f"}, files: map[string]string{"cost": ""}}
	fleet, args, err := a.open(ctx, s, func(p hosts.Platform, into string) ([]result.Binary, error) {
		from.Env = p.Env()
		return from.Build(ctx, into)
	})
	if err != nil {
		return err
	}
	defer fleet.Close()
	revision := "revision: " + result.Revision(ctx, ".")
	names := make([]string, len(fleet.Hosts))
	bar, done := text.StatusOn(s.err), atomic.Int64{}
	err = fleet.Shards(ctx, func(h *hosts.Host, shard result.Shard) error {
		name := fmt.Sprintf("%s.shard-%d-of-%d", *f.out, shard.Index, shard.Of)
		file, err := os.Create(name)
		if err != nil {
			return err
		}
		arriving := &hosts.Lines{Each: func(line string) error {
			if strings.HasPrefix(line, "Benchmark") {
				names[shard.Index-1] = name
				bar.Show(fmt.Sprintf("%d results, the last from %s", done.Add(1), h.Destination))
			} else if strings.HasPrefix(line, "revision: ") {
				line = revision // of the sources, which the host does not have
			}
			_, err := fmt.Fprintln(file, line)
			return err
		}}
		run := slices.Concat([]string{"run", "-shard=" + shard.String()}, h.Pin(), args, fleet.Tests[h.Platform], []string{"--", "-bench=" + suite.Flags.Bench}, suite.Flags.Run)
		return errors.Join(fleet.Run(ctx, h, arriving, run...), file.Close())
	})
	bar.Erase()
	accept := result.Accept{Hosts: true, Partial: err != nil}
	joined := mergeInto(*f.out, accept, names)
	if errors.Is(joined, result.ErrMachines) { // each case was measured on one of them
		fmt.Fprintf(s.err, "zkatbench: run: %v\n", joined)
		accept.Mixed = true
		joined = mergeInto(*f.out, accept, names)
	}
	if err = errors.Join(err, joined); err != nil {
		return err
	}
	for _, name := range names { // their results are in the file of -o
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// mergeInto joins the files of shards that have results; the others have no name.
func mergeInto(to string, accept result.Accept, names []string) error {
	var all bytes.Buffer
	if err := result.Merge(&all, accept, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })...); err != nil {
		return err
	}
	return outfile.WriteBytes(to, all.Bytes())
}

// away compares a shard on each host, joins the results of both sides, and judges them.
func (c *comparison) away(ctx context.Context, s streams) (r gate.Report, err error) {
	if err := c.checkSides(ctx); err != nil {
		return r, err
	}
	dir, err := os.MkdirTemp("", "zkatbench-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	first := map[hosts.Platform]int{} // test binaries of BASE, which come first
	checkouts := func() {}
	defer func() { checkouts() }()
	a := away{file: *c.hosts, set: c.set, refused: []string{"shard", "pin"}, here: []string{"o", "f", "md", "json", "all", "map", "mix", "rules", "strict"}}
	fleet, args, err := a.open(ctx, s, func(p hosts.Platform, into string) ([]result.Binary, error) {
		sides, remove, err := c.sides(ctx, into, p.Env())
		before := checkouts
		checkouts = func() { remove(); before() }
		if err == nil {
			_, err = c.relink(ctx, sides[:])
		}
		first[p] = len(sides[0].binaries)
		return slices.Concat(sides[0].binaries, sides[1].binaries), err
	})
	if err != nil {
		return r, err
	}
	defer fleet.Close()
	names := [2][]string{make([]string, len(fleet.Hosts)), make([]string, len(fleet.Hosts))}
	failed := fleet.Shards(ctx, func(h *hosts.Host, shard result.Shard) error {
		tests, n := fleet.Tests[h.Platform], first[h.Platform]
		run := slices.Concat([]string{"compare", "-o=out", "-f", "-shard=" + shard.String()}, h.Pin(), args,
			[]string{strings.Join(tests[:n], ","), strings.Join(tests[n:], ","), "--", "-bench=" + c.tests.Bench}, c.tests.Run)
		failed := fleet.Run(ctx, h, io.Discard, run...)
		for i, side := range sideFiles {
			name := filepath.Join(dir, fmt.Sprintf("%s-%d.txt", side, shard.Index))
			results, err := fleet.Read(ctx, h, "out/"+side+".txt")
			if err == nil {
				err = os.WriteFile(name, results, 0o600)
			}
			if err != nil {
				return errors.Join(failed, err)
			}
			names[i][shard.Index-1] = name
		}
		return nil
	})
	given, joined := [2]string{c.base, c.head}, [2]string{}
	for i, side := range sideFiles {
		joined[i] = filepath.Join(cmp.Or(*c.dir, dir), side+".txt")
		if err := mergeInto(joined[i], result.Accept{Mixed: true, Partial: true}, names[i]); err != nil {
			return r, errors.Join(failed, err)
		}
	}
	c.base, c.head = joined[0], joined[1]
	*c.mix = "any" // each case was measured on one machine
	r, err = c.compareFiles()
	r.Base, r.Head = given[0], given[1]
	return r, errors.Join(failed, err)
}

// startAfter is the time between the copies to hosts and a common start of load. The
// ceiling of the generators is measured in it.
const startAfter = 6 * time.Second

// loadAway lets each host make its part of a load, all from the same moment, and shows the
// joint result.
func loadAway(ctx context.Context, file string, set *flags.Set, o *drive.Options, args []string, s streams) error {
	a := away{file: file, set: set, refused: []string{"repeat", "diagnose", "generator", "start"}, here: []string{"out", "require", "v", "seed", "ascii"},
		files: map[string]string{"requests": "", "tls-ca": "", "tls-cert": "", "tls-key": "", "body": "@"}}
	if len(o.Workers) > 1 {
		return errors.New("-hosts takes one number of workers for each host")
	}
	fleet, given, err := a.open(ctx, s, func(hosts.Platform, string) ([]result.Binary, error) { return nil, nil })
	if err != nil {
		return err
	}
	defer fleet.Close()
	for _, h := range fleet.Hosts {
		if h.ClockError == 0 {
			return fmt.Errorf("%s: its date does not print nanoseconds, so no common start can be set", h.Destination)
		}
	}
	start := time.Now().Add(startAfter)
	parts := make([]hosts.Part, len(fleet.Hosts))
	err = fleet.Each(func(i int, h *hosts.Host) error {
		const out = "load.json"
		own := []string{"load", "-out=" + out, "-seed=" + strconv.FormatUint(o.Config.Seed, 10), "-start=" + start.Add(h.Clock).UTC().Format(time.RFC3339Nano)}
		if o.Config.Plan != nil {
			own = append(own, fmt.Sprintf("-generator=%d/%d", i+1, len(parts)))
		}
		failed := fleet.Run(ctx, h, io.Discard, slices.Concat(own, given, args)...)
		written, err := fleet.Read(ctx, h, out)
		if err == nil {
			parts[i].Host = h
			parts[i].Name, parts[i].Result, err = render.ReadJSON(bytes.NewReader(written))
		}
		if err != nil {
			return errors.Join(failed, err)
		}
		return nil // failed operations are in the result
	})
	parts = slices.DeleteFunc(parts, func(p hosts.Part) bool { return p.Result == nil })
	joint, merged := hosts.Joint(parts)
	if merged != nil {
		return cmp.Or(err, merged)
	}
	verdict := drive.Show(parts[0].Name, joint, o, drive.Streams{Out: s.out, Err: s.err})
	if err := errors.Join(err, hosts.WriteShares(s.out, parts, joint, text.Width(s.out))); err != nil {
		return fmt.Errorf("not whole: %w", err)
	}
	return runLoad(verdict)
}

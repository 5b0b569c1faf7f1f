package hosts

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/render"
)

// Order is a command line for hosts.
type Order struct {
	File  string    // of the hosts
	Args  []string  // flags of the command there
	Files []Local   // that the command reads
	Say   io.Writer // for messages of the hosts
}

// Open makes the hosts ready; see the function Open.
func (o Order) Open(ctx context.Context,
	build func(p Platform, into string) ([]result.Binary, error)) (*Fleet, error) {
	all, err := Read(o.File)
	if err != nil {
		return nil, fmt.Errorf("-hosts: %w", err)
	}
	return Open(ctx, all, o.Say, o.Files, build)
}

// Suite measures a shard of the benchmarks of a source on each host, by the command run, and
// joins the results in a file.
func (o Order) Suite(ctx context.Context, from result.Source, f result.Flags, out string) error {
	if err := from.Check(ctx); err != nil {
		return err
	}
	fleet, err := o.Open(ctx, func(p Platform, into string) ([]result.Binary, error) {
		from.Env = p.Env()
		return from.Build(ctx, into)
	})
	if err != nil {
		return err
	}
	defer fleet.Close()
	revision := "revision: " + result.Revision(ctx, ".")
	names := make([]string, len(fleet.Hosts))
	bar, done := text.StatusOn(o.Say), atomic.Int64{}
	err = fleet.Shards(ctx, func(h *Host, shard result.Shard) error {
		name := fmt.Sprintf("%s.shard-%d-of-%d", out, shard.Index, shard.Of)
		file, err := os.Create(name)
		if err != nil {
			return err
		}
		arriving := &Lines{Each: func(line string) error {
			if strings.HasPrefix(line, "Benchmark") {
				names[shard.Index-1] = name
				bar.Show(fmt.Sprintf("%s, the last from %s", text.Plural(done.Add(1), "result"),
					h.Destination))
			} else if strings.HasPrefix(line, "revision: ") {
				line = revision // of the sources, which the host does not have
			}
			_, err := fmt.Fprintln(file, line)
			return err
		}}
		run := slices.Concat([]string{"run", "-shard=" + shard.String()}, h.Pin(), o.Args,
			fleet.Tests[h.Platform], []string{"--", "-bench=" + f.Bench}, f.Run)
		return errors.Join(fleet.Run(ctx, h, arriving, run...), file.Close())
	})
	bar.Erase()
	accept := result.Accept{Hosts: true, Partial: err != nil}
	joined := result.MergeInto(out, accept, names)
	if errors.Is(joined, result.ErrMachines) { // each case was measured on one of them
		fmt.Fprintf(o.Say, "zkatbench: run: %v\n", joined)
		accept.Mixed = true
		joined = result.MergeInto(out, accept, names)
	}
	err = errors.Join(err, joined)
	if err != nil {
		return err
	}
	for _, name := range names { // their results are in the file of -o
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// startAfter is the time between the copies to hosts and a common start of load. The
// ceiling of the generators is measured in it.
const startAfter = 6 * time.Second

// errWorkers says that a load of several numbers of workers cannot be divided.
var errWorkers = errors.New("-hosts takes one number of workers for each host")

// Load lets each host make its part of a load, all from the same moment, and shows the joint
// result. target are the arguments of the command load. The verdict is the verdict of
// drive.Show.
func (o Order) Load(ctx context.Context, options *drive.Options, target []string, s drive.Streams) (verdict,
	err error) {
	if len(options.Workers) > 1 {
		return nil, errWorkers
	}
	fleet, err := o.Open(ctx, func(Platform, string) ([]result.Binary, error) { return nil, nil })
	if err != nil {
		return nil, err
	}
	defer fleet.Close()
	for _, h := range fleet.Hosts {
		if h.ClockError == 0 {
			return nil,
				fmt.Errorf("%s: its date does not print nanoseconds, so no common start can be set",
					h.Destination)
		}
	}
	start := time.Now().Add(startAfter)
	parts := make([]Part, len(fleet.Hosts))
	err = fleet.Each(func(i int, h *Host) error {
		const out = "load.json"
		own := []string{"load", "-o=" + out, "-seed=" + strconv.FormatUint(options.Config.Seed, 10),
			"-start=" + start.Add(h.Clock).UTC().Format(time.RFC3339Nano)}
		if options.Config.Plan != nil {
			own = append(own, fmt.Sprintf("-generator=%d/%d", i+1, len(parts)))
		}
		failed := fleet.Run(ctx, h, io.Discard, slices.Concat(own, o.Args, target)...)
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
	parts = slices.DeleteFunc(parts, func(p Part) bool { return p.Result == nil })
	joint, merged := Joint(parts)
	if merged != nil {
		return nil, cmp.Or(err, merged)
	}
	verdict = drive.Show(parts[0].Name, joint, options, s)
	if err := errors.Join(err, WriteShares(s.Out, parts, joint, text.Width(s.Out))); err != nil {
		return nil, fmt.Errorf("not whole: %w", err)
	}
	return verdict, nil
}

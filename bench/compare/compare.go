package compare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// Options say how two sides are compared.
type Options struct {
	Packages []string     // of revisions and folders
	Flags    result.Flags // of go test
	Rules    gate.Rules
	Renames  result.Renames // cases of HEAD with other names in BASE; may be nil
	Count    int            // results of each case and side before the first look
	Layouts  int            // random orders of the functions of each binary; 1: the order of the linker
	Budget   time.Duration  // no measurement starts after it, from the first build on
	Seed     uint64         // of the order of the sides in each block
	Shard    result.Shard   // part of the cases
	Keep     string         // folder for results and profiles; empty: they are not kept
	// compare files of other machines, too: "any", "host" (same processor); "": do not
	Mix      string
	Pin      pin.Plan  // of measured processes
	Lenient  bool      // leave out packages that do not build, and flags that a binary does not know
	Command  string    // for the files of results
	Work     string    // an empty folder for sources and binaries; empty: a temporary one
	Progress io.Writer // a terminal shows a line of progress; may be nil
	// Lock, unless nil, waits until no other measurement runs on this machine, before the first build.
	Lock    func(ctx context.Context) (unlock func(), err error)
	Builder Builder // nil: the go command
}

// status returns the line that shows the progress.
func (o Options) status() text.Status { return text.StatusOn(o.Progress) }

// comparison is a run in progress. Its base can serve several runs.
type comparison struct {
	Options
	both [2]Side
	base built // of an earlier run; without binaries it is built
}

// SideFiles are the names of the files in the folder of Options.Keep, without ".txt".
var SideFiles = []string{"base", "head"}

// orderKey is the configuration key of files measured in turns.
const orderKey = "order"

// Run compares two files of results, or measures two sides in turns. With an error it also returns the
// report so far.
func Run(ctx context.Context, base, head Side, o Options) (r gate.Report, err error) {
	if base.Kind == ResultFile || head.Kind == ResultFile {
		return files(base, head, o)
	}
	if !o.Lenient { // cases that a side lacks are left out
		if err := Check(ctx, base, head, o); err != nil {
			return r, err
		}
	}
	c := comparison{Options: o, both: [2]Side{base, head}}
	err = o.inside(ctx, func(dir string) (err error) {
		r, err = c.turns(ctx, dir)
		return err
	})
	return r, err
}

// inside calls f with the lock and a folder for sources and binaries.
func (o Options) inside(ctx context.Context, f func(dir string) error) error {
	if o.Lock != nil {
		unlock, err := o.Lock(ctx)
		if err != nil {
			return err
		}
		defer unlock()
	}
	if o.Work != "" {
		return f(o.Work)
	}
	dir, err := os.MkdirTemp("", "zkatbench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return f(dir)
}

// turns builds both sides in a folder and measures them in turns.
func (c *comparison) turns(ctx context.Context, dir string) (r gate.Report, err error) {
	started := time.Now()
	building, cancel := context.WithDeadline(ctx, started.Add(gate.BuildingShare(c.Budget)))
	defer cancel()
	sides, remove, err := c.sides(building, dir, nil)
	defer remove()
	if err != nil && ctx.Err() == nil && building.Err() != nil {
		return c.notBegun(time.Since(started)), nil
	}
	if err != nil {
		return r, err
	}
	e := result.Observe(ctx, ".", c.Command, c.Pin)
	e.Seed = c.Seed
	trial := gate.Trial{
		Flags: c.Flags, Rules: c.Rules, Count: c.Count, Budget: c.Budget, Seed: c.Seed, Started: started,
		Profile: !c.Lenient, Shard: c.Shard,
	}
	trial.Layouts, err = c.relink(building, sides[:])
	if err != nil && ctx.Err() == nil && building.Err() != nil {
		trial.Layouts, err = 0, nil // the layouts until then are measured
	}
	took := time.Since(started)
	c.base = sides[0]
	if err != nil {
		return r, err
	}
	both, err := c.contenders(sides, e)
	if err != nil {
		return r, err
	}
	trial.Base, trial.Head = both[0], both[1]
	c.status().Show("looking for benchmarks")
	trial.Show = func(p result.Progress) { c.status().Show(p.String()) }
	r, err = trial.Run(ctx)
	c.status().Erase()
	err = errors.Join(err, c.writeProfiles(r.Profiles))
	r.Base, r.Head = sides[0].name, sides[1].name
	r.Revisions = [2]string{sides[0].short(), sides[1].short()}
	if r.Revisions[0] == r.Revisions[1] {
		r.Revisions = [2]string{}
	}
	if c.oneRevision(sides) {
		r.Notes = append(r.Notes,
			fmt.Sprintf("%s and %s are the same revision: there is no change to find", c.both[0].Name,
				c.both[1].Name))
	}
	r.Notes = slices.Concat(r.Notes, layoutNote(sides, trial.Layouts, took), e.Noise,
		result.NoiseAfter(e.State, host.Read(), time.Since(e.Started)))
	return r, errors.Join(err, trial.Base.End(ctx.Err() != nil), trial.Head.End(ctx.Err() != nil))
}

// notBegun is the report of a comparison that was not begun because its builds took three quarters of the
// budget.
func (c *comparison) notBegun(took time.Duration) gate.Report {
	const why = "the comparison could not begin: building took %v of the budget of %v; raise -budget, or " +
		"run it again: what is compiled is kept"
	return gate.Report{
		Base: c.both[0].Name, Head: c.both[1].Name, Strict: c.Rules.Strict,
		Notes: []string{fmt.Sprintf(why, took.Round(100*time.Millisecond), c.Budget)},
	}
}

// oneRevision reports two sides of one revision with the same settings.
func (c *comparison) oneRevision(sides [2]built) bool {
	return c.both[0].Kind == Revision && c.both[1].Kind == Revision &&
		sides[0].revision == sides[1].revision && sides[0].tools.Label == sides[1].tools.Label
}

// contenders are both sides with their results, which are kept in files if Keep names a folder.
func (c *comparison) contenders(sides [2]built, e result.Environment) (both [2]*result.Contender, err error) {
	revisions, settings := sides[0].revision, []string(nil)
	if sides[1].revision != revisions {
		revisions += " to " + sides[1].revision
	}
	if labels := [2]string{sides[0].tools.Label, sides[1].tools.Label}; labels[0] != "" {
		settings = []string{"toolchain: " + labels[0] + " to " + labels[1]}
	}
	// benchstat makes a table for each value of a key, so both files have the same.
	lines := slices.DeleteFunc(e.Lines(), func(line string) bool {
		return strings.HasPrefix(line, "revision: ")
	})
	lines = slices.Concat(lines, settings, []string{"revisions: " + revisions, orderKey + ": in turns"})
	for i, s := range sides {
		name := ""
		if c.Keep != "" {
			name = filepath.Join(c.Keep, SideFiles[i]+".txt")
		}
		sink, err := result.Open(name, io.Discard, lines)
		if err != nil {
			return both, err
		}
		both[i] = result.NewContender(s.binaries, sink)
		both[i].Renames = c.renames()[i]
	}
	return both, nil
}

// renames returns the renames of BASE, which are empty, and of HEAD; nil without any.
func (o Options) renames() (sides [2]result.Renames) {
	if len(o.Renames) > 0 {
		sides = [2]result.Renames{{}, o.Renames}
	}
	return sides
}

// writeProfiles writes the difference of the profiles of each regression of time into
// the folder Keep, as a flame graph and as folded stacks.
func (c *comparison) writeProfiles(all []gate.Profiles) (err error) {
	for i, p := range all {
		if c.Keep == "" {
			return nil
		}
		name := filepath.Join(c.Keep, fmt.Sprintf("more-time-%d", i+1))
		more := p.Difference()
		err = errors.Join(err, outfile.Write(name+".folded", more.Write),
			outfile.Write(name+".svg", func(w io.Writer) error {
				return more.SVG(w, fmt.Sprintf("%s: samples that only HEAD has", p.Key.Name))
			}))
	}
	return err
}

// ErrSide reports a side that cannot be measured: it does not build, or has no benchmark that runs.
var ErrSide = errors.New("cannot be measured")

// Measure measures one side to a sink, count results of each case. left is called before the first result
// if packages are left out.
func Measure(ctx context.Context, s Side, o Options, to result.Sink, count int,
	left func(error) error) error {
	c := comparison{Options: o}
	return o.inside(ctx, func(dir string) error {
		side, remove, err := c.build(ctx, s, filepath.Join(dir, "head"), 0)
		defer remove()
		if err != nil {
			return unmeasurable(ctx, err)
		}
		keys := []result.Key{}
		for _, b := range side.binaries {
			found, err := b.Cases(ctx, o.Flags)
			if err == nil && len(b.Unknown) > 0 {
				err = fmt.Errorf("%s %s", b.Package, strings.Join(b.Unknown, " "))
			}
			if err != nil {
				side.left = append(side.left, err)
			}
			keys = append(keys, found...)
		}
		if len(keys) == 0 {
			return unmeasurable(ctx, errors.Join(append(side.left, result.ErrNoBenchmarks)...))
		}
		if without := errors.Join(side.left...); without != nil {
			if err := left(without); err != nil {
				return err
			}
		}
		o.status().Show("looking for benchmarks")
		defer o.status().Erase()
		suite := result.Suite{Binaries: side.binaries, Flags: o.Flags, Count: count, Seed: 1, Keys: keys}
		return suite.Run(ctx, to, func(p result.Progress) { o.status().Show(p.String()) })
	})
}

// unmeasurable makes an error one of the side, unless ctx has ended.
func unmeasurable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ErrSide, err)
}

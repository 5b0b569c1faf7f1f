// Package drive provides the parts around package runner that a command or a
// test needs.
//
//	flags.go     Options: the values of the flags, checked before the run
//	session.go   Session: lock, measure, show, save, for any number of measurements
//	drive.go     Run: a Session of one operation; exit status
//	require.go   the verdict of a Session: failures and requirements
//	lock.go      one measurement at a time on a machine
//	holder.go    the process that measures, for processes that wait or that it starts
//	terminal.go  ^C, closed pipes, width, colour, progress
package drive

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/require"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// mostWorkers bounds the workers that an open loop gets if the user names no number.
const mostWorkers = 256

// Options are the values of the flags.
type Options struct {
	Config   runner.Config // for every number of workers
	Workers  []int
	Repeat   int
	Require  []require.Requirement
	Diagnose string // directory for the files of a diagnosis; empty for no diagnosis
	Out      []string
	ASCII    bool
	NoLock   bool
	Brief    bool // print render.Summary instead of the whole report; no flag

	rate               float64
	arrival, generator string
	precision          precision
	start              time.Time // of the warm-up; zero: at once
}

// Register declares the flags of the runner, except flags that set already
// has, and returns the Options that set.Resolve fills. Flags that are left to
// set keep their defaults in the Options.
func Register(set *flags.Set) *Options {
	o := new(Options)
	c := &o.Config
	workers := &[]int{1}
	if set.Lookup("workers") == nil {
		workers = flags.Many(set, "workers", "1", "numbers of workers: 4 or 1,2,4 or 1..8 or NumCPU/2; several measure scaling; with -rate alone, as many as the rate needs, at most 256", flags.Workers())
	}
	add(set, &c.Duration, "duration", "10s", "length of the window",
		spans("a duration of at least 1ms (or 0 with -operations)", func(d time.Duration) bool { return d >= time.Millisecond || d == 0 }))
	add(set, &c.Ops, "operations", "0", "end the window after this many operations; 0: no limit", flags.AtLeast[int64](0))
	add(set, &o.precision, "precision", "", "end the window when the half width of the interval is at most 1% of the mean, or p99:5%; empty: no limit",
		flags.Func("a share such as 1% or 0.01, or one of mean, p50, p90, p95, p99 and a share, such as p99:5%", parsePrecision, nil))
	add(set, &c.WarmUp, "warmup", "0s", "warm-up before the window; 0: a tenth of it, at most 1s; negative: none",
		flags.Func("a duration such as 2s, 0 for a tenth of the window, or a negative one for none", time.ParseDuration, nil))
	add(set, &c.Steady, "steady", "false", "warm up until the latency is steady, -warmup at most (0: -duration, at most 10s)", flags.Switch())
	add(set, &o.rate, "rate", "0", "start this many operations a second without waiting for earlier ones (open loop); 0: back to back",
		flags.Func("", func(typed string) (float64, error) { return strconv.ParseFloat(typed, 64) }, nil).Where(
			"a number of operations a second, from one a day to 1e9, or 0 for back to back",
			func(rate float64) bool { return rate == 0 || schedule.Plan{Rate: rate}.Check() == nil }))
	add(set, &c.Seed, "seed", "", "seed of random arrivals and of the order of inputs; drawn at random and shown if empty",
		flags.Func("a number of at least 0", parseSeed, nil))
	add(set, &o.arrival, "arrival", schedule.Constant, "arrival process of -rate: "+schedule.Syntax, flags.Text(""))
	add(set, &o.generator, "generator", "", "make part `i/n` of the starts of -rate", flags.Text(""))
	add(set, &o.start, "start", "", "`time` at which the warm-up begins", flags.Func("a time such as 2026-11-24T12:00:05Z", parseStart, nil))
	add(set, &o.Repeat, "repeat", "1", "repeat the run this many times and report the spread", flags.AtLeast(1))
	add(set, &c.Timeout, "op_timeout", "0s", "an operation that takes longer has failed; 0: none", spans("a duration such as 500ms, or 0 for none", notNegative))
	add(set, &c.Stall, "stall", "0s", "end the run when no operation finishes for this long; 0: 30s", spans("a duration such as 1m, or 0 for 30s", notNegative))
	add(set, &c.Batch, "timed_as_one", "0", "number of operations timed as one; 0: by the resolution of the clock", flags.AtLeast(0))
	add(set, &o.Require, "require", "", "requirements, such as p99<2ms,errors<0.1%,throughput>400; a broken one fails the run, and so does one that the run cannot decide",
		flags.Func(require.Syntax, func(typed string) ([]require.Requirement, error) {
			if c.Requirements = typed; typed == "" {
				return nil, nil
			}
			return require.Parse(typed)
		}, nil))
	add(set, &o.Diagnose, "diagnose", "", "after measuring, profile and trace in a separate pass and write the files to this folder", flags.Text("").Where("a folder, or a name for one", func(name string) bool {
		info, err := os.Stat(name)
		return err != nil || info.IsDir()
	}))
	add(set, &o.Out, "out", "", "also write files; the ending selects the format:  "+strings.Join(render.Formats(), ", "),
		flags.Func("a file that can be written, with a name that ends in one of ."+strings.Join(render.Formats(), ", ."), parseOut, nil))
	add(set, &o.ASCII, "ascii", "false", "print ASCII only", flags.Switch())
	add(set, &o.NoLock, "nolock", "false", "do not wait for other measurements on this machine", flags.Switch())
	set.Check(func() error {
		o.Workers = *workers
		c.Precision, c.PrecisionOf = o.precision.share, o.precision.statistic
		if err := o.plan(set); err != nil {
			return err
		}
		return o.checkTogether(set)
	})
	return o
}

// add declares a flag unless set has it; then the value is the default.
func add[T any](set *flags.Set, to *T, name, normal, usage string, v flags.Values[T]) {
	if set.Lookup(name) == nil {
		flags.Into(set, to, name, normal, usage, v)
	} else if parsed, ok := v.Parse(normal); ok {
		*to = parsed[0]
	}
}

func spans(allowed string, ok func(time.Duration) bool) flags.Values[time.Duration] {
	return flags.Func("", time.ParseDuration, nil).Where(allowed, ok)
}

func notNegative(d time.Duration) bool { return d >= 0 }

func parseSeed(typed string) (uint64, error) {
	if typed == "" {
		return rand.Uint64() >> 1, nil // fits the numbers of JSON readers with signed integers
	}
	return strconv.ParseUint(typed, 10, 64)
}

func parseStart(typed string) (time.Time, error) {
	if typed == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, typed)
}

// precision is the relative half width of the interval of a statistic.
type precision struct {
	share     float64
	statistic string
}

// errValue makes an error of a flag, which says what is allowed.
var errValue = errors.New("not allowed")

func parsePrecision(typed string) (p precision, err error) {
	if typed == "" {
		return p, nil
	}
	share, found := "", false
	if p.statistic, share, found = strings.Cut(typed, ":"); !found {
		p.statistic, share = "mean", typed
	}
	if p.share, err = stats.ParseShare(share); err == nil && (!(p.share > 0 && p.share < 1) || !slices.Contains([]string{"mean", "p50", "p90", "p95", "p99"}, p.statistic)) {
		err = errValue
	}
	return p, err
}

func parseOut(typed string) (names []string, err error) {
	if typed == "" {
		return nil, nil
	}
	names = strings.Split(typed, ",")
	for _, name := range names {
		if format(name) == "" || outfile.Check(name) != nil {
			return nil, errValue
		}
	}
	return names, nil
}

// format returns the format of a file by its ending, or the empty string.
func format(name string) string {
	ending := strings.TrimPrefix(filepath.Ext(name), ".")
	if !slices.Contains(render.Formats(), ending) {
		return ""
	}
	return ending
}

// plan makes the plan of an open loop; back to back, Plan stays nil.
func (o *Options) plan(set *flags.Set) error {
	p, err := schedule.Parse(cmp.Or(o.rate, 1), o.arrival)
	if err != nil {
		return set.Bad("arrival", o.arrival, "one of "+schedule.Syntax+"; for example ramp:500/30s, step:500/30s/5, poisson,ramp:500/30s,constant:1m,rate:50")
	}
	p.Seed = o.Config.Seed
	o.Config.Plan = &p
	if o.rate == 0 {
		o.Config.Plan = nil
	}
	if o.generator == "" {
		return nil
	}
	n, _ := fmt.Sscanf(o.generator, "%d/%d", &p.Generator, &p.Generators)
	if n != 2 || o.rate == 0 || p.Check() != nil || fmt.Sprintf("%d/%d", p.Generator, p.Generators) != o.generator {
		return set.Bad("generator", o.generator, "i/n with 1 ≤ i ≤ n ≤ 1000, and a -rate and a -seed")
	}
	return nil
}

// checkTogether checks combinations of flags.
func (o *Options) checkTogether(set *flags.Set) error {
	o.Config.MaxWorkers = 0
	if workers := set.Lookup("workers"); o.Config.Plan != nil && workers != nil && !workers.Given() {
		o.Config.MaxWorkers = mostWorkers
	}
	if o.Config.Duration == 0 && o.Config.Ops == 0 {
		return set.Bad("duration", "0", "more than 0, which a run without -operations needs")
	}
	if o.rate == 0 && o.arrival != schedule.Constant {
		return set.Bad("rate", "0", "more than 0, which -arrival="+o.arrival+" needs")
	}
	if seed := set.Lookup("seed"); o.Config.Plan != nil && o.Config.Plan.Generators > 0 && seed != nil && !seed.Given() {
		return set.Bad("seed", "", "the same number for all generators of -generator")
	}
	if p := o.Config.Plan; p != nil && len(p.Then) > 0 && o.Config.Duration > 0 && p.Length() > o.Config.Duration {
		return set.Bad("duration", o.Config.Duration.String(), fmt.Sprintf("at least %v, the length of the stages of -arrival", p.Length()))
	}
	return nil
}

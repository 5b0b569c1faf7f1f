// Package drive provides the parts around package runner that a command or a
// test needs.
//
// Options are the values of the flags, checked before the run. A Session locks
// the machine, measures, shows and saves, for any number of measurements. Run
// is a Session of one operation with its exit status.
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
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/render"
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
		workers = flags.Many(set, "workers", "1",
			": several measure scaling; with -rate alone, as many as the rate needs, at most 256",
			flags.Workers())
	}
	add(set, &c.Duration, "duration", "10s",
		": length of the window; the reference has 1s, which misses rare events",
		spans("a duration of at least 1ms (or 0 with -operations)", func(d time.Duration) bool {
			return d >= time.Millisecond || d == 0
		}))
	add(set, &c.Ops, "operations", "0", "", flags.AtLeast[int64](0))
	add(set, &o.precision, "precision", "", "",
		flags.Func("a share such as 1% or 0.01, or one of mean, p50, p90, p95, p99 and a share, such as "+
			"p99:5%", parsePrecision, nil))
	add(set, &c.WarmUp, "warmup", "0s", "",
		flags.Func("a duration such as 2s, 0 for a tenth of the window, or a negative one for none",
			time.ParseDuration, nil))
	add(set, &c.Steady, "steady", "false", "", flags.Switch())
	add(set, &o.rate, "rate", "0",
		": start so many without waiting for earlier ones (open loop); 0: back to back",
		flags.Func("", func(typed string) (float64, error) {
			return strconv.ParseFloat(typed, 64)
		}, nil).Where(
			"a number of operations a second, from one a day to 1e9, or 0 for back to back",
			func(rate float64) bool { return rate == 0 || schedule.Plan{Rate: rate}.Check() == nil }))
	add(set, &c.Seed, "seed", "",
		": random arrivals and the order of inputs; drawn at random and shown if empty",
		flags.Func("a number of at least 0", parseSeed, nil))
	add(set, &o.arrival, "arrival", schedule.Constant, ": "+schedule.Syntax,
		flags.Text(""))
	add(set, &o.generator, "generator", "", "", flags.Text(""))
	add(set, &o.start, "start", "", "",
		flags.Func("", parseStart, nil).Where("a time such as 2026-11-24T12:00:05Z, at most an hour ago",
			func(start time.Time) bool { return start.IsZero() || time.Since(start) < time.Hour }))
	add(set, &o.Repeat, set.Spelled("count"), "1", ": runs; several report the spread",
		flags.AtLeast(1))
	add(set, &c.Timeout, "op-timeout", "0s", "",
		spans("a duration such as 500ms, or 0 for none", notNegative))
	add(set, &c.Stall, "stall", "0s", "",
		spans("a duration such as 1m, or 0 for 30s", notNegative))
	add(set, &c.Batch, "timed-as-one", "0", "", flags.AtLeast(0))
	add(set, &o.Require, "require", "", "",
		flags.Func(require.Syntax, func(typed string) ([]require.Requirement, error) {
			c.Requirements = typed
			if typed == "" {
				return nil, nil
			}
			return require.Parse(typed)
		}, nil))
	add(set, &o.Diagnose, "diagnose", "", "",
		flags.Text("").Where("a folder, or a name for one", func(name string) bool {
			info, err := os.Stat(name)
			return err != nil || info.IsDir()
		}))
	add(set, &o.Out, set.Spelled("o"), "",
		": or several, whose endings select the formats: "+strings.Join(render.Formats(), ", "),
		flags.Func("a file that can be written, with a name that ends in one of ."+
			strings.Join(render.Formats(), ", ."), parseOut, nil))
	add(set, &o.ASCII, "ascii", "false", "", flags.Switch())
	add(set, &o.NoLock, "nolock", "false", "",
		flags.Switch())
	set.Check(func() error {
		o.Workers = *workers
		c.Precision, c.PrecisionOf = o.precision.share, o.precision.statistic
		c.HalfWidth = judge.HalfWidth
		if c.Ops > 0 && c.WarmUp == 0 && !c.Steady {
			c.WarmUp = -1 // the number is a bound: each request sent counts
		}
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

// errValue is an error of a flag. It lists the allowed values.
var errValue = errors.New("not allowed")

func parsePrecision(typed string) (p precision, err error) {
	if typed == "" {
		return p, nil
	}
	share, found := "", false
	p.statistic, share, found = strings.Cut(typed, ":")
	if !found {
		p.statistic, share = "mean", typed
	}
	p.share, err = stats.ParseShare(share)
	if err == nil &&
		(!(p.share > 0 && p.share < 1) ||
			!slices.Contains([]string{"mean", "p50", "p90", "p95", "p99"}, p.statistic)) {
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
		return set.Bad("arrival", o.arrival,
			"one of "+schedule.Syntax+
				"; for example ramp:500/30s, step:500/30s/5, poisson,ramp:500/30s,constant:1m,rate:50")
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
	if n != 2 || o.rate == 0 || p.Check() != nil ||
		fmt.Sprintf("%d/%d", p.Generator, p.Generators) != o.generator {
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
	if seed := set.Lookup("seed"); o.Config.Plan != nil && o.Config.Plan.Generators > 0 && seed != nil &&
		!seed.Given() {
		return set.Bad("seed", "", "the same number for all generators of -generator")
	}
	if p := o.Config.Plan; p != nil && len(p.Then) > 0 && o.Config.Duration > 0 &&
		p.Length() > o.Config.Duration {
		return set.Bad("duration", o.Config.Duration.String(),
			fmt.Sprintf("at least %v, the length of the stages of -arrival", p.Length()))
	}
	return nil
}

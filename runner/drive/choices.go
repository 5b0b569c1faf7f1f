package drive

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/require"
	"github.com/zkatbench/zkatbench/runner/scale"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// A choice is one flag: read parses a typed value into Options and reports
// whether it is allowed.
type choice struct {
	name, normal, usage, allowed string
	toggle                       bool
	read                         func(o *Options, typed string) (ok bool)
}

// choices lists all flags. -rate and -seed come before -arrival, which depends
// on them.
var choices = []choice{
	{name: "workers", normal: "1", allowed: scale.Allowed,
		usage: "numbers of workers: 4 or 1,2,4 or 1..8 or NumCPU/2; several measure scaling; with -rate alone, as many as the rate needs, at most 256",
		read: func(o *Options, typed string) bool {
			var err error
			o.Workers, err = scale.Counts(typed, runtime.NumCPU())
			return err == nil
		}},
	{name: "duration", normal: "10s", allowed: "a duration of at least 1ms (or 0 with -operations)",
		usage: "length of the window",
		read: func(o *Options, typed string) bool {
			return duration(&o.Config.Duration, typed) && (o.Config.Duration >= time.Millisecond || o.Config.Duration == 0)
		}},
	{name: "operations", normal: "0", allowed: "a number of at least 0",
		usage: "end the window after this many operations; 0: no limit",
		read: func(o *Options, typed string) (ok bool) {
			var err error
			o.Config.Ops, err = strconv.ParseInt(typed, 10, 64)
			return err == nil && o.Config.Ops >= 0
		}},
	{name: "precision", allowed: "a share such as 1% or 0.01, or one of mean, p50, p90, p95, p99 and a share, such as p99:5%",
		usage: "end the window when the half width of the interval is at most 1% of the mean, or p99:5%; empty: no limit",
		read:  readPrecision},
	{name: "warmup", normal: "0s", allowed: "a duration such as 2s, 0 for a tenth of the window, or a negative one for none",
		usage: "warm-up before the window; 0: a tenth of it, at most 1s; negative: none",
		read:  func(o *Options, typed string) bool { return duration(&o.Config.WarmUp, typed) }},
	{name: "steady", normal: "false", allowed: onOff, toggle: true,
		usage: "warm up until the latency is steady, -warmup at most (0: -duration, at most 10s)",
		read:  func(o *Options, typed string) bool { return toggle(&o.Config.Steady, typed) }},
	{name: "rate", normal: "0", allowed: "a number of operations a second, from one a day to 1e9, or 0 for back to back",
		usage: "start this many operations a second without waiting for earlier ones (open loop); 0: back to back",
		read: func(o *Options, typed string) bool {
			var err error
			o.rate, err = strconv.ParseFloat(typed, 64)
			return err == nil && (o.rate == 0 || schedule.Plan{Arrival: schedule.Constant, Rate: o.rate}.Check() == nil)
		}},
	{name: "seed", allowed: "a number of at least 0",
		usage: "seed of random arrivals and of the order of inputs; drawn at random and shown if empty",
		read: func(o *Options, typed string) bool {
			if typed == "" {
				o.Config.Seed = rand.Uint64() >> 1 // fits the numbers of JSON readers with signed integers
				return true
			}
			var err error
			o.Config.Seed, err = strconv.ParseUint(typed, 10, 64)
			return err == nil
		}},
	{name: "arrival", normal: schedule.Constant,
		allowed: "one of " + schedule.Syntax + "; for example ramp:500/30s, step:500/30s/5, poisson,ramp:500/30s,constant:1m,rate:50",
		usage:   "arrival process of -rate: " + schedule.Syntax,
		read:    readArrival},
	{name: "generator", allowed: "i/n with 1 ≤ i ≤ n ≤ 1000, and a -rate and a -seed",
		usage: "make part `i/n` of the starts of -rate",
		read: func(o *Options, typed string) bool {
			if typed == "" {
				return true
			}
			p := o.Config.Plan
			if p == nil {
				return false
			}
			n, err := fmt.Sscanf(typed, "%d/%d", &p.Generator, &p.Generators)
			return err == nil && n == 2 && p.Check() == nil && fmt.Sprintf("%d/%d", p.Generator, p.Generators) == typed
		}},
	{name: "start", allowed: "a time such as 2026-11-24T12:00:05Z",
		usage: "`time` at which the warm-up begins",
		read: func(o *Options, typed string) (ok bool) {
			if typed != "" {
				var err error
				o.start, err = time.Parse(time.RFC3339Nano, typed)
				return err == nil
			}
			return true
		}},
	{name: "repeat", normal: "1", allowed: "a number of at least 1",
		usage: "repeat the run this many times and report the spread",
		read:  func(o *Options, typed string) bool { return whole(&o.Repeat, typed, 1) }},
	{name: "op_timeout", normal: "0s", allowed: "a duration such as 500ms, or 0 for none",
		usage: "an operation that takes longer has failed; 0: none",
		read: func(o *Options, typed string) bool {
			return duration(&o.Config.Timeout, typed) && o.Config.Timeout >= 0
		}},
	{name: "stall", normal: "0s", allowed: "a duration such as 1m, or 0 for 30s",
		usage: "end the run when no operation finishes for this long; 0: 30s",
		read: func(o *Options, typed string) bool {
			return duration(&o.Config.Stall, typed) && o.Config.Stall >= 0
		}},
	{name: "timed_as_one", normal: "0", allowed: "a number of at least 0",
		usage: "number of operations timed as one; 0: by the resolution of the clock",
		read:  func(o *Options, typed string) bool { return whole(&o.Config.Batch, typed, 0) }},
	{name: "require", allowed: require.Syntax,
		usage: "requirements, such as p99<2ms,errors<0.1%,throughput>400; a broken one fails the run, and so does one that the run cannot decide",
		read: func(o *Options, typed string) bool {
			if typed == "" {
				return true
			}
			var err error
			o.Require, err = require.Parse(typed)
			o.Config.Requirements = typed
			return err == nil
		}},
	{name: "diagnose", allowed: "a folder",
		usage: "after measuring, profile and trace in a separate pass and write the files to this folder",
		read:  func(o *Options, typed string) bool { o.Diagnose = typed; return true }},
	{name: "out", allowed: "a name, in a folder that exists, that ends in one of ." + strings.Join(render.Formats(), ", ."),
		usage: "also write files; the ending selects the format:  " + strings.Join(render.Formats(), ", "),
		read:  readOut},
	{name: "ascii", normal: "false", allowed: onOff, toggle: true,
		usage: "print ASCII only",
		read:  func(o *Options, typed string) bool { return toggle(&o.ASCII, typed) }},
	{name: "nolock", normal: "false", allowed: onOff, toggle: true,
		usage: "do not wait for other measurements on this machine",
		read:  func(o *Options, typed string) bool { return toggle(&o.NoLock, typed) }},
}

const onOff = "true or false"

func duration(d *time.Duration, typed string) bool {
	var err error
	*d, err = time.ParseDuration(typed)
	return err == nil
}

func toggle(b *bool, typed string) bool {
	var err error
	*b, err = strconv.ParseBool(typed)
	return err == nil
}

func whole(n *int, typed string, least int) bool {
	var err error
	*n, err = strconv.Atoi(typed)
	return err == nil && *n >= least
}

// readArrival makes the plan of an open loop; back to back, Plan stays nil.
func readArrival(o *Options, typed string) bool {
	o.arrival = typed
	p, err := schedule.Parse(cmp.Or(o.rate, 1), typed)
	if err != nil {
		return false
	}
	p.Seed = o.Config.Seed
	o.Config.Plan = &p
	if o.rate == 0 {
		o.Config.Plan = nil
	}
	return true
}

func readPrecision(o *Options, typed string) bool {
	if typed == "" {
		return true
	}
	statistic, share, found := strings.Cut(typed, ":")
	if !found {
		statistic, share = "mean", typed
	}
	v, err := stats.ParseShare(share)
	o.Config.Precision, o.Config.PrecisionOf = v, statistic
	return err == nil && v > 0 && v < 1 && slices.Contains([]string{"mean", "p50", "p90", "p95", "p99"}, statistic)
}

func readOut(o *Options, typed string) bool {
	if typed == "" {
		return true
	}
	o.Out = strings.Split(typed, ",")
	return !slices.ContainsFunc(o.Out, func(name string) bool {
		folder, err := os.Stat(filepath.Dir(name))
		return format(name) == "" || err != nil || !folder.IsDir()
	})
}

// format returns the format of a file by its ending, or the empty string.
func format(name string) string {
	ending := strings.TrimPrefix(filepath.Ext(name), ".")
	if !slices.Contains(render.Formats(), ending) {
		return ""
	}
	return ending
}

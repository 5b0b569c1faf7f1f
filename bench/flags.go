package bench

import (
	"fmt"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// Axes lists axes of different types.
func Axes(axes ...Param) []Param { return axes }

// Register declares the flags of axes, in the order of benchmark names, and
// returns the Selection that set.Resolve fills.
func Register(set *flags.Set, axes ...Param) *Selection {
	sel := &Selection{runner: new(drive.Options)}
	sel.add(set, axes)
	return sel
}

func (s *Selection) add(set *flags.Set, axes []Param) {
	for _, a := range axes {
		i := a.info()
		at := len(s.choices)
		s.choices = append(s.choices, choice{axis: a, info: i})
		set.Add(flags.Flag{Name: i.flag, Default: i.normal, Usage: i.usage, Allowed: i.allowed,
			Read: func(typed string) (bad string, ok bool) {
				c := &s.choices[at]
				c.all, bad, ok = c.values(typed)
				if !ok {
					return bad, false
				}
				c.brief = c.all
				if !set.Lookup(i.flag).Given() {
					c.brief, bad, ok = c.values(i.brief)
				}
				return bad, ok
			}})
		if i.brief != i.normal {
			set.Lookup(i.flag).Usage += fmt.Sprintf(" (under the runner %s)", i.brief)
		}
	}
}

// Register declares the flags of the axes of the subject, of the axes that all
// subjects share, and of Options, and returns the Selection that set.Resolve
// fills.
func (s Subject) Register(set *flags.Set) *Selection {
	sel := Register(set, s.Axes...)
	sel.Options.register(set)
	sel.add(set, Axes(InputUse, workerCounts))
	return sel
}

// RegisterLoad is Register for a test binary, which the load runner also drives:
// it declares the flags of package runner/drive too, except flags that set
// has.
func (s Subject) RegisterLoad(set *flags.Set) *Selection {
	set.InTests = true
	sel := s.Register(set)
	own := set.Names()
	sel.runner = drive.Register(set)
	for _, f := range set.All() {
		if !slices.Contains(own, f.Name) {
			f.Usage = "under the runner: " + f.Usage
		}
	}
	return sel
}

// Env begins the environment twins of the flags of this module.
const Env = "ZKAT_"

// The axes that all subjects share. They go last in a matrix, so that names end
// in "/workers=10".
var (
	InputUse = &Axis[string]{
		Name: "input-use", Flag: "inputs", Default: reuseInputs,
		Values: flags.Names(reuseInputs, freshInputs, DecodeInputs), Show: IfChosen,
	}
	workerCounts = &Axis[int]{
		Name: "workers", Flag: "workers", Default: "NumCPU", Values: flags.Workers(), Parallel: true,
	}
)

// The values of InputUse.
const (
	reuseInputs  = "reuse"
	freshInputs  = "fresh"
	DecodeInputs = "decode"
)

// Options are the flags that all subjects share, except axes.
type Options struct {
	// Samples is the number of prepared environments that a benchmark cycles
	// through; 0 makes a new one for each operation.
	Samples int
	// Duration is the recording time of the runner for each case.
	Duration time.Duration
	// Ops adds counted group operations to the figures, Purity examines each case
	// before it is timed, and Profile writes profiles of it.
	Ops, Purity, Profile bool
}

// register declares the flags of o.
func (o *Options) register(set *flags.Set) {
	flags.Into(set, &o.Samples, "setup_samples", "8", "", flags.Numbers(0, 1_000_000))
	flags.Into(set, &o.Duration, "duration", "10s",
		": recording time of the runner for each case; the reference has 1s, which misses rare events",
		flags.Durations())
	flags.Into(set, &o.Ops, "ops", "false", "", flags.Switch())
	flags.Into(set, &o.Purity, "purity", "false", "", flags.Switch())
	flags.Into(set, &o.Profile, "profile", "false",
		": of processor time and allocations of each case, as .pprof files (under the runner: -diagnose)",
		flags.Switch())
}

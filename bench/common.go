package bench

import (
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
)

// Env begins the environment twins of the flags of this module.
const Env = "ZKAT_"

// The axes that all subjects share. They go last in a matrix, so that names end
// in "/workers=10".
var (
	InputUse = &Axis[string]{
		Name: "input-use", Flag: "inputs", Default: reuseInputs, Values: flags.Names(reuseInputs, freshInputs, DecodeInputs), Show: IfChosen,
		Usage: "reuse cycles through prepared inputs; fresh decodes them again for each operation, outside the timer; decode does so inside the timer",
	}
	WorkerCounts = &Axis[int]{
		Name: "workers", Flag: "workers", Default: "NumCPU", Values: flags.Workers(), Parallel: true,
		Usage: "numbers of workers of parallel benchmarks: 4, 1..8, NumCPU or NumCPU/2",
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
	samples := flags.One(set, "setup_samples", "8",
		"prepared environments that a benchmark cycles through; 0 makes a fresh one for each operation, outside the timer", flags.Numbers(0, 1_000_000))
	duration := flags.One(set, "duration", "10s", "recording time of the runner for each case", flags.Durations())
	ops := flags.One(set, "ops", "false", "report counted group operations as well, from a pass that is not timed", flags.Switch())
	purity := flags.One(set, "purity", "false",
		"examine each case before it is timed: report first/steady, the time of the first use over the time of later uses, and all reasons to doubt the figures",
		flags.Switch())
	profile := flags.One(set, "profile", "false", "write a CPU and an allocation profile of each case, as .pprof files", flags.Switch())
	set.Check(func() error {
		*o = Options{Samples: *samples, Duration: *duration, Ops: *ops, Purity: *purity, Profile: *profile}
		return nil
	})
}

package bench

import "time"

// The axes that all suites share. They go last in a Set, so that names end in
// "/workers=10".
var (
	SetupSamples = &Axis[int]{
		Name: "samples", Flag: "setup_samples", Default: "8", Values: Numbers(0, 1_000_000), Show: Never, One: true,
		Usage: "prepared environments that a benchmark cycles through; 0 makes a fresh one for each operation, outside the timer",
	}
	InputUse = &Axis[string]{
		Name: "input-use", Flag: "inputs", Default: ReuseInputs, Values: Names(ReuseInputs, FreshInputs, DecodeInputs), Show: IfChosen, One: true,
		Usage: "reuse cycles through prepared inputs; fresh decodes them again for each operation, outside the timer; decode does so inside the timer",
	}
	Purity = &Axis[bool]{
		Name: "purity", Flag: "purity", Default: "false", Values: Switch(), Show: Never, One: true,
		Usage: "examine each case before it is timed: report first/steady, the time of the first use over the time of later uses, and all reasons to doubt the figures",
	}
	Ops = &Axis[bool]{
		Name: "ops", Flag: "ops", Default: "false", Values: Switch(), Show: Never, One: true,
		Usage: "report counted group operations as well, from a pass that is not timed",
	}
	Duration = &Axis[time.Duration]{
		Name: "duration", Flag: "duration", Default: "10s", Values: Durations(), Show: Never, One: true,
		Usage: "recording time of the runner for each case",
	}
	Profile = &Axis[bool]{
		Name: "profile", Flag: "profile", Default: "false", Values: Switch(), Show: Never, One: true,
		Usage: "write a CPU and an allocation profile of each case, as .pprof files",
	}
	WorkerCounts = &Axis[int]{
		Name: "workers", Flag: "workers", Default: "NumCPU", Values: Workers(), Parallel: true,
		Usage: "numbers of workers of parallel benchmarks: 4, 1..8, NumCPU or NumCPU/2, comma-separated",
	}
)

// The values of InputUse.
const (
	ReuseInputs  = "reuse"
	FreshInputs  = "fresh"
	DecodeInputs = "decode"
)

package result

import "time"

// Clock is the cost of measuring on this machine.
type Clock struct {
	// Step is the least difference between two successive distinct readings; 0
	// if all readings were equal, as in the virtual time of testing/synctest.
	Step time.Duration
	// Record is the median time per iteration for an operation that does
	// nothing: reading the clock, the call, and recording.
	Record time.Duration
}

const (
	// batchSteps is the number of clock steps that let an operation be timed
	// alone; its time is then known to 0.1 %.
	batchSteps = 1000
	maxBatch   = 1 << 20
)

// Batch returns the number of operations of ns nanoseconds to time as one.
func (c Clock) Batch(ns float64) int {
	least := float64(batchSteps * c.Step)
	if least == 0 || ns >= least {
		return 1
	}
	return int(min(maxBatch, least/max(ns, 1)+1))
}

// Control is the result of a known operation that ran between the measured
// ones. If its time varies, the machine is noisy.
type Control struct {
	N      int
	Median float64 // ns
	// Spread is 1.4826 times the median distance from the median, divided by
	// the median: for a normal distribution the coefficient of variation.
	Spread float64
	// Disturbed is the share of runs that took over 1.5 times the median.
	Disturbed float64
}

// Noise is the relative variation of the known operation: its Spread, or half
// the share of disturbed runs if greater.
func (c Control) Noise() float64 { return max(c.Spread, c.Disturbed/2) }

// Usage is the activity of the Go runtime from the start of the window until
// the end of the last operation that began in it.
type Usage struct {
	BytesPerOp, AllocsPerOp float64 // without the allocations of the runner
	// CPUPerOp is the processor time of the program for one operation in ns, less
	// the idle cost of the program; 0 if unknown, also if that cost is over 5 %.
	CPUPerOp float64

	GCCycles     uint64
	GCShare      float64       // of the available processor time
	AssistShare  float64       // part of GCShare done by operations as assists
	GCPauses     time.Duration // total time that collections stopped the world
	GCPauseMax   time.Duration // the longest pause, to within a bucket of the runtime's histogram
	HeapBytes    uint64        // live at the end
	MutexWait    time.Duration // sum over all goroutines
	SchedP50     time.Duration // time from runnable to running
	SchedP99     time.Duration
	Scheduled    uint64  // number of such transitions
	Goroutines   uint64  // created
	ProcessorUse float64 // share of the available processor time
}

package bench

import (
	"runtime"
	"testing"

	"github.com/zkatbench/zkatbench/runner/cputime"
)

// The units of processor time. threadsUnit goes with figures of several threads:
// their processor time is not the time that a user waits.
const (
	cpuUnit     = "cpu-ns/op"
	threadsUnit = "cpu-threads"
)

// processorTime is the processor time of the operations of a benchmark: of the
// thread if the operation stays on one, and otherwise of the process, less what
// it takes when idle.
type processorTime struct {
	*cputime.Meter
	threads int // 0 if the operation stays on one thread
}

// newProcessorTime returns a meter for op, which workers goroutines call; 0
// means the calling one.
func newProcessorTime(op Op, c Case, workers int) processorTime {
	switch concurrent := op.Concurrent != nil && op.Concurrent(c); {
	case workers > 0 && !concurrent:
		return processorTime{cputime.ProcessMeter(cputime.IdleOnce()), workers}
	case workers > 0 || concurrent:
		return processorTime{cputime.ProcessMeter(cputime.IdleOnce()), runtime.GOMAXPROCS(0)}
	}
	return processorTime{Meter: cputime.ThreadMeter()}
}

// report ends the measurement of n operations.
func (p processorTime) report(b *testing.B, n int) {
	p.Stop()
	p.Close()
	if n == 0 || !cputime.Available() || p.Sum() == 0 { // 0 is hidden by the idle share
		return
	}
	b.ReportMetric(float64(p.Sum())/float64(n), cpuUnit)
	if p.threads > 0 {
		b.ReportMetric(float64(p.threads), threadsUnit)
	}
}

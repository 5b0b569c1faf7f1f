package transfer_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// BenchmarkScaling measures by how much GOMAXPROCS workers do more than one:
// transfers of 64 bits on BN254, and a control, a loop in registers that shares
// nothing. One round runs the operation and the control with one and with all
// workers in turns. The results, medians of the rounds, are ratios of operations
// in equal times: "speed-up" of the operation, and "control-speed-up", which is
// below the number of workers if the machine has fewer whole processors.
func BenchmarkScaling(b *testing.B) {
	n, err := fixture.NewNetwork(fixture.Config{Group: vectors.Curve(b, "BN254"), Bits: 64,
		Systems: []rangeproof.Kind{rangeproof.Bulletproof}})
	require.NoError(b, err)
	ready, err := n.NewTransfer(1, 2, 2)
	require.NoError(b, err)
	sender := transfer.Sender{Params: n.Params}
	made, _, err := sender.Transfer(ready.Spends, ready.Receives)
	require.NoError(b, err)
	for _, c := range []struct {
		name string
		op   func() error
	}{
		{"op=make", func() error {
			_, _, err := sender.Transfer(ready.Spends, ready.Receives)
			return err
		}},
		{"op=verify", func() error { return proof.Verify(n.Params, made, proof.Place{}) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			workers := runtime.GOMAXPROCS(0)
			var speedUps, controls []float64
			for b.Loop() {
				one, oneControl := operations(b, 1, c.op), operations(b, 1, control)
				speedUps = append(speedUps, operations(b, workers, c.op)/one)
				controls = append(controls, operations(b, workers, control)/oneControl)
			}
			b.ReportMetric(stats.Median(speedUps), "speed-up")
			b.ReportMetric(stats.Median(controls), "control-speed-up")
		})
	}
}

// operations returns how many operations so many workers do in a slice of time.
func operations(b *testing.B, workers int, op func() error) float64 {
	const slice = 50 * time.Millisecond
	var done atomic.Int64
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	end := time.Now().Add(slice)
	for range workers {
		all.Go(func() {
			n := int64(0)
			for ; time.Now().Before(end); n++ {
				if err := op(); err != nil {
					failed.Store(&err)
				}
			}
			done.Add(n)
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		b.Fatal(*err)
	}
	return float64(done.Load())
}

var controlSink atomic.Uint64

// control is some 100 µs of multiplications that wait for each other.
func control() error {
	x := uint64(3)
	for range 100_000 {
		x = x*0x5851f42d4c957f2d + 1
	}
	controlSink.Store(x)
	return nil
}

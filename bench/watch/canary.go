package watch

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// The canary is a fixed workload of this program. If its processor time changes, the
// machine did: its clock, its memory, or other programs. It is a case of each file,
// so that the page shows it over revisions.
const (
	canaryPackage = "zkatbench/canary"
	canaryCount   = 15 // results before a measurement, and after it
	canaryLimit   = 0.05
	canaryRounds  = 16
)

var canaryData [1 << 20]byte // more than a second-level cache

// canary returns processor seconds.
func canary() (seconds []float64) {
	now, done := cputime.Thread()
	defer done()
	for range canaryCount {
		start := now()
		for i := range canaryRounds {
			sum := sha256.Sum256(canaryData[i<<16 : (i+1)<<16])
			copy(canaryData[i<<16:], sum[:])
		}
		for i := 0; i < len(canaryData); i += 64 {
			canaryData[(i*4097)%len(canaryData)]++
		}
		seconds = append(seconds, (now() - start).Seconds())
	}
	return seconds
}

// canaryLines are the results in benchmark format.
func canaryLines(seconds []float64) []string {
	lines := []string{"pkg: " + canaryPackage}
	for _, s := range seconds {
		lines = append(lines, fmt.Sprintf("BenchmarkCanary 1 %d cpu-ns/op", int64(s*float64(time.Second))))
	}
	return append(lines, result.EndLine(len(seconds)))
}

// canaries returns the number of results of the canary.
func canaries(d *result.Data) int { return len(canaryOf(d)) }

func canaryOf(d *result.Data) []float64 {
	return d.Values[result.Key{Package: canaryPackage, Name: "Canary"}]["cpu-sec/op"]
}

// canaryShift returns the change between two medians as a share.
func canaryShift(before, after []float64) float64 {
	shift := stats.Median(after)/stats.Median(before) - 1
	return max(shift, -shift)
}

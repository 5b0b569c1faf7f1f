package count_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/count"
)

// A recorder collects the operations of each phase.
func ExampleRecorder() {
	var rec count.Recorder
	prove := rec.Bucket("prove")
	prove.Count(count.Of(count.MSM, 64), 2)
	prove.Count(count.One(count.Add), 10)
	counts := rec.Snapshot()["prove"]
	fmt.Println(counts.Calls(count.MSM), counts.Terms(count.MSM))
	// Output: 2 128
}

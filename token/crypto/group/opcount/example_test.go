package opcount_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount"
)

// A wrapped group counts its operations, by phase.
func ExampleWrap() {
	var rec count.Recorder
	g, err := opcount.Wrap(bn254.New(), rec.Bucket(""), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := g.Generator()
	group.MSM(group.Phase(g, "prove"), []group.Point{p, p, p}, make([]group.Scalar, 3))
	fmt.Println(rec.Snapshot()["prove"])
	// Output: map[msm[3]:1]
}

package flame_test

import (
	"fmt"
	"strings"

	"github.com/zkatbench/zkatbench/bench/flame"
)

// Folded stacks, as other programs write them, are summed and drawn.
func ExampleRead() {
	stacks, err := flame.Read(strings.NewReader("main;prove;msm 70\nmain;prove;hash 20\nmain 10\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(stacks.Samples(), stacks.Leaves()["msm"])
	// Output: 100 70
}

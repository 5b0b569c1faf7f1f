package codec_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
)

// A codec has a name, by which a message says how it is written.
func ExampleByName() {
	for _, name := range codec.Names {
		_, err := codec.ByName(name)
		fmt.Println(name, err)
	}
	// Output:
	// compact <nil>
	// near <nil>
}
